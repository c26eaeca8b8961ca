//! Web addresses.

/// Whether a text is a web address: a scheme and a host, or a host that starts with `www.`.
///
/// ```
/// use tamis_risk::recognise::is_url;
/// assert!(is_url("https://example.org/people/7") && is_url("www.example.org"));
/// assert!(!is_url("example.org") && !is_url("http://") && !is_url("see http://a.b c"));
/// ```
pub fn is_url(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let host = ["http://", "https://", "ftp://"].into_iter().find_map(|scheme| lower.strip_prefix(scheme));
    let host = host.or_else(|| lower.starts_with("www.").then_some(lower.as_str()));
    !text.contains(char::is_whitespace)
        && host.is_some_and(|host| {
            let name = host.split(['/', '?', '#']).next().unwrap_or_default();
            name.len() > 4 && name.contains('.') && !name.ends_with('.')
        })
}

/// Whether a web address stands in a text, alone, in a list, in brackets or among words.
///
/// ```
/// use tamis_risk::recognise::has_url;
/// assert!(has_url("see <https://example.org/ana>.") && has_url("www.example.org, www.example.com"));
/// assert!(!has_url("example.org or so"));
/// ```
pub fn has_url(text: &str) -> bool {
    let is_between = |c: char| c.is_whitespace() || ",;<>()[]\"'|".contains(c);
    is_url(text) || text.split(is_between).any(|word| is_url(word.trim_end_matches(['.', '!', '?'])))
}
