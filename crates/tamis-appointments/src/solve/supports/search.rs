//! Branching on which cells are used.

use super::levels::least_vector;
use super::transport::Transport;
use crate::instance::Plain;
use crate::schedule::Schedule;
use crate::vector::AnonymityVector;
use tamis_solver::Limit;

/// What a search came to.
#[derive(Debug)]
pub(crate) struct Searched {
    /// A schedule that is better than the one known before.
    pub(crate) better: Option<Schedule>,
    /// Whether no schedule is better than this, or than the one known before if there is none.
    pub(crate) is_optimal: bool,
}

/// What is decided about a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Open,
    Used,
    Unused,
}

/// Looks for schedules that are better than this one, until there are none, one meets the bound, or a limit is reached; the limit of
/// nodes is one of nodes times cells.
///
/// In a node of the search some cells are known to be used, some to be unused, and the others are open. The least vector of the used
/// cells, with the open ones free to hold anybody, is a bound, since open cells only add to it. The matrix that has it is a schedule
/// of its own; if no open cell is used in it, it is the best of the node, otherwise the search branches on one of them.
pub(crate) fn search(problem: &Plain, known: &Schedule, bound: &AnonymityVector, limit: &Limit<'_>) -> Searched {
    let vector = known.plain_vector();
    let mut search = Search {
        problem,
        bound,
        limit,
        nodes: 0,
        smallest: vector.k().unwrap_or(0).cast_signed(),
        best: vector,
        better: None,
    };
    let transport = Transport::new(problem, known);
    let uses = vec![Use::Open; transport.cells()];
    let is_optimal = search.descend(transport, uses);
    Searched { better: search.better, is_optimal }
}

struct Search<'a> {
    problem: &'a Plain,
    bound: &'a AnonymityVector,
    limit: &'a Limit<'a>,
    nodes: u64,
    best: AnonymityVector,
    /// The smallest cell of the best schedule: those of a better one are at least as large.
    smallest: i64,
    better: Option<Schedule>,
}

