//! A schedule that can be changed step by step, and what each step would do to the vector.

use super::kinds::Kinds;
use crate::vector::AnonymityVector;
use std::cmp::Ordering;

/// People of one quasi-identifier in one slot.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) slot: usize,
    pub(super) people: u64,
    /// (kind, units of it) that bring these people.
    pub(super) units: Vec<(usize, u64)>,
}

/// So many units of a kind go from one slot to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) kind: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) units: u64,
}

/// A schedule under change. Rows are kept by slot, so looking a cell up is a binary search in the cells of one quasi-identifier.
#[derive(Debug, Clone)]
pub(super) struct Board<'a> {
    pub(super) kinds: &'a Kinds,
    /// The cells of each quasi-identifier, by slot.
    pub(super) rows: Vec<Vec<Cell>>,
    /// The quasi-identifiers with people in each slot, ascending.
    pub(super) columns: Vec<Vec<usize>>,
    pub(super) loads: Vec<u64>,
    /// The tallies of all slots, those of one slot side by side.
    pub(super) tallies: Vec<u64>,
}

/// What some moves would do. Kept between calls so that looking at a move allocates nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Preview {
    /// (size, change of the number of cells of that size), by size.
    pub(super) sizes: Vec<(u64, i64)>,
    cells: Vec<(usize, usize, i64)>,
    loads: Vec<(usize, i64)>,
    tallies: Vec<u64>,
}

impl Preview {
    /// Whether the vector gets smaller (better), stays or gets larger.
    pub(super) fn order(&self) -> Ordering {
        self.sizes.first().map_or(Ordering::Equal, |&(_, change)| change.cmp(&0))
    }

    /// Whether these changes lead to a smaller vector than others: the same start plus either.
    pub(super) fn is_better_than(&self, other: &[(u64, i64)]) -> bool {
        compare_changes(&self.sizes, other) == Ordering::Less
    }
}

/// The order of the vectors that two changes of one vector lead to.
pub(super) fn compare_changes(left: &[(u64, i64)], right: &[(u64, i64)]) -> Ordering {
    let different = left.iter().zip(right).find(|(left, right)| left != right);
    let rest = |longer: &[(u64, i64)], at: usize| longer.get(at).map_or(0, |&(_, change)| change);
    match different {
        Some((&(left, change), &(right, other))) => match left.cmp(&right) {
            Ordering::Less => change.cmp(&0),
            Ordering::Greater => 0.cmp(&other),
            Ordering::Equal => change.cmp(&other),
        },
        None => rest(left, right.len()).cmp(&rest(right, left.len())),
    }
}

impl<'a> Board<'a> {
    /// Nobody is placed yet.
    pub(super) fn empty(kinds: &'a Kinds) -> Self {
        let slots = kinds.capacities.len();
        Self {
            kinds,
            rows: vec![Vec::new(); kinds.quasi_ids],
            columns: vec![Vec::new(); slots],
            loads: vec![0; slots],
            tallies: vec![0; slots * kinds.tallies],
        }
    }

    /// The schedule in which each kind sends its units to these slots.
    pub(super) fn with(kinds: &'a Kinds, placed: &[Vec<(usize, u64)>]) -> Self {
        let mut board = Self::empty(kinds);
        for (kind, placements) in placed.iter().enumerate() {
            for &(slot, units) in placements {
                board.put(kind, slot, units);
            }
        }
        board
    }

    /// How many units each kind sends to its slots.
    pub(super) fn placed(&self) -> Vec<Vec<(usize, u64)>> {
        let mut placed = vec![Vec::new(); self.kinds.kinds.len()];
        for (quasi_id, row) in self.rows.iter().enumerate() {
            for cell in row {
                for &(kind, units) in &cell.units {
                    if self.kinds.kinds[kind].parts[0].0 == quasi_id {
                        placed[kind].push((cell.slot, units));
                    }
                }
            }
        }
        placed
    }

    pub(super) fn vector(&self) -> AnonymityVector {
        AnonymityVector::of_sizes(self.rows.iter().flatten().map(|cell| cell.people))
    }

    pub(super) fn cell(&self, quasi_id: usize, slot: usize) -> Option<&Cell> {
        let row = &self.rows[quasi_id];
        row.binary_search_by_key(&slot, |cell| cell.slot).ok().map(|at| &row[at])
    }

    pub(super) fn people(&self, quasi_id: usize, slot: usize) -> u64 {
        self.cell(quasi_id, slot).map_or(0, |cell| cell.people)
    }

