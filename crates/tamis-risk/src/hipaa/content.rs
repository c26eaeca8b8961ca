//! Identifiers by the values of a column.

use super::Identifier;
use super::names;
use crate::recognise::{
    are_free_text, has_email, has_phone, has_url, is_among_words, is_calendar_date, is_chilean_run, is_iban,
    is_ip_address, is_payment_card, is_pesel, is_placeholder, is_social_security_number, is_spanish_dni, is_uuid,
    is_zip_code,
};
use tamis_table::{Column, DataType};

/// The least share of a column's values that must match. Free text may hold a few addresses by chance; a column of them holds many.
const LEAST_SHARE: f64 = 0.1;
/// Postal codes look like any five digits, so nearly all must.
const LEAST_SHARE_OF_BARE_DIGITS: f64 = 0.95;
/// Above this share of distinct values a column points at single rows.
const NEARLY_UNIQUE: f64 = 0.9;
/// In a table this small, distinct values say nothing.
const FEW_ROWS: u64 = 20;
const OLDEST_AGE_TOLD: u32 = 89;
const OLDEST_PERSON: u32 = 125;

/// A recogniser, what it finds, how many must match, and how that is told.
type Kind = (fn(&str) -> bool, Identifier, f64, &'static str);

const KINDS: [Kind; 13] = [
    (has_email, Identifier::Email, LEAST_SHARE, "values are e-mail addresses"),
    (has_url, Identifier::Url, LEAST_SHARE, "values are web addresses"),
    (|text| is_among_words(text, is_ip_address), Identifier::IpAddress, LEAST_SHARE, "values are internet addresses"),
    (has_social_security_number, Identifier::SocialSecurity, LEAST_SHARE, "values are social security numbers"),
    (
        |text| is_among_words(text, is_chilean_run),
        Identifier::SocialSecurity,
        LEAST_SHARE,
        "values are Chilean RUNs with the right check digit",
    ),
    (
        |text| is_among_words(text, is_spanish_dni),
        Identifier::SocialSecurity,
        LEAST_SHARE,
        "values are Spanish DNIs or NIEs with the right letter",
    ),
    (
        |text| is_among_words(text, is_pesel),
        Identifier::SocialSecurity,
        0.5,
        "values are Polish PESELs with the right check digit",
    ),
    (|text| is_among_words(text, is_payment_card), Identifier::Account, 0.5, CARDS),
    (
        |text| is_among_words(text, is_iban),
        Identifier::Account,
        LEAST_SHARE,
        "values are IBANs with the right check digits",
    ),
    (is_calendar_date, Identifier::Date, LEAST_SHARE, "values are dates more specific than a year"),
    (has_phone, Identifier::Phone, 0.5, "values look like telephone numbers"),
    (|text| is_among_words(text, is_uuid), Identifier::OtherUnique, LEAST_SHARE, "values are UUIDs"),
    (is_zip_code, Identifier::Geography, LEAST_SHARE_OF_BARE_DIGITS, "values look like five-digit ZIP codes"),
];

/// How values that nearly only one row has are told.
pub(super) const ALONE: &str = "values are one row's alone";
/// How free text is told.
pub(super) const FREE_TEXT: &str = "values are free text, which may hold names";
/// How card numbers are told: like telephone numbers, digits may look so by chance.
const CARDS: &str = "values are card numbers with the right check digit";

/// Among words, three numbers with blanks between them may be anything.
fn has_social_security_number(text: &str) -> bool {
    is_social_security_number(text)
        || is_among_words(text, |word| !word.contains(' ') && is_social_security_number(word))
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
    // A name that says otherwise is believed where digits may look so by chance, and where values are merely different.
    let name = column.name();
    let is_named_otherwise = names::is_sensitive(name) || names::is_quasi_identifying(name);
    let could_be_chance = |found: &Match| found.identifier == Identifier::Phone || found.reason == CARDS;
    let mut found: Vec<Match> = KINDS
        .into_iter()
        .filter_map(|(is_one, identifier, least, reason)| {
            let share = share(&is_one);
            (share >= least).then_some(Match { identifier, share, reason })
        })
        .filter(|found| !is_named_otherwise || !could_be_chance(found))
        .collect();
    if names::is_age(name) {
        let share = share(&is_great_age);
        if share > 0.0 {
            found.push(Match { identifier: Identifier::Date, share, reason: "ages are over 89" });
        }
    }
    let is_text = matches!(column.data_type(), DataType::Text);
    let is_general = |found: &Match| matches!(found.identifier, Identifier::Date | Identifier::Geography);
    if is_text && found.iter().all(is_general) && are_free_text(&values) {
        found.push(Match { identifier: Identifier::Name, share: 1.0, reason: FREE_TEXT });
    }
    let distinct = values.len() as f64 / rows as f64;
    let could_measure = matches!(column.data_type(), DataType::Decimal);
    let is_unique = rows >= FEW_ROWS && distinct >= NEARLY_UNIQUE && !could_measure && !is_named_otherwise;
    if found.is_empty() && is_unique {
        found.push(Match { identifier: Identifier::OtherUnique, share: distinct, reason: ALONE });
    }
    found
}

fn is_great_age(text: &str) -> bool {
    text.trim().parse::<u32>().is_ok_and(|age| (OLDEST_AGE_TOLD + 1..=OLDEST_PERSON).contains(&age))
}
