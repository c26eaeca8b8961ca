//! Looking for a schedule that meets a target: slot by slot, kind by kind.

use super::budget::Budget;
use super::columns::{Columns, Fillings};
use super::costs::{Costs, IMPOSSIBLE, Target};
use super::effort::Effort;
use super::halls::Halls;
use super::memory::Memory;
use super::model::Model;
use super::order::Order;
use super::rows::Rows;

/// What came of a search.
pub(super) enum Found {
    /// The units of each kind in each slot.
    Units(Vec<Vec<u32>>),
    /// There is none.
    Nothing,
    /// There may be one.
    Stopped,
}

/// A depth-first search. Everything about the slots before the present one is summed up in what is left; a situation that led
/// nowhere is remembered.
pub(super) struct Search<'m> {
    model: &'m Model,
    rows: &'m Rows,
    columns: &'m Columns,
    order: &'m Order,
    halls: &'m Halls,
    costs: &'m Costs,
    limit: i64,
    tables: Vec<Vec<i64>>,
    fillings: Fillings,
    memory: Memory,
    situation: Vec<u8>,

    budget: Budget,
    decisions: Vec<Decision>,
    /// What cells cost so far, and what the rows cost at least from here on.
    cost: i64,
    units_left: Vec<u32>,
    people_left: u32,
    people_of_set: Vec<u32>,
    tally_left: Vec<u32>,
    states: Vec<usize>,
    here: Vec<Here>,
}

/// So many units of one kind come to a slot.
#[derive(Clone, Copy)]
struct Decision {
    slot: usize,
    place: usize,
    units: u32,
    least: u32,
    /// How many rows were settled by it.
    settled: usize,
    cost_before: i64,
}

/// What a slot holds so far, beyond those placed in any case.
#[derive(Clone)]
struct Here {
    units: Vec<u32>,
    people: Vec<u32>,
    tally: Vec<u32>,
    places: u32,
    /// The places that would be left if only the people of settled rows had come: a row that is not settled yet may have some of
    /// its people here, but the bound of the column still speaks of all of them.
    places_after_settled: u32,
    people_left_before: u32,
    states_before: Vec<usize>,
    /// The kind of which at least one unit comes, because slots alike can be exchanged.
    certain_kind: Option<usize>,
}

impl<'m> Search<'m> {
    pub(super) fn new(
        model: &'m Model,
        rows: &'m Rows,
        columns: &'m Columns,
        order: &'m Order,
        halls: &'m Halls,
        costs: &'m Costs,
        target: &Target,
    ) -> Self {
        let tables = rows.cheapest(costs);
        let mut people_of_set = vec![0; halls.sets];
        let mut tally_left = vec![0; model.rules.counters()];
        for (kind, &set) in model.kinds.iter().zip(&halls.set_of) {
            people_of_set[set] += kind.count * kind.size;
            for &(counter, people) in &kind.tally {
                tally_left[counter] += people * kind.count;
            }
        }
        let here = model.slots.iter().map(|slot| Here {
            units: vec![0; model.kinds.len()],
            people: vec![0; model.rows],
            tally: slot.tally.clone(),
            places: slot.free,
            places_after_settled: slot.free,
            people_left_before: 0,
            states_before: Vec::new(),
            certain_kind: None,
        });
        Self {
            cost: tables.iter().zip(&rows.rows).map(|(table, row)| table[row.start]).sum(),
            limit: costs.limit(target),
            fillings: columns.fillings(costs),
            memory: Memory::new(model.slots.len()),
            situation: Vec::new(),
            budget: Budget::new(target),
            decisions: Vec::new(),
            units_left: model.kinds.iter().map(|kind| kind.count).collect(),
            people_left: model.people,
            people_of_set,
            tally_left,
            states: rows.rows.iter().map(|row| row.start).collect(),
            here: here.collect(),
            model,
            rows,
            columns,
            order,
            halls,
            costs,
            tables,
        }
    }

