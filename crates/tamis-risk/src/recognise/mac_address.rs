//! Addresses of network cards.

/// Whether a text is a MAC address (IEEE 802): six pairs of hexadecimal digits with colons or hyphens between them, or three groups of
/// four with dots.
///
/// ```
/// use tamis_risk::recognise::is_mac_address;
/// assert!(is_mac_address("00:1A:2b:3c:4d:5e") && is_mac_address("00-1a-2b-3c-4d-5e") && is_mac_address("001a.2b3c.4d5e"));
/// assert!(!is_mac_address("00:1a:2b:3c:4d") && !is_mac_address("12:30:45") && !is_mac_address("001a2b3c4d5e"));
/// ```
pub fn is_mac_address(text: &str) -> bool {
    let groups = |separator: char, count: usize, length: usize| {
        let groups: Vec<&str> = text.trim().split(separator).collect();
        groups.len() == count
            && groups.iter().all(|group| group.len() == length && group.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    groups(':', 6, 2) || groups('-', 6, 2) || groups('.', 3, 4)
}
