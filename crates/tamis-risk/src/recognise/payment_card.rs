//! Numbers of payment cards.

use super::digits::digits_between;

/// Whether a text is a card number: 13 to 19 digits, blanks or hyphens between them allowed, that begin as cards do (3 to 6) and meet
/// the check of Luhn (ISO/IEC 7812).
///
/// ```
/// use tamis_risk::recognise::is_payment_card;
/// assert!(is_payment_card("4111 1111 1111 1111") && is_payment_card("378282246310005"));
/// assert!(!is_payment_card("4111 1111 1111 1112") && !is_payment_card("42") && !is_payment_card("0000000000000000"));
/// ```
pub fn is_payment_card(text: &str) -> bool {
    let Some(digits) = digits_between(text, &[' ', '-']) else { return false };
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 =
        digits.iter().rev().enumerate().map(|(i, &digit)| if i % 2 == 1 { doubled(digit) } else { digit }).sum();
    is_like_payment_card(text) && digits.first().is_some_and(|first| (3..=6).contains(first)) && sum.is_multiple_of(10)
}

/// Whether a text has as many digits as a card number, whatever they are.
pub fn is_like_payment_card(text: &str) -> bool {
    digits_between(text, &[' ', '-']).is_some_and(|digits| (13..=19).contains(&digits.len()))
}
