//! Whether there is memory for a long record.

use std::hint::black_box;

/// Records up to this length are treated without asking.
pub(crate) const SHORT: usize = 1 << 20;

/// How often a long record is in memory while it is treated, beside what was read: the value on its way into or out of its cell, the cell,
/// and what is written.
const COPIES: usize = 4;

/// Whether a record of so many bytes can be treated. A program that asks for memory and gets none is ended by its runtime, without a word
/// about the document; so long ones are tried for first. Memory that is not touched costs nothing but address space.
pub(crate) fn is_there_for(bytes: usize) -> bool {
    let mut tried: [Vec<u8>; COPIES] = Default::default();
    let is_there = tried.iter_mut().all(|copy| copy.try_reserve_exact(bytes - bytes / 8).is_ok());
    // What is never used could be optimized away, and then there would always be enough.
    black_box(&tried);
    is_there
}

#[cfg(test)]
mod tests {
    use super::is_there_for;

    #[test]
    fn more_than_any_machine_has_is_not_there() {
        assert!(is_there_for(1 << 20));
        assert!(!is_there_for(isize::MAX as usize));
        assert!(!is_there_for(1 << 60));
    }
}
