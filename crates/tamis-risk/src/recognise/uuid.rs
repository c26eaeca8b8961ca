//! Universally unique identifiers.

/// Whether a text is a UUID (RFC 9562) as it is written: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
///
/// ```
/// use tamis_risk::recognise::is_uuid;
/// assert!(is_uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6") && is_uuid("{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}"));
/// assert!(!is_uuid("f81d4fae-7dec-11d0-a765") && !is_uuid("f81d4fae7dec11d0a76500a0c91e6bf6"));
/// ```
pub fn is_uuid(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let is_group = |group: &str, length: usize| group.len() == length && group.bytes().all(|b| b.is_ascii_hexdigit());
    let groups: Vec<&str> = text.split('-').collect();
    groups.len() == 5 && groups.iter().zip([8, 4, 4, 4, 12]).all(|(group, length)| is_group(group, length))
}
