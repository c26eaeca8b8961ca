//! The national numbers of Spain.

/// Whether a text is a DNI (eight digits and a letter) or a NIE (X, Y or Z, seven digits and a letter) with the right letter.
///
/// ```
/// use tamis_risk::recognise::is_spanish_dni;
/// assert!(is_spanish_dni("12345678Z") && is_spanish_dni("12.345.678-z") && is_spanish_dni("X1234567L"));
/// assert!(!is_spanish_dni("12345678A") && !is_spanish_dni("1234567Z") && !is_spanish_dni("ABCDEFGHZ"));
/// ```
pub fn is_spanish_dni(text: &str) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    number_and_letter(text).is_some_and(|(number, letter)| char::from(LETTERS[number % 23]) == letter)
}

/// Whether a text is written as a DNI or NIE is, whatever its letter.
pub fn is_like_spanish_dni(text: &str) -> bool {
    number_and_letter(text).is_some()
}

fn number_and_letter(text: &str) -> Option<(usize, char)> {
    let plain: String = text.trim().chars().filter(|c| !" .-".contains(*c)).map(|c| c.to_ascii_uppercase()).collect();
    let (number, letter) = plain.char_indices().next_back().map(|(at, letter)| (&plain[..at], letter))?;
    let digits = match number.chars().next() {
        Some('X') => format!("0{}", &number[1..]),
        Some('Y') => format!("1{}", &number[1..]),
        Some('Z') => format!("2{}", &number[1..]),
        _ => number.to_owned(),
    };
    let is_number = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok()?;
    (is_number && letter.is_ascii_uppercase()).then_some((number, letter))
}
