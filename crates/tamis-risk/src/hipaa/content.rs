//! Identifiers by the values of a column.

use super::Identifier;
use super::names;
use crate::recognise::{
    are_free_text, has_email, has_phone, has_plain_phone, has_unmistakable_phone, has_url, is_among_words,
    is_calendar_date, is_chilean_run, is_iban, is_ip_address, is_like_chilean_run, is_like_full_name, is_like_iban,
    is_like_payment_card, is_like_pesel, is_like_spanish_dni, is_mac_address, is_payment_card, is_pesel,
    is_placeholder, is_social_security_number, is_spanish_dni, is_uuid, is_zip_code,
};
use tamis_table::{Column, DataType};

/// The least share of a column's values that must match where a few may look so by chance.
const LEAST_SHARE: f64 = 0.1;
/// Bare digits are often something else.
const LEAST_SHARE_OF_DIGITS: f64 = 0.5;
/// Postal codes look like any five digits, so nearly all must.
const LEAST_SHARE_OF_BARE_DIGITS: f64 = 0.95;
/// Of the values that are written like a number with a check digit, chance lets a tenth or less pass; if so many do, it is no chance.
const LEAST_PASSING: f64 = 0.5;
/// Above this share of distinct values a column points at single rows.
const NEARLY_UNIQUE: f64 = 0.9;
/// In a table this small, distinct values say nothing.
const FEW_ROWS: u64 = 20;
const OLDEST_AGE_TOLD: u32 = 89;
const OLDEST_PERSON: u32 = 125;

type Test = fn(&str) -> bool;

/// How much of a column must match.
#[derive(Clone, Copy)]
enum Enough {
    /// A single value: it cannot be anything else.
    One,
    /// A share of the rows.
    Share(f64),
    /// A share of the rows, or a single value in a column of text if most values that are written like it pass the check too.
    Checked(f64, Test),
}

/// A recogniser, what it finds, how much of a column must match, and how that is told.
type Kind = (Test, Identifier, Enough, &'static str);

const NATIONAL: Identifier = Identifier::SocialSecurity;
const KINDS: [Kind; 15] = [
    (has_email, Identifier::Email, Enough::One, "values are e-mail addresses"),
    (has_url, Identifier::Url, Enough::One, "values are web addresses"),
    (
        |text| is_among_words(text, is_ip_address),
        Identifier::IpAddress,
        Enough::Share(LEAST_SHARE),
        "values are internet addresses",
    ),
    (has_social_security_number, NATIONAL, Enough::One, "values are social security numbers"),
    (
        |text| is_among_words(text, is_chilean_run),
        NATIONAL,
        Enough::Checked(LEAST_SHARE, |text| is_among_words(text, is_like_chilean_run)),
        "values are Chilean RUNs with the right check digit",
    ),
    (
        |text| is_among_words(text, is_spanish_dni),
        NATIONAL,
        Enough::Checked(LEAST_SHARE, |text| is_among_words(text, is_like_spanish_dni)),
        "values are Spanish DNIs or NIEs with the right letter",
    ),
    (
        |text| is_among_words(text, is_pesel),
        NATIONAL,
        Enough::Checked(LEAST_SHARE_OF_DIGITS, |text| is_among_words(text, is_like_pesel)),
        "values are Polish PESELs with the right check digit",
    ),
    (
        |text| is_among_words(text, is_payment_card),
        Identifier::Account,
        Enough::Checked(LEAST_SHARE_OF_DIGITS, |text| is_among_words(text, is_like_payment_card)),
        "values are card numbers with the right check digit",
    ),
    (
        |text| is_among_words(text, is_iban),
        Identifier::Account,
        Enough::Checked(LEAST_SHARE, |text| is_among_words(text, is_like_iban)),
        "values are IBANs with the right check digits",
    ),
    (is_calendar_date, Identifier::Date, Enough::Share(LEAST_SHARE), "values are dates more specific than a year"),
    (has_unmistakable_phone, Identifier::Phone, Enough::One, "values are telephone numbers"),
    (has_phone, Identifier::Phone, Enough::Share(LEAST_SHARE_OF_DIGITS), LOOKS_LIKE_PHONE),
    (has_mac_address, Identifier::Device, Enough::One, "values are addresses of network cards"),
    (|text| is_among_words(text, is_uuid), Identifier::OtherUnique, Enough::One, "values are UUIDs"),
    (
        is_zip_code,
        Identifier::Geography,
        Enough::Share(LEAST_SHARE_OF_BARE_DIGITS),
        "values look like five-digit ZIP codes",
    ),
];

/// Digits in groups may be amounts.
const LOOKS_LIKE_PHONE: &str = "values look like telephone numbers";
/// How values that nearly only one row has are told.
pub(super) const ALONE: &str = "values are one row's alone";
/// How free text is told.
pub(super) const FREE_TEXT: &str = "values are free text, which may hold names";
/// Among words, three numbers with blanks between them may be anything.
fn has_social_security_number(text: &str) -> bool {
    is_social_security_number(text)
        || is_among_words(text, |word| !word.contains(' ') && is_social_security_number(word))
}

/// A network card's address has colons or hyphens of its own.
fn has_mac_address(text: &str) -> bool {
    is_among_words(text, is_mac_address)
}

/// What a column's values say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// What they look like.
    pub identifier: Identifier,
    /// The share of rows with a value that match.
    pub share: f64,
    /// How they were recognised.
    pub reason: &'static str,
}