    /// Searches everything.
    pub(super) fn run(mut self, effort: &mut Effort) -> Found {
        if self.cost >= IMPOSSIBLE / 2 || !self.count_cells_without_choice() || !self.enter(0) {
            return Found::Nothing;
        }
        let (mut slot, mut place) = (0, 0);
        loop {
            if effort.step() {
                return Found::Stopped;
            }
            let goes_on = match self.model.slots[slot].kinds.get(place) {
                Some(&kind) => {
                    let (least, most) = self.range(slot, place, kind);
                    least <= most && {
                        let decision = Decision { slot, place, units: most, least, settled: 0, cost_before: self.cost };
                        self.decisions.push(decision);
                        self.take()
                    }
                }
                None if !self.leave(slot) => false,
                None if slot + 1 == self.model.slots.len() => {
                    return Found::Units(self.here.into_iter().map(|here| here.units).collect());
                }
                None => {
                    (slot, place) = (slot + 1, 0);
                    if self.enter(slot) {
                        continue;
                    }
                    false
                }
            };
            if goes_on || self.change_last_decision(effort) {
                let Some(last) = self.decisions.last() else { return Found::Nothing };
                (slot, place) = (last.slot, last.place + 1);
            } else {
                return if effort.is_over() { Found::Stopped } else { Found::Nothing };
            }
        }
    }

    /// Cells to which nobody can come count from the start.
    fn count_cells_without_choice(&mut self) -> bool {
        let mut is_within = true;
        for slot in 0..self.model.slots.len() {
            for row in (0..self.model.rows).filter(|row| !self.columns.slots[slot].rows.contains(row)) {
                is_within &= self.budget.add(self.costs.size(slot, row, 0));
            }
        }
        is_within
    }

    /// Undoes decisions from the last on until one can be changed, and changes it; false if none can.
    fn change_last_decision(&mut self, effort: &mut Effort) -> bool {
        while let Some(&decision) = self.decisions.last() {
            self.undo();
            if decision.units > decision.least {
                if effort.step() {
                    return false;
                }
                if let Some(last) = self.decisions.last_mut() {
                    *last = Decision { units: decision.units - 1, settled: 0, ..decision };
                }
                if self.take() {
                    return true;
                }
            } else {
                self.decisions.pop();
                if decision.place == 0 {
                    self.note_hopeless(decision.slot);
                }
            }
        }
        false
    }

    /// The fewest and the most units of a kind that can come, given the kinds before it.
    fn range(&self, slot: usize, place: usize, kind: usize) -> (u32, u32) {
        let left = self.units_left[kind];
        let of_slot = &self.order.slots[slot];
        let must_come = if of_slot.last_chance[place] { left } else { 0 };
        let least = must_come.max(u32::from(self.here[slot].certain_kind == Some(kind)));
        let is_kept_back = of_slot.before[place].iter().any(|&before| self.units_left[before] > 0);
        let most = if is_kept_back { 0 } else { left.min(self.here[slot].places / self.model.kinds[kind].size) };
        (least, most)
    }

    /// Carries the last decision out; false if nothing can come of it.
    fn take(&mut self) -> bool {
        let Some(&Decision { slot, place, units, .. }) = self.decisions.last() else { return false };
        self.shift(slot, place, units, true);
        let rules = &self.model.rules;
        if units > 0 && !rules.could_hold(&self.here[slot].tally, self.model.slots[slot].capacity) {
            return false;
        }
        let (from, to) = self.order.slots[slot].settled(place);
        for at in from..to {
            let row = self.columns.slots[slot].rows[at];
            let size = self.costs.size(slot, row, self.here[slot].people[row]);
            let states = self.rows.rows[row].states;
            let before = self.tables[row][slot * states + self.here[slot].states_before[row]];
            let after = self.tables[row][(slot + 1) * states + self.states[row]];
            self.here[slot].places_after_settled -= self.here[slot].people[row];
            if let Some(last) = self.decisions.last_mut() {
                last.settled += 1;
            }
            if !self.budget.add(size) || after >= IMPOSSIBLE / 2 {
                return false;
            }
            self.cost += self.costs.weight(size) + after - before;
        }
        from == to || {
            let here = &self.here[slot];
            self.cost + self.fillings.rest(slot, to, here.places_after_settled, here.people_left_before) <= self.limit
        }
    }

