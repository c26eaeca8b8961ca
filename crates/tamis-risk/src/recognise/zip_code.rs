//! Postal codes of the United States.

/// Whether a text is a ZIP code: five digits, with or without four more behind a hyphen.
///
/// ```
/// use tamis_risk::recognise::is_zip_code;
/// assert!(is_zip_code("05403") && is_zip_code("10027-6902"));
/// assert!(!is_zip_code("0540*") && !is_zip_code("054") && !is_zip_code("100276902"));
/// ```
pub fn is_zip_code(text: &str) -> bool {
    let text = text.trim();
    let is_digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('-') {
        None => is_digits(text, 5),
        Some((code, more)) => is_digits(code, 5) && is_digits(more, 4),
    }
}