/// The identifiers that a column's values look like. Values that say that there is none do not count.
pub fn matches(column: &Column) -> Vec<Match> {
    let mut values = column.counted_values();
    values.retain(|(text, _)| !is_placeholder(text));
    let rows: u64 = values.iter().map(|&(_, count)| count).sum();
    if rows == 0 {
        return Vec::new();
    }
    let share = |is_one: &dyn Fn(&str) -> bool| {
        let matching: u64 = values.iter().filter(|(text, _)| is_one(text)).map(|&(_, count)| count).sum();
        matching as f64 / rows as f64
    };
    // A name that says otherwise is believed where digits may be amounts, and where values are merely different.
    let name = column.name();
    let is_named_otherwise = names::is_sensitive(name) || names::is_quasi_identifying(name);
    let is_text = matches!(column.data_type(), DataType::Text);
    let having = |is_one: Test| values.iter().filter(|(text, _)| is_one(text)).count();
    let mut found: Vec<Match> = Vec::new();
    for (is_one, identifier, enough, reason) in KINDS {
        let is_one: Test = if reason == LOOKS_LIKE_PHONE && is_named_otherwise { has_plain_phone } else { is_one };
        let share = share(&is_one);
        let is_enough = match enough {
            Enough::One => share > 0.0,
            Enough::Share(least) => share >= least,
            Enough::Checked(least, is_like_it) => {
                let passes = || having(is_one) as f64 >= having(is_like_it) as f64 * LEAST_PASSING;
                share >= least || is_text && share > 0.0 && passes()
            }
        };
        if is_enough {
            // Of two ways to see one identifier, that by which more values are.
            let is_weaker = |known: &Match| known.identifier == identifier && known.share < share;
            found.retain(|known| !is_weaker(known));
            if !found.iter().any(|known| known.identifier == identifier) {
                found.push(Match { identifier, share, reason });
            }
        }
    }
    if names::is_age(name) {
        let share = share(&is_great_age);
        if share > 0.0 {
            found.push(Match { identifier: Identifier::Date, share, reason: "ages are over 89" });
        }
    }
    let is_general = |found: &Match| matches!(found.identifier, Identifier::Date | Identifier::Geography);
    let distinct = values.len() as f64 / rows as f64;
    let is_nearly_unique = rows >= FEW_ROWS && distinct >= NEARLY_UNIQUE;
    // Names of people seldom recur, and every one is written as a name; a column that is called so needs no second look.
    let says_names = || names::matches(name).iter().any(|&(identifier, _)| identifier == Identifier::Name);
    let are_names = || is_nearly_unique && share(&is_like_full_name) >= NEARLY_UNIQUE && !says_names();
    if is_text && found.iter().all(is_general) && (names::is_comment(name) || are_free_text(&values) || are_names()) {
        found.push(Match { identifier: Identifier::Name, share: 1.0, reason: FREE_TEXT });
    }
    let could_measure = matches!(column.data_type(), DataType::Decimal);
    let is_unique = is_nearly_unique && !could_measure && !is_named_otherwise;
    if found.is_empty() && is_unique {
        found.push(Match { identifier: Identifier::OtherUnique, share: distinct, reason: ALONE });
    }
    found
}

fn is_great_age(text: &str) -> bool {
    text.trim().parse::<u32>().is_ok_and(|age| (OLDEST_AGE_TOLD + 1..=OLDEST_PERSON).contains(&age))
}
