//! Bank account numbers.

/// Whether a text is an IBAN: two letters, two check digits and 11 to 30 letters or digits whose number is 1 modulo 97 (ISO 13616).
///
/// ```
/// use tamis_risk::recognise::is_iban;
/// assert!(is_iban("DE89 3704 0044 0532 0130 00") && is_iban("pl61109010140000071219812874"));
/// assert!(!is_iban("DE88 3704 0044 0532 0130 00") && !is_iban("8937040044") && !is_iban("DE8"));
/// ```
pub fn is_iban(text: &str) -> bool {
    let Some(text) = plain(text) else { return false };
    let (head, body) = text.split_at(4);
    // The head goes to the end and letters become two digits; the remainder is taken as it is read.
    let remainder = body.chars().chain(head.chars()).try_fold(0u32, |remainder, c| {
        let value = c.to_digit(36)?;
        Some((if value > 9 { remainder * 100 } else { remainder * 10 } + value) % 97)
    });
    remainder == Some(1)
}

/// Whether a text is written as an IBAN is, whatever its check digits.
pub fn is_like_iban(text: &str) -> bool {
    plain(text).is_some()
}

/// The letters and digits of what is written as an IBAN.
fn plain(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_uppercase()).collect();
    let is_head = text.bytes().take(2).all(|b| b.is_ascii_uppercase())
        && text.bytes().skip(2).take(2).all(|b| b.is_ascii_digit());
    let is_body = text.bytes().all(|b| b.is_ascii_alphanumeric());
    (is_head && is_body && (15..=34).contains(&text.len())).then_some(text)
}
