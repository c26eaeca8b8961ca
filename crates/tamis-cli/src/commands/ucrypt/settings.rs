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