impl Search<'_> {
    /// Looks through all schedules with these cells used and unused; whether there was time for all of them.
    fn descend(&mut self, mut transport: Transport, mut uses: Vec<Use>) -> bool {
        self.nodes += 1;
        let steps = self.nodes.saturating_mul(uses.len() as u64);
        if self.limit.nodes.is_some_and(|most| steps > most) || self.limit.is_reached() {
            return false;
        }
        if self.best <= *self.bound || !self.propagate(&mut uses) {
            return true;
        }
        transport.lift_limits();
        for (at, &decided) in uses.iter().enumerate() {
            match decided {
                Use::Open => {}
                Use::Used => transport.at_least(at, self.smallest),
                Use::Unused => transport.limit(at, 0, 0),
            }
        }
        let is_used = uses.iter().map(|&decided| decided == Use::Used).collect();
        if least_vector(&mut transport, is_used, &self.best, self.limit).is_none() {
            return !self.limit.is_reached();
        }
        let cell = concentrate(&mut transport, &uses);
        self.offer(&transport);
        let Some(cell) = cell else { return true };
        let mut with = uses.clone();
        with[cell] = Use::Used;
        if !self.descend(transport.clone(), with) {
            return false;
        }
        for alike in self.alike(&transport, &uses, cell) {
            uses[alike] = Use::Unused;
        }
        self.descend(transport, uses)
    }

    /// Draws conclusions from the cells that are decided; whether there can be a better schedule.
    fn propagate(&self, uses: &mut [Use]) -> bool {
        let (frequencies, capacities) = (&self.problem.frequencies, &self.problem.capacities);
        let slots = capacities.len();
        let is_full = self.problem.slack() == 0;
        loop {
            let mut is_changed = false;
            let mut row_room: Vec<i64> = frequencies.iter().map(|&people| people.cast_signed()).collect();
            let mut slot_room: Vec<i64> = capacities.iter().map(|&places| places.cast_signed()).collect();
            for (at, _) in uses.iter().enumerate().filter(|(_, decided)| **decided == Use::Used) {
                row_room[at / slots] -= self.smallest;
                slot_room[at % slots] -= self.smallest;
            }
            if row_room.iter().chain(&slot_room).any(|&room| room < 0) {
                return false;
            }
            for at in 0..uses.len() {
                let room = row_room[at / slots].min(slot_room[at % slots]);
                if uses[at] == Use::Open && room < self.smallest {
                    uses[at] = Use::Unused;
                    is_changed = true;
                }
            }
            // A row needs a cell, and so does a slot that must be full.
            let rows = (0..frequencies.len()).map(|row| (row * slots..(row + 1) * slots).collect::<Vec<_>>());
            let columns = (0..slots).filter(|_| is_full).map(|slot| (slot..uses.len()).step_by(slots).collect());
            for line in rows.chain(columns).collect::<Vec<_>>() {
                let mut open = line.iter().copied().filter(|&at| uses[at] != Use::Unused);
                match (open.next(), open.next()) {
                    (None, _) => return false,
                    (Some(only), None) if uses[only] == Use::Open => {
                        uses[only] = Use::Used;
                        is_changed = true;
                    }
                    _ => {}
                }
            }
            if !is_changed {
                return true;
            }
        }
    }

    /// A cell and those it can be exchanged with: rows of equal frequency, and slots of equal capacity, of which the same is decided.
    /// A schedule that uses one of these cells has a twin that uses the first.
    fn alike(&self, transport: &Transport, uses: &[Use], cell: usize) -> Vec<usize> {
        let (frequencies, capacities) = (&self.problem.frequencies, &self.problem.capacities);
        let slots = capacities.len();
        let (row, slot) = transport.place(cell);
        let are_rows_alike = |other: usize| {
            frequencies[row] == frequencies[other]
                && (0..slots).all(|slot| uses[row * slots + slot] == uses[other * slots + slot])
        };
        let are_slots_alike = |other: usize| {
            capacities[slot] == capacities[other]
                && (0..frequencies.len()).all(|row| uses[row * slots + slot] == uses[row * slots + other])
        };
        let rows: Vec<usize> = (0..frequencies.len()).filter(|&other| are_rows_alike(other)).collect();
        let columns: Vec<usize> = (0..slots).filter(|&other| are_slots_alike(other)).collect();
        rows.iter().flat_map(|row| columns.iter().map(move |slot| row * slots + slot)).collect()
    }

    /// Keeps the matrix if it is better.
    fn offer(&mut self, transport: &Transport) {
        let schedule = transport.schedule();
        let vector = schedule.plain_vector();
        if vector < self.best {
            self.smallest = vector.k().unwrap_or(0).cast_signed();
            self.best = vector;
            self.better = Some(schedule);
        }
    }
}

/// Empties open cells, the smallest first, as long as the vector of the used ones stays; returns the smallest that cannot be emptied.
fn concentrate(transport: &mut Transport, uses: &[Use]) -> Option<usize> {
    let is_open = |at: &usize| uses[*at] == Use::Open;
    let mut filled: Vec<usize> = Vec::new();
    for at in (0..uses.len()).filter(is_open) {
        if transport.cell(at).people > 0 {
            filled.push(at);
        } else {
            transport.limit(at, 0, 0);
        }
    }
    filled.sort_by_key(|&at| transport.cell(at).people);
    let mut left = None;
    for at in filled {
        let limits = transport.cell(at);
        let mut without = transport.clone();
        without.limit(at, 0, 0);
        if limits.least == 0 && without.settle().is_ok() {
            *transport = without;
        } else {
            left = [left, Some(at)].into_iter().flatten().min_by_key(|&at| transport.cell(at).people);
        }
    }
    left.filter(|&at| transport.cell(at).people > 0)
}
