//! One component after the other: a bound, and a schedule that meets it.

use super::chain::{Chain, End, Known};
use super::model::{Model, Parting, Sums};
use crate::instance::{Instance, Plain};
use crate::schedule::Schedule;
use crate::solve::{LevelProof, Reason, Solution, SolveOptions, bounds};
use crate::vector::AnonymityVector;
use tamis_solver::{Limit, Status};

/// The best schedule so far and what is proved.
#[derive(Debug)]
pub(super) struct Search<'a> {
    problem: &'a Plain,
    known: Known<'a>,
    best: Schedule,
    /// Components that the best schedule has and that cannot be lower.
    proved: Chain,
    /// The greatest vector that is known to be no greater than the optimum.
    lower: AnonymityVector,
}

/// A schedule with exactly given parts is looked for in so many steps before the components are taken one by one.
const NODES_TO_REALISE: u64 = 2_000;

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Plain, best: Schedule, options: &SolveOptions) -> Self {
        let rows = (bounds::row_bound(problem), Reason::RowBound);
        let columns = bounds::column_bound(problem).map(|bound| (bound, Reason::ColumnBound));
        let known = Known {
            sums: Sums::of(problem),
            people: problem.people(),
            largest: bounds::largest_cell(problem),
            bounds: [rows].into_iter().chain(columns).collect(),
            best: best.plain_vector(),
            level: options.level,
        };
        Self { problem, known, best, proved: Chain::new(), lower: bounds::lower_bound(problem) }
    }

    /// Proves and improves until the best schedule is optimal or a limit is reached.
    pub(super) fn run(&mut self, limit: &Limit<'_>) {
        while self.advance(limit) {}
    }

    /// Bounds the components that are not proved yet and goes on as far as that bound is right. Returns whether there is more to
    /// do.
    fn advance(&mut self, limit: &Limit<'_>) -> bool {
        let mut chain = self.proved.clone();
        let end = chain.extend(&self.known, limit);
        if let Some(bound) = chain.completed(&self.known) {
            self.lower = bound.max(std::mem::take(&mut self.lower));
        }
        if end == End::Complete && !chain.agrees_with(&self.known.best) {
            self.realise(&chain, limit);
        }
        loop {
            self.take_over(&chain);
            if self.proved.next >= chain.next {
                self.proved.least_next = chain.least_next;
                return false;
            }
            let expected = self.expected(&chain);
            match self.settle(expected, limit) {
                None => return false,
                Some(cells) if cells > expected.cells => return true,
                Some(_) => {}
            }
        }
    }

    /// The next component of the chain that is not proved yet.
    fn expected(&self, chain: &Chain) -> LevelProof {
        let size = self.proved.next;
        let zero = LevelProof { size, cells: 0, reason: Reason::Zero };
        chain.proofs.iter().find(|proof| proof.size == size).copied().unwrap_or(zero)
    }

    /// Takes components of the chain as proved as long as the best schedule has them.
    fn take_over(&mut self, chain: &Chain) {
        while self.proved.next < chain.next {
            let expected = self.expected(chain);
            if self.known.best.cells_of_size(expected.size) != expected.cells {
                return;
            }
            self.proved.push(expected);
        }
    }

    /// Looks for a schedule with exactly the components of a complete chain, which is optimal then.
    fn realise(&mut self, chain: &Chain, limit: &Limit<'_>) {
        let partings =
            chain.proofs.iter().map(|&LevelProof { size, cells, .. }| Parting { size, least: cells, most: cells });
        let limit = Limit { nodes: Some(NODES_TO_REALISE), ..*limit };
        let schedule = Model::build(&self.known.sums, partings.collect()).and_then(|model| model.realise(&limit));
        if let Some(schedule) = schedule {
            self.adopt(schedule);
        }
    }

    /// Proves the next component by an integer program: the least number of cells, if it is below that of the best schedule.
    fn settle(&mut self, expected: LevelProof, limit: &Limit<'_>) -> Option<u64> {
        let size = expected.size;
        let present = self.known.best.cells_of_size(size);
        let model = self.proved.model(&self.known, expected.cells)?;
        let (outcome, schedule) = model.solve(size, present.saturating_sub(1), limit);
        if let Some(schedule) = schedule {
            self.adopt(schedule);
        }
        let proof = match outcome.status {
            Status::Infeasible => LevelProof { size, cells: present, reason: Reason::IntegerBound },
            Status::Optimal => {
                let cells = self.known.best.cells_of_size(size);
                let is_found =
                    self.proved.agrees_with(&self.known.best) && outcome.whole_bound() == i64::try_from(cells).ok();
                let reason = if cells == expected.cells { expected.reason } else { Reason::IntegerBound };
                is_found.then_some(LevelProof { size, cells, reason })?
            }
            _ => {
                self.proved.least_next = expected.cells.max(outcome.whole_bound().unwrap_or(0).max(0) as u64);
                return None;
            }
        };
        self.proved.push(proof);
        Some(proof.cells)
    }

    /// Takes a schedule as the best so far if it is one and better.
    fn adopt(&mut self, schedule: Schedule) {
        let vector = schedule.plain_vector();
        if vector < self.known.best && is_schedule(self.problem, &schedule) {
            self.best = schedule;
            self.known.best = vector;
        }
    }

    /// The best schedule and what is proved. A bound above a schedule that exists would be an error of floating point: then
    /// nothing but the bounds in integers is claimed.
    pub(super) fn into_solution(self) -> Solution {
        let Self { problem, known, best, proved, lower } = self;
        let lower = proved.completed(&known).unwrap_or_default().max(lower);
        let is_contradictory = lower > known.best || !proved.agrees_with(&known.best);
        if is_contradictory {
            let lower_bound = bounds::lower_bound(problem);
            return Solution { schedule: best, vector: known.best, lower_bound, proofs: Vec::new() };
        }
        let proofs = with_zeros(&proved);
        Solution { schedule: best, vector: known.best, lower_bound: lower, proofs }
    }
}

/// Whether a schedule appoints everybody within the capacities.
fn is_schedule(problem: &Plain, schedule: &Schedule) -> bool {
    Instance::plain(&problem.frequencies, &problem.capacities).is_ok_and(|instance| instance.check(schedule).is_ok())
}

/// Components that are zero are told up to this size; beyond, only those that are not zero, since sizes can be huge.
const ZEROS_TOLD: u64 = 1_000;

/// The proofs of a chain with those of components that are zero.
fn with_zeros(chain: &Chain) -> Vec<LevelProof> {
    let mut proofs = chain.proofs.clone();
    let zero = |size| LevelProof { size, cells: 0, reason: Reason::Zero };
    let is_zero = |size: &u64| chain.proofs.binary_search_by_key(size, |proof| proof.size).is_err();
    proofs.extend((1..chain.next.min(ZEROS_TOLD + 1)).filter(is_zero).map(zero));
    proofs.sort_unstable_by_key(|proof| proof.size);
    proofs
}
