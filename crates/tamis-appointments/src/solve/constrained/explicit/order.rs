//! What is known about the slots of a search before it begins.

use super::columns::Columns;
use super::model::Model;

pub(super) struct Order {
    pub(super) slots: Vec<SlotOrder>,
}

pub(super) struct SlotOrder {
    /// For every kind of the slot, in its order, how many rows are settled once it is decided.
    settled: Vec<usize>,
    /// Whether the kind has no slot after this one.
    pub(super) last_chance: Vec<bool>,
    /// The kinds of the same makeup whose slots to come are among this kind's: exchanging a unit of theirs that comes later with
    /// one of this kind that comes here changes nothing, so they come first.
    pub(super) before: Vec<Vec<usize>>,
    /// Kinds that only have slots like this one left, in the slot's order. As slots alike can be exchanged, the first of them
    /// that is left may be taken to come here.
    pub(super) exchangeable: Vec<usize>,
    /// Kinds that are neither placed nor untouched for certain before this slot.
    pub(super) open: Vec<usize>,
    /// Of each share rule how many counted people the slots after this one can take.
    pub(super) shares_after: Vec<u64>,
}

impl Order {
    pub(super) fn new(model: &Model, columns: &Columns) -> Self {
        Self { slots: (0..model.slots.len()).map(|slot| SlotOrder::new(model, columns, slot)).collect() }
    }
}

impl SlotOrder {
    fn new(model: &Model, columns: &Columns, slot: usize) -> Self {
        let kinds = &model.slots[slot].kinds;
        let settled = (0..kinds.len()).map(|place| {
            let later = |row: &usize| {
                kinds[place + 1..].iter().any(|&kind| model.kinds[kind].members.iter().any(|(of, _)| of == row))
            };
            columns.slots[slot].rows.iter().filter(|row| !later(row)).count()
        });
        let goes_before = |earlier: usize, later: usize| {
            let (earlier, later) = (&model.kinds[earlier], &model.kinds[later]);
            earlier.makeup == later.makeup && earlier.is_left_within(later, slot)
        };
        let before = (0..kinds.len()).map(|place| {
            kinds[..place].iter().copied().filter(|&earlier| goes_before(earlier, kinds[place])).collect()
        });
        let alike = slots_alike(model, slot);
        let has_only_these = |&kind: &usize| !model.kinds[kind].allowed[slot + alike..].contains(&true);
        let shares_after = model.rules.shares.iter().map(|share| {
            model.slots[slot + 1..]
                .iter()
                .map(|slot| u64::from(share.of(slot.capacity).saturating_sub(slot.tally[share.counter])))
                .sum()
        });
        let is_open = |kind: &usize| {
            let allowed = &model.kinds[*kind].allowed;
            allowed[..slot].contains(&true) && allowed[slot..].contains(&true)
        };
        Self {
            settled: settled.collect(),
            last_chance: kinds.iter().map(|&kind| model.kinds[kind].left_after(slot) == 0).collect(),
            before: before.collect(),
            exchangeable: if alike > 1 { kinds.iter().copied().filter(has_only_these).collect() } else { Vec::new() },
            open: (0..model.kinds.len()).filter(is_open).collect(),
            shares_after: shares_after.collect(),
        }
    }

    /// The rows, as places in the column's order, that are settled by deciding about the kind at a place.
    pub(super) fn settled(&self, place: usize) -> (usize, usize) {
        (if place == 0 { 0 } else { self.settled[place - 1] }, self.settled[place])
    }
}

/// How many slots from this one on are alike: the same places, people and kinds.
fn slots_alike(model: &Model, slot: usize) -> usize {
    let first = &model.slots[slot];
    let is_alike = |at: &usize| {
        let other = &model.slots[*at];
        (other.capacity, other.free) == (first.capacity, first.free)
            && (&other.fixed, &other.tally) == (&first.fixed, &first.tally)
            && model.kinds.iter().all(|kind| kind.allowed[*at] == kind.allowed[slot])
    };
    (slot..model.slots.len()).take_while(is_alike).count()
}
