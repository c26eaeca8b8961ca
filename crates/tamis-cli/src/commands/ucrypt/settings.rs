//! Numbers and names of settings on the command line, with a word about what is expected.

use tamis_ucrypt::cell::Binding;

/// How many holders, or bytes.
pub(super) fn whole_number(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "a whole number is expected")
}

/// What cells are bound to.
pub(super) fn binding(text: &str) -> Result<Binding, &'static str> {
    text.parse().map_err(|_| "rf (record and field), f (field) or n (nothing) is expected")
}

/// What tells a policy from every other one.
pub(super) fn fingerprint(text: &str) -> Result<String, &'static str> {
    let is_one = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_one { Ok(text.to_owned()) } else { Err("64 hexadecimal digits are expected, as `policy show` prints them") }
}
