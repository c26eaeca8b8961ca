//! Bank account numbers.

/// Whether a text is an IBAN: two letters, two check digits and 11 to 30 letters or digits whose number is 1 modulo 97 (ISO 13616).
///
/// ```
/// use tamis_risk::recognise::is_iban;
/// assert!(is_iban("DE89 3704 0044 0532 0130 00") && is_iban("pl61109010140000071219812874"));
/// assert!(!is_iban("DE88 3704 0044 0532 0130 00") && !is_iban("8937040044") && !is_iban("DE8"));
/// ```
pub fn is_iban(text: &str) -> bool {
    let text: String = text.chars().filter(|c| *c != ' ').map(|c| c.to_ascii_uppercase()).collect();
    if !text.is_ascii() || !(15..=34).contains(&text.len()) {
        return false;
    }
    let (head, body) = text.split_at(4);
    let is_head =
        head.bytes().take(2).all(|b| b.is_ascii_uppercase()) && head.bytes().skip(2).all(|b| b.is_ascii_digit());
    // The head goes to the end and letters become two digits; the remainder is taken as it is read.
    let remainder = body.chars().chain(head.chars()).try_fold(0u32, |remainder, c| {
        let value = c.to_digit(36)?;
        Some((if value > 9 { remainder * 100 } else { remainder * 10 } + value) % 97)
    });
    is_head && remainder == Some(1)
}
