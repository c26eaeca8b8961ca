//! Memory for long records and values.

use std::hint::black_box;
use std::io;

/// Records up to this length are treated without asking.
pub(crate) const SHORT: usize = 1 << 20;

/// Values that are longer get exactly the memory they need.
pub(crate) const LONG: usize = 64 << 10;

/// How much room to make at once where a value is written and something follows it: nothing for a short value, and enough for a long one and
/// what follows, since growing by doubling would take twice its memory.
pub(crate) fn to_write(value: usize, rest: usize) -> usize {
    if value > LONG { value + rest + LONG } else { 0 }
}

/// What must be left for everything else while a long record is read.
const LEFT: usize = 4 << 20;

/// Makes room for so many bytes more of a document, if there is memory.
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) -> io::Result<()> {
    bytes.try_reserve_exact(more)?;
    if bytes.capacity() > SHORT {
        let mut tried: Vec<u8> = Vec::new();
        tried.try_reserve_exact(LEFT)?;
        black_box(&tried);
    }
    Ok(())
}

/// Whether a record of so many bytes can be treated. A program that asks for memory and gets none is ended by its runtime, without a word
/// about the document; so long ones are tried for first. Memory that is not touched costs nothing but address space.
pub(crate) fn is_there_for(bytes: usize) -> bool {
    // Beside what was read, most is taken where a value is sealed, for its cell and what is written, a third longer than the value each.
    // Opening takes a little less, for a cell, its bytes and the value, which are three quarters of it.
    let third = bytes / 3 + 1;
    let mut tried: [Vec<u8>; 8] = Default::default();
    let is_there = tried.iter_mut().all(|part| part.try_reserve_exact(third).is_ok());
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
