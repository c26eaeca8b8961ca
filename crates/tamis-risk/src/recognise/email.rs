//! E-mail addresses.

/// Whether a text is an e-mail address: something without blanks, one `@`, and a domain with a dot and a letter at its end.
///
/// ```
/// use tamis_risk::recognise::is_email;
/// assert!(is_email("ana.perez+lab@uct.example.cl"));
/// assert!(!is_email("@home") && !is_email("a@b") && !is_email("ana at uct.cl") && !is_email("a@b@c.de"));
/// ```
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.trim().split_once('@') else { return false };
    let is_local = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-') && !label.starts_with('-')
    };
    !local.is_empty()
        && local.chars().all(is_local)
        && domain.contains('.')
        && domain.split('.').all(is_label)
        && domain.chars().last().is_some_and(char::is_alphabetic)
}