    /// Takes the last decision back.
    fn undo(&mut self) {
        let Some(&Decision { slot, place, units, settled, cost_before, .. }) = self.decisions.last() else { return };
        let (from, _) = self.order.slots[slot].settled(place);
        for at in from..from + settled {
            let row = self.columns.slots[slot].rows[at];
            self.here[slot].places_after_settled += self.here[slot].people[row];
            self.budget.remove(self.costs.size(slot, row, self.here[slot].people[row]));
        }
        self.cost = cost_before;
        self.shift(slot, place, units, false);
    }

    /// Brings units into a slot, or takes them out.
    fn shift(&mut self, slot: usize, place: usize, units: u32, into: bool) {
        if units == 0 {
            return;
        }
        let number = self.model.slots[slot].kinds[place];
        let kind = &self.model.kinds[number];
        let here = &mut self.here[slot];
        let people = units * kind.size;
        let (into_slot, out_of_rest) = if into { (units, 0) } else { (0, units) };
        here.units[number] = here.units[number] + into_slot - out_of_rest;
        self.units_left[number] = self.units_left[number] + out_of_rest - into_slot;
        let change = |value: &mut u32, by: u32, grows: bool| *value = if grows { *value + by } else { *value - by };
        change(&mut here.places, people, !into);
        change(&mut self.people_left, people, !into);
        change(&mut self.people_of_set[self.halls.set_of[number]], people, !into);
        for (&(row, members), &step) in kind.members.iter().zip(&self.rows.steps[number]) {
            change(&mut here.people[row], members * units, into);
            let steps = step * units as usize;
            self.states[row] = if into { self.states[row] - steps } else { self.states[row] + steps };
        }
        for &(counter, counted) in &kind.tally {
            change(&mut here.tally[counter], counted * units, into);
            change(&mut self.tally_left[counter], counted * units, !into);
        }
    }

    /// Begins a slot; false if nothing can come of what is left.
    fn enter(&mut self, slot: usize) -> bool {
        if !self.halls.have_room(slot, &self.people_of_set) {
            return false;
        }
        let here = &self.here[slot];
        if self.cost + self.fillings.rest(slot, 0, here.places, self.people_left) > self.limit {
            return false;
        }
        if let Some(spent) = self.budget.spent() {
            self.describe_situation(slot);
            if self.memory.is_hopeless(slot, &self.situation, spent) {
                return false;
            }
        }
        let certain_kind = self.order.slots[slot].exchangeable.iter().copied().find(|&kind| self.units_left[kind] > 0);
        let here = &mut self.here[slot];
        here.certain_kind = certain_kind;
        here.people_left_before = self.people_left;
        here.states_before.clone_from(&self.states);
        true
    }

    /// Ends a slot; false if it breaks a rule or leaves too many for the shares of the slots to come.
    fn leave(&self, slot: usize) -> bool {
        let people = self.model.slots[slot].capacity - self.here[slot].places;
        self.model.rules.hold(&self.here[slot].tally, people)
            && self
                .model
                .rules
                .shares
                .iter()
                .zip(&self.order.slots[slot].shares_after)
                .all(|(share, &places)| u64::from(self.tally_left[share.counter]) <= places)
    }

    fn note_hopeless(&mut self, slot: usize) {
        if let Some(spent) = self.budget.spent() {
            self.describe_situation(slot);
            self.memory.note(slot, &self.situation, spent);
        }
    }

    /// The units left of every kind, two bytes each.
    fn describe_situation(&mut self, slot: usize) {
        self.situation.clear();
        for &kind in &self.order.slots[slot].open {
            self.situation.extend_from_slice(&(self.units_left[kind] as u16).to_le_bytes());
        }
    }
}
