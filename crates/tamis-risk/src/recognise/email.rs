//! E-mail addresses.

/// Whether a text is an e-mail address: something without blanks, one `@`, and a domain with a dot and a letter at its end, or a machine
/// of its own network such as `localhost`.
///
/// ```
/// use tamis_risk::recognise::is_email;
/// assert!(is_email("ana.perez+lab@uct.example.cl") && is_email("ana@localhost"));
/// assert!(!is_email("@home") && !is_email("a@b") && !is_email("ana at uct.cl") && !is_email("a@b@c.de"));
/// ```
pub fn is_email(text: &str) -> bool {
    /// A machine's name is hardly shorter; `3@5` and `a@b` are something else.
    const LEAST_MACHINE: usize = 4;
    let Some((local, domain)) = text.trim().split_once('@') else { return false };
    let is_local = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-') && !label.starts_with('-')
    };
    let is_machine = domain.len() >= LEAST_MACHINE && domain.starts_with(char::is_alphabetic);
    let is_domain = domain.contains('.') && domain.chars().last().is_some_and(char::is_alphabetic);
    !local.is_empty() && local.chars().all(is_local) && domain.split('.').all(is_label) && (is_domain || is_machine)
}

/// Whether an e-mail address stands in a text, alone, in a list, in brackets or among words; `(at)` is an `@`.
///
/// ```
/// use tamis_risk::recognise::has_email;
/// assert!(has_email("a@x.org; b@x.org") && has_email("mailto:a@x.org") && has_email("Ana <a@x.org>") && has_email("a (at) x.org"));
/// assert!(!has_email("meet @ noon") && !has_email("3 kg @ 5.20 a piece"));
/// ```
pub fn has_email(text: &str) -> bool {
    if is_email(text) {
        return true;
    }
    let mut plain = text.to_lowercase();
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
        for (word, sign) in [("at", "@"), ("dot", ".")] {
            for blank in [" ", ""] {
                plain = plain.replace(&format!("{blank}{open}{word}{close}{blank}"), sign);
            }
        }
    }
    let is_between = |c: char| c.is_whitespace() || ",;:<>()[]\"'|/\\".contains(c);
    plain.contains('@') && plain.split(is_between).any(|piece| is_email(piece.trim_end_matches(['.', '!', '?'])))
}
