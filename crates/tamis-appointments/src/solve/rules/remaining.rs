//! What the slots can still take.

use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// A slot and how many people it can still take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) slot: usize,
    pub(super) places: u64,
}

/// The slots that still have places, by how many. Finding and changing one takes time logarithmic in the number of
/// different capacities, however many slots share them.
pub(super) struct Remaining {
    slots_of: BTreeMap<u64, Vec<usize>>,
}

impl Remaining {
    /// All slots empty; the dice decide which of several equal ones is taken first.
    pub(super) fn new(capacities: &[u64], dice: &mut impl Rng) -> Self {
        let mut order: Vec<usize> = (0..capacities.len()).collect();
        order.shuffle(dice);
        let mut remaining = Self { slots_of: BTreeMap::new() };
        for slot in order {
            remaining.put(Room { slot, places: capacities[slot] });
        }
        remaining
    }

    /// Gives a slot back with what is left of it; full slots are forgotten.
    pub(super) fn put(&mut self, room: Room) {
        if room.places > 0 {
            self.slots_of.entry(room.places).or_default().push(room.slot);
        }
    }

    /// Takes a slot with exactly so many places.
    pub(super) fn take_exactly(&mut self, places: u64) -> Option<Room> {
        let slots = self.slots_of.get_mut(&places)?;
        let slot = slots.pop()?;
        if slots.is_empty() {
            self.slots_of.remove(&places);
        }
        Some(Room { slot, places })
    }

    /// Takes a slot with the most places.
    pub(super) fn take_largest(&mut self) -> Option<Room> {
        self.take_exactly(self.largest()?)
    }

    /// Takes a slot with the fewest places.
    pub(super) fn take_smallest(&mut self) -> Option<Room> {
        let places = *self.slots_of.first_key_value()?.0;
        self.take_exactly(places)
    }

    /// Takes the slot with the most places among those with at most so many.
    pub(super) fn take_at_most(&mut self, places: u64) -> Option<Room> {
        let places = *self.slots_of.range(..=places).next_back()?.0;
        self.take_exactly(places)
    }

    /// The most places a slot has.
    pub(super) fn largest(&self) -> Option<u64> {
        self.slots_of.last_key_value().map(|(&places, _)| places)
    }
}
