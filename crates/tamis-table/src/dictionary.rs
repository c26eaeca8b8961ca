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
    // Holds codes; the texts they stand for are compared in the dictionary.
    index: HashTable<u32>,
    hasher: FixedState,
}

impl Interner {
    /// The code of `text`, a new one if it was not seen before; `None` when 32 bits cannot count the texts.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Option<u32> {
        let Self { dictionary, index, hasher } = self;
        let hash = hash_bytes(hasher, text.as_bytes());
        if let Some(code) = index.find(hash, |&code| dictionary.bytes(code) == text.as_bytes()) {
            return Some(*code);
        }
        let code = u32::try_from(dictionary.ends.len()).ok().filter(|&code| code < u32::MAX)?;
        let end = u32::try_from(dictionary.text.len() + text.len()).ok()?;
        dictionary.text.push_str(text);
        dictionary.ends.push(end);
        index.insert_unique(hash, code, |&code| hash_bytes(hasher, dictionary.bytes(code)));
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
        self.index.find(hash, |&code| self.dictionary.bytes(code) == bytes).copied()
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
fn hash_bytes(hasher: &FixedState, bytes: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(bytes);
    state.finish()
}
