//! The national number of Chile (RUN, also RUT).

/// Whether a text is a RUN: up to eight digits, dots allowed, a hyphen and the check character of modulus 11.
///
/// ```
/// use tamis_risk::recognise::is_chilean_run;
/// assert!(is_chilean_run("12.345.678-5") && is_chilean_run("12345678-5") && is_chilean_run("10.000.013-K"));
/// assert!(!is_chilean_run("12.345.678-6") && !is_chilean_run("123456785") && !is_chilean_run("1-9-2020"));
/// ```
pub fn is_chilean_run(text: &str) -> bool {
    let Some((digits, check)) = digits_and_check(text) else { return false };
    // Weights 2 to 7 from the right, over and over.
    let sum: u32 = digits.iter().rev().zip((2..=7).cycle()).map(|(digit, weight)| digit * weight).sum();
    let expected = match 11 - sum % 11 {
        11 => '0',
        10 => 'K',
        rest => char::from_digit(rest, 10).unwrap_or('0'),
    };
    check == expected
}

/// Whether a text is written as a RUN is, whatever its check character.
pub fn is_like_chilean_run(text: &str) -> bool {
    digits_and_check(text).is_some()
}

fn digits_and_check(text: &str) -> Option<(Vec<u32>, char)> {
    let (number, check) = text.trim().split_once('-')?;
    let digits = super::digits::digits_between(number, &['.'])?;
    let check = check.chars().next().filter(|_| check.len() == 1)?.to_ascii_uppercase();
    ((6..=8).contains(&digits.len()) && (check.is_ascii_digit() || check == 'K')).then_some((digits, check))
}
