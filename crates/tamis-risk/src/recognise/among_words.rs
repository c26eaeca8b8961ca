//! Numbers and addresses that stand among other words.

/// So many words at most are one number: an IBAN in groups of four.
const MOST_WORDS: usize = 9;

/// Whether a text is one of a kind, or one of the kind stands in it: in a list, in brackets, behind `DNI` or `IBAN:`, or among words. A
/// number may be written in several words, each of which has a digit.
///
/// ```
/// use tamis_risk::recognise::{is_among_words, is_iban, is_spanish_dni, is_ip_address};
/// assert!(is_among_words("DNI 12345678Z", is_spanish_dni) && is_among_words("DNI:12.345.678-z, Ana", is_spanish_dni));
/// assert!(is_among_words("IBAN DE89 3704 0044 0532 0130 00 (Ana)", is_iban));
/// assert!(is_among_words("from 2001:db8::1", is_ip_address) && !is_among_words("at 12:30", is_ip_address));
/// assert!(is_among_words("flu-12345678Z", is_spanish_dni) && is_among_words("{dni12345678Z}", is_spanish_dni));
/// assert!(!is_among_words("J45.0 asthma, stage 2", is_spanish_dni));
/// ```
pub fn is_among_words(text: &str, is_one: impl Fn(&str) -> bool) -> bool {
    if is_one(text) {
        return true;
    }
    // Internet addresses have colons of their own and national numbers hyphens, so that texts are taken apart with and without them.
    let is_between = |c: char| !c.is_alphanumeric() && !".-:".contains(c);
    let is_narrowly_between = |c: char| is_between(c) || c == ':';
    let is_anything = |c: char| !c.is_alphanumeric();
    let found = |words: Vec<&str>| {
        (0..words.len()).any(|start| {
            let numbers = words[start..].iter().take(MOST_WORDS).take_while(|word| has_digit(word)).count();
            (1..=numbers).any(|count| is_one(&words[start..start + count].join(" ")))
        })
    };
    let words = |is_between: &dyn Fn(char) -> bool| -> Vec<&str> {
        text.split(is_between).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty()).collect()
    };
    has_digit(text)
        && (found(words(&is_between))
            || found(words(&is_narrowly_between))
            || found(words(&is_anything).into_iter().map(without_label).collect()))
}

/// A word without the letters that say what its number is, as in `dni12345678Z`. An IBAN begins with two letters, a NIE with one.
fn without_label(word: &str) -> &str {
    const LEAST: usize = 3;
    let number = word.trim_start_matches(char::is_alphabetic);
    if word.chars().count() - number.chars().count() >= LEAST && !number.is_empty() { number } else { word }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
