//! Internet addresses.

/// Whether a text is an IPv4 or IPv6 address.
///
/// ```
/// use tamis_risk::recognise::is_ip_address;
/// assert!(is_ip_address("192.168.0.17") && is_ip_address("2001:db8::1"));
/// assert!(!is_ip_address("192.168.0.256") && !is_ip_address("1.2.3") && !is_ip_address("12:30"));
/// ```
pub fn is_ip_address(text: &str) -> bool {
    text.trim().parse::<std::net::IpAddr>().is_ok()
}
