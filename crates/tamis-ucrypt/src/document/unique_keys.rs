//! Noticing that two records have the same key.

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use std::hash::BuildHasher;

use crate::document::Place;
use crate::document::rows::Span;

/// Most keys that are remembered: their hashes take 18 MiB then.
const MOST: usize = 1_800_000;

/// Sets that the keys are spread over, evenly. Each grows for itself, so that little more memory is taken while one grows; none needs room for more than
/// 2^17 / 8 * 7 keys, as far as chance goes.
const SETS: usize = 16;

/// The key of a record, as far as it is needed to find it again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenKey {
    pub(crate) hash: u64,
    /// Where the record is, in whatever its reader counts.
    pub(crate) at: u32,
    /// Where its key stands, for messages.
    pub(crate) key: Span,
    /// Which of the keys of its table it is.
    pub(crate) group: usize,
}

impl SeenKey {
    /// The same, so many bytes further on.
    pub(crate) fn shift(&mut self, bytes: u32) {
        self.at += bytes;
        self.key = Span { start: self.key.start + bytes, end: self.key.end + bytes };
    }
}

/// How far keys were compared with one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compared {
    /// Every one with every other, or nobody asked.
    #[default]
    All,
    /// The first so many with each other and with all that follow.
    First(u64),
}

/// The keys seen so far.
///
/// Keys are compared by hashes of 64 bits with a random seed. Among two million of them, two different ones look the same with a
/// probability of one in ten million.
#[derive(Debug, Default)]
pub(crate) struct UniqueKeys {
    sets: [HashSet<u64, PassThrough>; SETS],
    count: usize,
    more: bool,
}

/// Hashes keys, with a seed that nobody can guess.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyHasher(RandomState);

impl KeyHasher {
    pub(crate) fn hash(&self, table: &str, record: &str) -> u64 {
        self.0.hash_one((table, record))
    }

    pub(crate) fn hash_place(&self, place: Place<'_>) -> u64 {
        self.0.hash_one((place.table, place.record, place.field))
    }
}

impl UniqueKeys {
    /// Remembers a key. Returns whether it was new.
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        // The sets themselves go by the first and the last bits.
        let set = &mut self.sets[(key >> 40) as usize % SETS];
        if self.count < MOST {
            let is_new = set.insert(key);
            self.count += usize::from(is_new);
            return is_new;
        }
        self.more = true;
        !set.contains(&key)
    }

    /// How far the keys were compared.
    pub(crate) fn compared(&self) -> Compared {
        if self.more { Compared::First(MOST as u64) } else { Compared::All }
    }
}

type PassThrough = std::hash::BuildHasherDefault<Identity>;

/// Hashes are their own hashes.
#[derive(Debug, Default)]
pub(crate) struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::{Compared, KeyHasher, UniqueKeys};

    #[test]
    fn a_key_is_new_once_per_table() {
        let hasher = KeyHasher::default();
        let mut keys = UniqueKeys::default();
        assert!(keys.insert(hasher.hash("T", "5")));
        assert!(keys.insert(hasher.hash("U", "5")));
        assert!(!keys.insert(hasher.hash("T", "5")));
        assert_eq!(keys.compared(), Compared::All);
    }
}
