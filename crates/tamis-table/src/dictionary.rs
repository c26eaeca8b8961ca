//! Distinct texts, each stored once, addressed by their code.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// The distinct texts of a column or of a hierarchy level, in order of first appearance.
///
/// All texts lie end to end in one string, so a dictionary of a million values is two allocations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary {
    text: String,
    ends: Vec<u32>,
}

impl Dictionary {
    /// Number of distinct texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text with this code. Panics if the dictionary has no such code.
    pub fn text(&self, code: u32) -> &str {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] as usize };
        &self.text[start..self.ends[code] as usize]
    }

    // Comparing bytes spares the check for character boundaries that slicing a `str` makes.
    #[inline]
    pub(crate) fn bytes(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] as usize };
        &self.text.as_bytes()[start..self.ends[code] as usize]
    }

    /// All texts in code order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.ends.len()).map(|code| self.text(code as u32))
    }
}

/// A dictionary that is still growing: finds the code of a text or gives it the next one.
///
/// ```
/// use tamis_table::Interner;
/// let mut interner = Interner::default();
/// assert_eq!(interner.intern("Male"), Some(0));
/// assert_eq!(interner.intern("Female"), Some(1));
/// assert_eq!(interner.intern("Male"), Some(0));
/// assert_eq!(interner.find("Other"), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interner {
    dictionary: Dictionary,
    index: HashTable<Slot>,
    hasher: FixedState,
}

/// Finds a text by its hash; keeping the hash spares most looks at texts, which lie anywhere in memory.
#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    code: u32,
}

impl Interner {
    /// The code of `text`, a new one if it was not seen before; `None` when 32 bits cannot count the texts.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Option<u32> {
        let Self { dictionary, index, hasher } = self;
        let (hash, bytes) = (hash_bytes(hasher, text.as_bytes()), text.as_bytes());
        if let Some(slot) = index.find(spread(hash), |slot| slot.hash == hash && dictionary.bytes(slot.code) == bytes) {
            return Some(slot.code);
        }
        let code = u32::try_from(dictionary.ends.len()).ok().filter(|&code| code < u32::MAX)?;
        let end = u32::try_from(dictionary.text.len() + text.len()).ok()?;
        dictionary.text.push_str(text);
        dictionary.ends.push(end);
        index.insert_unique(spread(hash), Slot { hash, code }, |slot| spread(slot.hash));
        Some(code)
    }

    /// The code of `text` if it was interned before.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.find_bytes(text.as_bytes())
    }

    /// The code of the text with these bytes if it was interned before; a hit proves that the bytes are UTF-8.
    #[inline]
    pub fn find_bytes(&self, bytes: &[u8]) -> Option<u32> {
        let hash = hash_bytes(&self.hasher, bytes);
        let same = |slot: &Slot| slot.hash == hash && self.dictionary.bytes(slot.code) == bytes;
        self.index.find(spread(hash), same).map(|slot| slot.code)
    }

    /// The texts so far.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Forgets the index and keeps the texts.
    pub fn finish(self) -> Dictionary {
        let mut dictionary = self.dictionary;
        dictionary.text.shrink_to_fit();
        dictionary.ends.shrink_to_fit();
        dictionary
    }
}

#[inline]
fn hash_bytes(hasher: &FixedState, bytes: &[u8]) -> u32 {
    let mut state = hasher.build_hasher();
    state.write(bytes);
    let hash = state.finish();
    (hash ^ (hash >> 32)) as u32
}

/// The table takes its place from the low bits and its tag from the high ones.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
