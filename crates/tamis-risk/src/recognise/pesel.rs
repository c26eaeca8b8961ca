//! The national number of Poland.

/// Whether a text is a PESEL: eleven digits, a month of a century in the third and fourth, a day after it, and the check digit.
///
/// ```
/// use tamis_risk::recognise::is_pesel;
/// assert!(is_pesel("44051401359") && is_pesel("02070803628"));
/// assert!(!is_pesel("44051401358") && !is_pesel("44951401359") && !is_pesel("4405140135"));
/// ```
pub fn is_pesel(text: &str) -> bool {
    if !is_like_pesel(text) {
        return false;
    }
    let Some(digits) = super::digits::digits_between(text, &[]) else { return false };
    // The century is added to the month as 0, 20, 40, 60 or 80.
    let (month, day) = ((digits[2] * 10 + digits[3]) % 20, digits[4] * 10 + digits[5]);
    let weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];
    let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum();
    (1..=12).contains(&month) && (1..=31).contains(&day) && (10 - sum % 10) % 10 == digits[10]
}

/// Whether a text is written as a PESEL is, whatever its digits.
pub fn is_like_pesel(text: &str) -> bool {
    super::digits::digits_between(text, &[]).is_some_and(|digits| digits.len() == 11)
}
