//! Annealing for families: units move one by one on a dense table while the heat sinks below one size of cells after the other.
//!
//! A family is in several cells, so whom it leaves behind and whom it joins differ from member to member, and hardly any change of
//! one cell betters the vector by itself; what helps is very many cheap changes. Looking at one costs as many additions as its
//! units have members, whatever the size of the problem.

use super::board::Board;
use super::kinds::Kinds;
use crate::solve::Patience;
use rand::{Rng, RngExt};

/// How much less a cell counts for every person it is larger.
const WEIGHT: f64 = 0.4;

/// Cells by so much larger than the smallest that matter count nothing.
const SIZES: u64 = 48;

/// The largest size from which cells may be told apart.
const LARGEST: u64 = 1_000;

/// The heat at the beginning and at the end, where a cell of the smallest size that matters weighs one. Cells of a size are
/// settled when the heat falls below their weight; falling by a constant factor, it gives each size as much time as the next.
const FIRST_HEAT: f64 = 0.8;
const LAST_HEAT: f64 = 0.005;

/// With time for fewer changes of each person than this, what the start is good for is kept: little heat.
const HASTY_CHANGES: f64 = 60.0;
const HASTY_HEAT: f64 = 0.05;

/// Changes that are worse by so many times the heat are as good as never taken.
const TOO_BAD: f64 = 25.0;

/// How many changes are looked at between two looks at the clock.
const BETWEEN_LOOKS: u64 = 512;

/// How many kinds may come back for those who need their places.
const MOST_BACK: usize = 4;

/// The most cells of the tables of people and of units.
const MOST_CELLS: usize = 1 << 23;

/// Whether a problem can be settled: it has no mixing rules, and its tables fit into memory.
pub(super) fn can_settle(kinds: &Kinds) -> bool {
    let lines = kinds.all.len().max(kinds.quasi_ids);
    kinds.rules.is_empty() && kinds.capacities.len() > 1 && lines.saturating_mul(kinds.capacities.len()) <= MOST_CELLS
}

/// How much is done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settling {
    /// How many changes are looked at.
    pub(super) work: u64,
    /// The smallest size of cells that matters: smaller ones are avoided in any case.
    pub(super) smallest: u64,
}

/// A schedule reached from another by changes that keep capacities and allowed slots. It need not be better. If patience ends
/// first the heat sinks faster, so that it is cold in time.
pub(super) fn settle<'a>(start: &Board<'a>, settling: Settling, rng: &mut impl Rng, patience: &Patience) -> Board<'a> {
    let Settling { work, smallest } = settling;
    let mut table = Table::of(start, smallest.clamp(1, LARGEST));
    let time = patience.left();
    let mut moves = Vec::new();
    let people: u64 = start.loads.iter().sum();
    let mut first_heat = FIRST_HEAT;
    let mut heat = HASTY_HEAT;
    for done in 0..work {
        if done % BETWEEN_LOOKS == 0 {
            if patience.is_over() {
                break;
            }
            let used = |(time, left): (std::time::Duration, std::time::Duration)| 1.0 - left.div_duration_f64(time);
            let by_clock = time.zip(patience.left()).map_or(0.0, used);
            if done == BETWEEN_LOOKS && done as f64 / by_clock < HASTY_CHANGES * people as f64 {
                first_heat = HASTY_HEAT;
            }
            let progress = by_clock.max(done as f64 / work as f64);
            // Until the first look tells how fast it goes, little heat does no harm.
            heat = if done == 0 { HASTY_HEAT } else { first_heat * (LAST_HEAT / first_heat).powf(progress) };
        }
        if table.propose(&mut moves, rng) {
            let worse: f64 = moves.iter().map(|&step| table.shift(step)).sum();
            if worse <= 0.0 || (worse < TOO_BAD * heat && rng.random::<f64>() < (-worse / heat).exp()) {
                for &step in &moves {
                    table.note(step);
                }
            } else {
                for &step in &moves {
                    table.shift(Shift { from: step.to, to: step.from, ..step });
                }
            }
        }
    }
    Board::with(start.kinds, &table.placed())
}

/// So many units of a kind go from one slot to another.
#[derive(Clone, Copy)]
struct Shift {
    kind: usize,
    from: usize,
    to: usize,
    units: u64,
}

/// Who is where, by quasi-identifier and by kind.
struct Table<'a> {
    kinds: &'a Kinds,
    slots: usize,
    /// People of each quasi-identifier in each slot.
    people: Vec<u64>,
    /// Units of each kind in each slot, and where the kind stands in the list of the slot.
    units: Vec<u64>,
    position: Vec<u32>,
    /// The kinds in each slot.
    present: Vec<Vec<usize>>,
    loads: Vec<u64>,
    /// What a cell of each size costs; larger ones cost nothing.
    weights: Vec<f64>,
}

