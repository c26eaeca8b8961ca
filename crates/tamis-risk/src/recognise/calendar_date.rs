//! Dates more specific than a year.

use jiff::civil::Date;

const FORMATS: [&str; 12] = [
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
];

/// Whether a text is a day, with or without a time behind it, or a month of a year. A year alone is none.
///
/// ```
/// use tamis_risk::recognise::is_calendar_date;
/// assert!(is_calendar_date("2021-03-05") && is_calendar_date("31/12/1999") && is_calendar_date("5 March 2020"));
/// assert!(is_calendar_date("2021-03-05T10:30:00") && is_calendar_date("2021-03") && is_calendar_date("03/2021"));
/// assert!(!is_calendar_date("2021") && !is_calendar_date("2021-13-40") && !is_calendar_date("20210305"));
/// ```
pub fn is_calendar_date(text: &str) -> bool {
    let text = text.trim();
    if !(6..=40).contains(&text.len()) || !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    // A time is separated by `T` or a blank and has colons.
    let day = text.split_once(['T', ' ']).filter(|(_, time)| time.contains(':')).map_or(text, |(day, _)| day);
    FORMATS.iter().any(|format| Date::strptime(format, day).is_ok_and(|date| date.year() >= 1000)) || is_month(day)
}

fn is_month(text: &str) -> bool {
    let Some((left, right)) = text.split_once(['-', '/', '.']) else { return false };
    let (year, month) = if left.len() == 4 { (left, right) } else { (right, left) };
    year.len() == 4
        && year.parse::<u16>().is_ok_and(|year| (1800..2200).contains(&year))
        && (1..=2).contains(&month.len())
        && month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month))
}
