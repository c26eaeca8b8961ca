//! Where the search goes on.

/// So many units of one kind come to a slot.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) slot: usize,
    pub(super) place: usize,
    pub(super) units: u32,
    pub(super) least: u32,
    /// How many rows were settled by it.
    pub(super) settled: usize,
    pub(super) cost_before: i64,
}

/// A situation before a slot and the ways on that are still to be tried.
pub(super) struct Branching {
    pub(super) slot: usize,
    pub(super) ways: Vec<Way>,
    /// The decisions about the slot at which the search for ways was left, to go on after those found are tried.
    pub(super) left_at: Option<Box<[Decision]>>,
    pub(super) is_complete: bool,
}

/// A way to fill a slot, and what the whole costs at least then.
pub(super) struct Way {
    pub(super) cost: i64,
    pub(super) decisions: Box<[Decision]>,
}

/// So many ways are found, ordered and tried before the next are looked for.
pub(super) const WAYS_AT_A_TIME: usize = 4096;

impl Branching {
    pub(super) fn new(slot: usize) -> Self {
        Self { slot, ways: Vec::new(), left_at: None, is_complete: false }
    }
}
