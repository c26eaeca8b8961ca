//! Telephone and fax numbers.

/// Whether a text is a telephone number: 7 to 15 digits (as ITU-T E.164 allows) in groups, led by `+`, `00` or an area code in
/// brackets, or else in at least two groups; a bare run of digits could be any number and a date is none.
///
/// ```
/// use tamis_risk::recognise::is_phone;
/// assert!(is_phone("+56 9 8765 4321") && is_phone("(212) 555-0123") && is_phone("212-555-0123") && is_phone("+48221234567"));
/// assert!(!is_phone("12345678") && !is_phone("2020-01-02") && !is_phone("05403") && !is_phone("123-45-6789"));
/// ```
pub fn is_phone(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_shaped = text.chars().all(|c| c.is_ascii_digit() || "+()-. /".contains(c)) && text.matches('+').count() <= 1;
    if !is_shaped || !(7..=15).contains(&digits) || super::is_calendar_date(text) {
        return false;
    }
    if text.starts_with('+') || (text.starts_with("00") && text.len() > 10) || text.starts_with('(') {
        return true;
    }
    let groups: Vec<usize> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::len).collect();
    // A date, a decimal number or a social security number has a last group of one or two digits, or groups of 3, 2 and 4.
    groups.len() >= 2
        && !text.contains('.')
        && groups.last().is_some_and(|&last| last >= 3)
        && groups.iter().all(|&group| group <= 5)
        && groups != [3, 2, 4]
}
