//! Social security numbers of the United States.

use super::digits::digits_between;

/// Whether a text is a social security number as it is written, `AAA-GG-SSSS`: no part is zero, and the first is neither 666 nor from
/// 900 on, as the administration never assigns these. Nine bare digits could be anything and do not count.
///
/// ```
/// use tamis_risk::recognise::is_social_security_number;
/// assert!(is_social_security_number("123-45-6789") && is_social_security_number("123 45 6789"));
/// assert!(!is_social_security_number("000-45-6789") && !is_social_security_number("666-45-6789"));
/// assert!(!is_social_security_number("123456789") && !is_social_security_number("123-45-0000"));
/// ```
pub fn is_social_security_number(text: &str) -> bool {
    let text = text.trim();
    let groups: Vec<&str> = text.split(['-', ' ']).collect();
    let [area, group, serial] = groups.as_slice() else { return false };
    let number = |part: &str, length: usize| {
        (part.len() == length)
            .then(|| digits_between(part, &[]))
            .flatten()
            .map(|digits| digits.iter().fold(0, |n, d| n * 10 + d))
    };
    matches!(
        (number(area, 3), number(group, 2), number(serial, 4)),
        (Some(area), Some(1..), Some(1..)) if (1..900).contains(&area) && area != 666
    )
}
