//! Situations that led nowhere.

use std::collections::HashMap;

/// For every slot and every number of units left of every kind: from how many small cells on no schedule was found.
///
/// The number of cells spent so far is one number that orders as the vectors do. If a situation led nowhere after spending so
/// much, it leads nowhere after spending more, because the order of vectors does not change when the same vector is added.
pub(super) struct Memory {
    slots: Vec<HashMap<Box<[u8]>, u128>>,
    bytes_left: usize,
}

const MOST_BYTES: usize = 192 << 20;
const BYTES_PER_ENTRY: usize = 64;

impl Memory {
    pub(super) fn new(slots: usize) -> Self {
        Self { slots: vec![HashMap::new(); slots], bytes_left: MOST_BYTES }
    }

    /// Whether this is known to lead nowhere.
    pub(super) fn is_hopeless(&self, slot: usize, situation: &[u8], spent: u128) -> bool {
        self.slots[slot].get(situation).is_some_and(|&hopeless| spent >= hopeless)
    }

    /// Remembers that this led nowhere; forgets it where there is no room left.
    pub(super) fn note(&mut self, slot: usize, situation: &[u8], spent: u128) {
        if let Some(hopeless) = self.slots[slot].get_mut(situation) {
            *hopeless = spent.min(*hopeless);
        } else if let Some(left) = self.bytes_left.checked_sub(situation.len() + BYTES_PER_ENTRY) {
            self.bytes_left = left;
            self.slots[slot].insert(situation.into(), spent);
        }
    }
}
