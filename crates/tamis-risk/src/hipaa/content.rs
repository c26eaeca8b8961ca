//! Identifiers by the values of a column.

use super::Identifier;
use crate::recognise::{
    is_calendar_date, is_chilean_run, is_email, is_iban, is_ip_address, is_payment_card, is_pesel, is_phone,
    is_social_security_number, is_spanish_dni, is_url, is_zip_code,
};
use tamis_table::{Column, DataType};

/// The least share of a column's values that must match. Free text may hold a few addresses by chance; a column of them holds many.
const LEAST_SHARE: f64 = 0.1;
/// Postal codes look like any five digits, so nearly all must.
const LEAST_SHARE_OF_BARE_DIGITS: f64 = 0.95;
/// Above this share of distinct values a column points at single rows.
const NEARLY_UNIQUE: f64 = 0.95;
/// In a table this small, distinct values say nothing.
const FEW_ROWS: u64 = 20;
const OLDEST_AGE_TOLD: u32 = 89;
const OLDEST_PERSON: u32 = 125;

/// A recogniser, what it finds, how many must match, and how that is told.
type Kind = (fn(&str) -> bool, Identifier, f64, &'static str);

const KINDS: [Kind; 12] = [
    (is_email, Identifier::Email, LEAST_SHARE, "values are e-mail addresses"),
    (is_url, Identifier::Url, LEAST_SHARE, "values are web addresses"),
    (is_ip_address, Identifier::IpAddress, LEAST_SHARE, "values are internet addresses"),
    (is_social_security_number, Identifier::SocialSecurity, LEAST_SHARE, "values are social security numbers"),
    (is_chilean_run, Identifier::SocialSecurity, LEAST_SHARE, "values are Chilean RUNs with the right check digit"),
    (is_spanish_dni, Identifier::SocialSecurity, LEAST_SHARE, "values are Spanish DNIs or NIEs with the right letter"),
    (is_pesel, Identifier::SocialSecurity, 0.5, "values are Polish PESELs with the right check digit"),
    (is_payment_card, Identifier::Account, 0.5, "values are card numbers with the right check digit"),
    (is_iban, Identifier::Account, LEAST_SHARE, "values are IBANs with the right check digits"),
    (is_calendar_date, Identifier::Date, LEAST_SHARE, "values are dates more specific than a year"),
    (is_phone, Identifier::Phone, 0.5, "values look like telephone numbers"),
    (is_zip_code, Identifier::Geography, LEAST_SHARE_OF_BARE_DIGITS, "values look like five-digit ZIP codes"),
];

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

/// The identifiers that a column's values look like.
pub fn matches(column: &Column) -> Vec<Match> {
    let values = column.counted_values();
    let rows: u64 = values.iter().map(|&(_, count)| count).sum();
    if rows == 0 {
        return Vec::new();
    }
    let share = |is_one: &dyn Fn(&str) -> bool| {
        let matching: u64 = values.iter().filter(|(text, _)| is_one(text)).map(|&(_, count)| count).sum();
        matching as f64 / rows as f64
    };
    let mut found: Vec<Match> = KINDS
        .into_iter()
        .filter_map(|(is_one, identifier, least, reason)| {
            let share = share(&is_one);
            (share >= least).then_some(Match { identifier, share, reason })
        })
        .collect();
    if super::names::is_age(column.name()) {
        let share = share(&is_great_age);
        if share > 0.0 {
            found.push(Match { identifier: Identifier::Date, share, reason: "ages are over 89" });
        }
    }
    let distinct = values.len() as f64 / rows as f64;
    let could_measure = matches!(column.data_type(), DataType::Decimal);
    if found.is_empty() && rows >= FEW_ROWS && distinct >= NEARLY_UNIQUE && !could_measure {
        found.push(Match {
            identifier: Identifier::OtherUnique,
            share: distinct,
            reason: "values are one row's alone",
        });
    }
    found
}

/// What a column is if its values are addresses or numbers of single people, which have no place in a release; dates, places and what is
/// merely unique may be generalized.
pub fn direct_identifier(column: &Column) -> Option<Match> {
    let is_direct =
        |found: &Match| !matches!(found.identifier, Identifier::Date | Identifier::Geography | Identifier::OtherUnique);
    matches(column).into_iter().find(is_direct)
}

/// Whether a column's values are sentences that somebody wrote: of several words each and rarely the same, or long. They may hold
/// anything, also names.
pub fn is_free_text(column: &Column) -> bool {
    const WORDS: u64 = 4;
    const LONG: usize = 100;
    let values = column.counted_values();
    let rows: u64 = values.iter().map(|&(_, count)| count).sum();
    if rows == 0 || !matches!(column.data_type(), DataType::Text) {
        return false;
    }
    let words: u64 = values.iter().map(|(text, _)| text.split_whitespace().count() as u64).sum();
    let is_long = |text: &str| text.contains('\n') || text.chars().count() > LONG;
    let long: u64 = values.iter().filter(|(text, _)| is_long(text)).map(|&(_, count)| count).sum();
    let is_rarely_the_same = values.len() as u64 * 2 > rows && values.len() > 1;
    (words >= WORDS * values.len() as u64 && is_rarely_the_same) || long as f64 >= LEAST_SHARE * rows as f64
}

fn is_great_age(text: &str) -> bool {
    text.trim().parse::<u32>().is_ok_and(|age| (OLDEST_AGE_TOLD + 1..=OLDEST_PERSON).contains(&age))
}