impl<'a> Table<'a> {
    fn of(board: &Board<'a>, smallest: u64) -> Self {
        let kinds = board.kinds;
        let slots = kinds.capacities.len();
        let weight = |size: u64| WEIGHT.powi((size.cast_signed() - smallest.cast_signed()) as i32);
        let weights = (0..smallest + SIZES).map(|size| if size == 0 { 0.0 } else { weight(size) }).collect();
        let mut table = Self {
            kinds,
            slots,
            people: vec![0; kinds.quasi_ids * slots],
            units: vec![0; kinds.all.len() * slots],
            position: vec![0; kinds.all.len() * slots],
            present: vec![Vec::new(); slots],
            loads: board.loads.clone(),
            weights,
        };
        for (quasi_id, row) in board.rows.iter().enumerate() {
            for cell in row {
                table.people[quasi_id * slots + cell.slot] = cell.people;
            }
        }
        for (kind, placements) in board.placed().iter().enumerate() {
            for &(slot, units) in placements {
                table.arrive(kind, slot, units);
            }
        }
        table
    }

    fn placed(&self) -> Vec<Vec<(usize, u64)>> {
        let of_kind = |units: &[u64]| units.iter().copied().enumerate().filter(|&(_, units)| units > 0).collect();
        self.units.chunks(self.slots).map(of_kind).collect()
    }

    fn arrive(&mut self, kind: usize, slot: usize, units: u64) {
        let at = kind * self.slots + slot;
        if self.units[at] == 0 {
            self.position[at] = self.present[slot].len() as u32;
            self.present[slot].push(kind);
        }
        self.units[at] += units;
    }

    fn leave(&mut self, kind: usize, slot: usize, units: u64) {
        let at = kind * self.slots + slot;
        self.units[at] -= units;
        if self.units[at] == 0 {
            let position = self.position[at];
            self.present[slot].swap_remove(position as usize);
            if let Some(&moved) = self.present[slot].get(position as usize) {
                self.position[moved * self.slots + slot] = position;
            }
        }
    }

    /// Moves people between cells; how much worse that is.
    fn shift(&mut self, step: Shift) -> f64 {
        let mut worse = 0.0;
        let weight =
            |people: u64| usize::try_from(people).ok().and_then(|size| self.weights.get(size)).copied().unwrap_or(0.0);
        for &(quasi_id, people) in &self.kinds.all[step.kind].parts {
            let people = people * step.units;
            let row = &mut self.people[quasi_id * self.slots..(quasi_id + 1) * self.slots];
            worse -= weight(row[step.from]) + weight(row[step.to]);
            row[step.from] -= people;
            row[step.to] += people;
            worse += weight(row[step.from]) + weight(row[step.to]);
        }
        worse
    }

    /// Notes for good where units are whose people were shifted.
    fn note(&mut self, step: Shift) {
        self.leave(step.kind, step.from, step.units);
        self.arrive(step.kind, step.to, step.units);
        let people = self.kinds.all[step.kind].size * step.units;
        self.loads[step.from] -= people;
        self.loads[step.to] += people;
    }

    /// Draws units that go to another slot and, where that is full, others that come back for them; whether all of them fit.
    fn propose(&self, moves: &mut Vec<Shift>, rng: &mut impl Rng) -> bool {
        moves.clear();
        let from = rng.random_range(0..self.slots);
        let Some(kind) = any(&self.present[from], rng) else { return false };
        let Some(to) = any(self.kinds.slots(kind), rng).filter(|&to| to != from) else { return false };
        let (size, there) = (self.kinds.all[kind].size, self.units[kind * self.slots + from]);
        let units = match there {
            1 => 1,
            _ if rng.random_bool(0.5) => there,
            _ => rng.random_range(1..=there),
        };
        moves.push(Shift { kind, from, to, units });
        let leaving = size * units;
        let mut excess = (self.loads[to] + leaving).saturating_sub(self.kinds.capacities[to]);
        let mut room_back = self.kinds.capacities[from] - self.loads[from] + leaving;
        let mut draws = 0;
        while excess > 0 {
            draws += 1;
            if draws > MOST_BACK {
                return false;
            }
            let Some(back) = any(&self.present[to], rng) else { return false };
            if moves.iter().any(|step| step.kind == back) || !self.kinds.allows(back, from) {
                continue;
            }
            let (size, there) = (self.kinds.all[back].size, self.units[back * self.slots + to]);
            let wanted = if rng.random_bool(0.3) { there } else { there.min(excess.div_ceil(size)) };
            let units = wanted.min(room_back / size);
            if units > 0 {
                moves.push(Shift { kind: back, from: to, to: from, units });
                room_back -= size * units;
                excess = excess.saturating_sub(size * units);
            }
        }
        true
    }
}

fn any(items: &[usize], rng: &mut impl Rng) -> Option<usize> {
    (!items.is_empty()).then(|| items[rng.random_range(0..items.len())])
}