    /// How many units of a kind are in a slot.
    pub(super) fn units(&self, kind: usize, slot: usize) -> u64 {
        let cell = self.cell(self.kinds.kinds[kind].parts[0].0, slot);
        let units = cell.and_then(|cell| cell.units.iter().find(|&&(other, _)| other == kind));
        units.map_or(0, |&(_, units)| units)
    }

    /// Places left in a slot.
    pub(super) fn room(&self, slot: usize) -> u64 {
        self.kinds.capacities[slot].saturating_sub(self.loads[slot])
    }

    fn tallies_of(&self, slot: usize) -> &[u64] {
        &self.tallies[slot * self.kinds.tallies..(slot + 1) * self.kinds.tallies]
    }

    /// How much is wrong with a slot.
    pub(super) fn trouble(&self, slot: usize) -> u64 {
        self.kinds.trouble(slot, self.loads[slot], self.tallies_of(slot))
    }

    pub(super) fn put(&mut self, kind: usize, slot: usize, units: u64) {
        if units == 0 {
            return;
        }
        let unit = &self.kinds.kinds[kind];
        for &(quasi_id, people) in &unit.parts {
            let row = &mut self.rows[quasi_id];
            let at = row.partition_point(|cell| cell.slot < slot);
            if row.get(at).is_none_or(|cell| cell.slot != slot) {
                row.insert(at, Cell { slot, people: 0, units: Vec::new() });
                let column = &mut self.columns[slot];
                column.insert(column.partition_point(|&other| other < quasi_id), quasi_id);
            }
            let cell = &mut row[at];
            cell.people += people * units;
            match cell.units.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, count)) => *count += units,
                None => cell.units.push((kind, units)),
            }
        }
        self.loads[slot] += unit.size * units;
        for &(tally, people) in &unit.values {
            self.tallies[slot * self.kinds.tallies + tally] += people * units;
        }
    }

    /// Takes units out of a slot that holds them.
    pub(super) fn remove(&mut self, kind: usize, slot: usize, units: u64) {
        let unit = &self.kinds.kinds[kind];
        for &(quasi_id, people) in &unit.parts {
            let row = &mut self.rows[quasi_id];
            let at = row.partition_point(|cell| cell.slot < slot);
            let cell = &mut row[at];
            cell.people -= people * units;
            if let Some(position) = cell.units.iter().position(|&(other, _)| other == kind) {
                cell.units[position].1 -= units;
                if cell.units[position].1 == 0 {
                    cell.units.remove(position);
                }
            }
            if cell.people == 0 {
                row.remove(at);
                let column = &mut self.columns[slot];
                column.remove(column.partition_point(|&other| other < quasi_id));
            }
        }
        self.loads[slot] -= unit.size * units;
        for &(tally, people) in &unit.values {
            self.tallies[slot * self.kinds.tallies + tally] -= people * units;
        }
    }

    pub(super) fn apply(&mut self, moves: &[Move]) {
        for step in moves {
            self.remove(step.kind, step.from, step.units);
        }
        for step in moves {
            self.put(step.kind, step.to, step.units);
        }
    }

    /// The cells that moves touched, as they are now: size, quasi-identifier and slot.
    pub(super) fn touched(&self, moves: &[Move]) -> impl Iterator<Item = (u64, usize, usize)> {
        moves.iter().flat_map(move |step| {
            self.kinds.kinds[step.kind].parts.iter().flat_map(move |&(row, _)| {
                let cells = [step.from, step.to].map(|slot| self.cell(row, slot));
                cells.into_iter().flatten().map(move |cell| (cell.people, row, cell.slot))
            })
        })
    }

    /// Works out what moves would do; whether they are possible: every slot touched keeps its capacity and the rules afterwards.
    /// Moves go to allowed slots only and take no person twice; who proposes them sees to that. Only families, who are found in
    /// several cells, are checked not to be taken more often than there are.
    pub(super) fn preview(&self, moves: &[Move], preview: &mut Preview) -> bool {
        if self.kinds.has_families && !self.are_there(moves) {
            return false;
        }
        preview.loads.clear();
        for step in moves {
            let people = (self.kinds.kinds[step.kind].size * step.units) as i64;
            add(&mut preview.loads, step.from, -people);
            add(&mut preview.loads, step.to, people);
        }
        for at in 0..preview.loads.len() {
            let (slot, change) = preview.loads[at];
            let load = self.loads[slot].saturating_add_signed(change);
            if load > self.kinds.capacities[slot] || !self.keeps_rules(slot, load, moves, &mut preview.tallies) {
                return false;
            }
        }
        self.preview_sizes(moves, preview);
        true
    }

    /// Whether the slots hold all units that leave them.
    fn are_there(&self, moves: &[Move]) -> bool {
        moves.iter().enumerate().all(|(number, step)| {
            let same = |other: &&Move| (other.kind, other.from) == (step.kind, step.from);
            let leaving: u64 = moves[..=number].iter().filter(same).map(|other| other.units).sum();
            leaving <= self.units(step.kind, step.from)
        })
    }

    /// Works out what moves would do to the vector, possible or not.
    pub(super) fn preview_sizes(&self, moves: &[Move], preview: &mut Preview) {
        preview.cells.clear();
        for step in moves {
            for &(quasi_id, people) in &self.kinds.kinds[step.kind].parts {
                let people = (people * step.units) as i64;
                add_cell(&mut preview.cells, quasi_id, step.from, -people);
                add_cell(&mut preview.cells, quasi_id, step.to, people);
            }
        }
        preview.sizes.clear();
        for at in 0..preview.cells.len() {
            let (quasi_id, slot, change) = preview.cells[at];
            let before = self.people(quasi_id, slot);
            let after = before.saturating_add_signed(change);
            if before != after {
                add_size(&mut preview.sizes, before, -1);
                add_size(&mut preview.sizes, after, 1);
            }
        }
        preview.sizes.retain(|&(_, change)| change != 0);
        preview.sizes.sort_unstable();
    }

    fn keeps_rules(&self, slot: usize, load: u64, moves: &[Move], tallies: &mut Vec<u64>) -> bool {
        if self.kinds.rules.is_empty() {
            return true;
        }
        self.tallies_after(slot, moves, tallies);
        self.kinds.rules.iter().all(|rule| rule.trouble(load, tallies) == 0)
    }

    fn tallies_after(&self, slot: usize, moves: &[Move], tallies: &mut Vec<u64>) {
        tallies.clear();
        tallies.extend_from_slice(self.tallies_of(slot));
        // Arrivals first, so that no tally is taken below zero on the way.
        for step in moves.iter().filter(|step| step.to == slot) {
            for &(tally, people) in &self.kinds.kinds[step.kind].values {
                tallies[tally] += people * step.units;
            }
        }
        for step in moves.iter().filter(|step| step.from == slot) {
            for &(tally, people) in &self.kinds.kinds[step.kind].values {
                tallies[tally] -= people * step.units;
            }
        }
    }

    /// How much would be wrong with a slot after moves.
    pub(super) fn trouble_after(&self, slot: usize, moves: &[Move], tallies: &mut Vec<u64>) -> u64 {
        self.tallies_after(slot, moves, tallies);
        let size = |step: &Move| self.kinds.kinds[step.kind].size * step.units;
        let arriving: u64 = moves.iter().filter(|step| step.to == slot).map(size).sum();
        let leaving: u64 = moves.iter().filter(|step| step.from == slot).map(size).sum();
        self.kinds.trouble(slot, self.loads[slot] + arriving - leaving, tallies)
    }

    /// Moves that take exactly so many people of a quasi-identifier from one slot to another, families as a whole; none if
    /// those who may go there do not add up to it. The moves are appended.
    pub(super) fn gather(&self, quasi_id: usize, from: usize, to: usize, people: u64, moves: &mut Vec<Move>) -> bool {
        let Some(cell) = self.cell(quasi_id, from) else { return false };
        let mut missing = people;
        let start = moves.len();
        for whole_families in [true, false] {
            for &(kind, units) in &cell.units {
                let unit = &self.kinds.kinds[kind];
                if unit.is_single() == whole_families || missing == 0 || !self.kinds.allows(kind, to) {
                    continue;
                }
                let each = unit.parts.iter().find(|part| part.0 == quasi_id).map_or(1, |part| part.1);
                let units = units.min(missing / each);
                if units > 0 {
                    moves.push(Move { kind, from, to, units });
                    missing -= units * each;
                }
            }
        }
        if missing > 0 {
            moves.truncate(start);
        }
        missing == 0
    }
}

fn add(sums: &mut Vec<(usize, i64)>, key: usize, change: i64) {
    match sums.iter_mut().find(|(other, _)| *other == key) {
        Some((_, sum)) => *sum += change,
        None => sums.push((key, change)),
    }
}

fn add_cell(sums: &mut Vec<(usize, usize, i64)>, quasi_id: usize, slot: usize, change: i64) {
    match sums.iter_mut().find(|(row, column, _)| (*row, *column) == (quasi_id, slot)) {
        Some((_, _, sum)) => *sum += change,
        None => sums.push((quasi_id, slot, change)),
    }
}

pub(super) fn add_size(sums: &mut Vec<(u64, i64)>, size: u64, change: i64) {
    if size > 0 {
        match sums.iter_mut().find(|(other, _)| *other == size) {
            Some((_, sum)) => *sum += change,
            None => sums.push((size, change)),
        }
    }
}
