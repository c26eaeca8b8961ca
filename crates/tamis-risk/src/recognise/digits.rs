//! Numbers that are written in groups.

/// The digits of a text of nothing but digits and the given separators; none if anything else is in it.
pub(super) fn digits_between(text: &str, separators: &[char]) -> Option<Vec<u32>> {
    text.trim().chars().filter(|c| !separators.contains(c)).map(|c| c.to_digit(10)).collect()
}
