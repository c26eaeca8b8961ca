//! One component after the other: a bound, and a schedule that meets it.

use super::chain::{Chain, End, Known};
use super::model::{Model, Parting, Sums};
use super::side::Pooling;
use crate::instance::{Instance, Plain};
use crate::schedule::Schedule;
use crate::solve::{LevelProof, Reason, Solution, SolveOptions, bounds, supports};
use crate::vector::AnonymityVector;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
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
    /// The search for integers in a model is given up when steps times variables exceed this.
    most_steps: u64,
}

/// How an integer program for one component ended.
enum Settled {
    /// The component is proved, and it is what the linear programs said.
    AsExpected,
    /// The component is proved, and it is higher.
    Higher,
    /// A limit came first.
    NotYet,
    /// The program is too large, or the solver failed.
    Never,
}

/// Parts that are given exactly and components taken one by one are tried in turns, each with this many steps of the
/// search for integers at first and four times as many in every further turn: either may be easy where the other is
/// hard.
const FIRST_NODES: u64 = 50;
const MORE_NODES: u64 = 4;

/// Sums that would make a network larger stay out of it. Small networks come first: what they prove holds, the few sums that are much
/// larger than the others are hardly missed, and linear programs of that size take a moment.
const FIRST_ARCS: usize = 5_000;

/// Then more sums go in: without a deadline as long as linear programs take some ten seconds, otherwise as long as the first of them
/// ends in time and fits into some hundred megabytes.
const MOST_ARCS: usize = 20_000;
const MOST_ARCS_IN_TIME: usize = 100_000;

/// How many arcs a network may have whose linear program must end in so much time, which grows with the arcs to the power of
/// three halves or so.
fn most_arcs(left: Option<Duration>) -> usize {
    left.map_or(MOST_ARCS, |left| {
        let arcs = MOST_ARCS as f64 * (left.as_secs_f64() / 10.0).powf(2.0 / 3.0);
        (arcs as usize).clamp(FIRST_ARCS, MOST_ARCS_IN_TIME)
    })
}

/// The search for integers in a model is given up when steps times variables exceed this: in small networks after some seconds, in the
/// others before the tree that is searched fills the memory.
const FIRST_STEPS: u64 = 5_000_000;
const MOST_STEPS: u64 = 200_000_000;

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Plain, best: Schedule, options: &SolveOptions) -> Self {
        let rows = (bounds::row_bound(problem), Reason::RowBound);
        let columns = bounds::column_bound(problem).map(|bound| (bound, Reason::ColumnBound));
        let known = Known {
            sums: Sums::of(problem, FIRST_ARCS),
            people: problem.people(),
            largest: bounds::largest_cell(problem),
            bounds: [rows].into_iter().chain(columns).collect(),
            best: best.plain_vector(),
            level: options.level,
        };
        Self { problem, known, best, proved: Chain::new(), lower: bounds::lower_bound(problem), most_steps: MOST_STEPS }
    }

    /// Proves and improves until the best schedule is optimal or a limit is reached.
    pub(super) fn run(&mut self, limit: &Limit<'_>) {
        let soon = limit.left().and_then(|left| Instant::now().checked_add(left / 2));
        self.run_briefly(&Limit { until: soon, ..*limit });
        if !self.is_done() && !limit.is_reached() {
            self.known.sums.most_arcs = most_arcs(limit.left());
            self.most_steps = MOST_STEPS;
            while self.advance(limit) {}
        }
    }

    /// Proves and improves as far as small networks and some steps go.
    pub(super) fn run_briefly(&mut self, limit: &Limit<'_>) {
        self.try_greatest_bound(limit);
        if self.known.level.is_some() || !self.take_over_bound() {
            self.most_steps = FIRST_STEPS;
            self.reach_first(limit);
            while self.advance(limit) {}
        }
    }

    /// Looks at all ways to use cells, as far as the limit goes. If it goes to the end, the best schedule is optimal.
    pub(super) fn look_at_uses(&mut self, limit: &Limit<'_>) {
        let searched = supports::search(self.problem, &self.best, &self.lower, limit);
        if let Some(better) = searched.better {
            self.adopt(better);
        }
        if searched.is_optimal && self.proved.agrees_with(&self.known.best) {
            self.take_as_optimal();
        }
    }

    /// Takes all components of the best schedule as proved.
    fn take_as_optimal(&mut self) {
        let best = self.known.best.clone();
        let is_met = |bound: &AnonymityVector, size| best.first_difference(bound).is_none_or(|first| size < first);
        let open = best.counts().partition_point(|&(size, _)| size < self.proved.next);
        for &(size, cells) in &best.counts()[open..] {
            let bound = self.known.bounds.iter().find(|(bound, _)| is_met(bound, size));
            let reason = bound.map_or(Reason::Enumeration, |&(_, reason)| reason);
            self.proved.push(LevelProof { size, cells, reason });
        }
        self.lower = best;
    }

    /// Bounds the smallest cells and looks for a schedule whose smallest cells are as large, before all the others are bounded.
    fn reach_first(&mut self, limit: &Limit<'_>) {
        let level = self.known.level.replace(0);
        let mut chain = self.proved.clone();
        chain.extend(&self.known, limit);
        self.known.level = level;
        let some_nodes = Limit { nodes: Some(FIRST_NODES), ..*limit };
        let mut tried = BTreeSet::new();
        while self.take_over(&chain).is_some() && self.reach_ahead(&chain, &mut tried, &some_nodes) {}
    }

    /// Whether the best schedule cannot be bettered, by a bound that needs no solver.
    pub(super) fn meets_bound(&self) -> bool {
        self.known.best <= self.lower
    }

    /// Proves and improves in networks of at most so many arcs.
    #[cfg(test)]
    pub(super) fn run_in_networks_of(&mut self, most_arcs: usize, limit: &Limit<'_>) {
        self.known.sums.most_arcs = most_arcs;
        self.reach_first(limit);
        while self.advance(limit) {}
    }

    /// Whether everything that is asked for is proved.
    pub(super) fn is_done(&self) -> bool {
        self.proved.people_left(self.known.people) == 0 || self.proved.is_deep_enough(self.known.level)
    }

    /// Takes everything as proved if the best schedule meets a bound. Going through the components one by one would
    /// come to the same, but not in time linear in their number.
    fn take_over_bound(&mut self) -> bool {
        let bound = self.known.bounds.iter().find(|(bound, _)| *bound == self.known.best);
        if let Some((bound, reason)) = bound {
            self.proved = chain_of(bound, *reason);
        }
        bound.is_some()
    }

    /// Looks for a schedule that meets the greatest bound known without a solver. Often there is one, and with its few
    /// sizes of parts the networks are small even where those of all sizes would be too large.
    fn try_greatest_bound(&mut self, limit: &Limit<'_>) {
        let greatest = self.known.bounds.iter().max_by(|left, right| left.0.cmp(&right.0));
        if let Some((bound, reason)) = greatest.filter(|(bound, _)| *bound < self.known.best) {
            self.realise(&chain_of(bound, *reason), &Limit { nodes: Some(FIRST_NODES), ..*limit });
        }
    }

    /// Bounds the components that are not proved yet and goes on as far as that bound is right. Returns whether there
    /// is more to do.
    fn advance(&mut self, limit: &Limit<'_>) -> bool {
        let mut chain = self.proved.clone();
        let end = chain.extend(&self.known, limit);
        if let Some(bound) = chain.completed(&self.known) {
            self.lower = bound.max(std::mem::take(&mut self.lower));
        }
        let mut nodes = FIRST_NODES;
        let mut realised_with = 0;
        let mut tried = BTreeSet::new();
        loop {
            let Some(expected) = self.take_over(&chain) else {
                self.proved.least_next = chain.least_next;
                return false;
            };
            let some_nodes = Limit { nodes: Some(nodes), ..*limit };
            if end == End::Complete && realised_with < nodes {
                realised_with = nodes;
                if self.realise(&chain, &some_nodes) {
                    continue;
                }
            }
            if self.reach_ahead(&chain, &mut tried, &some_nodes) {
                continue;
            }
            match self.settle(expected, &some_nodes) {
                Settled::Higher => return true,
                Settled::AsExpected => {}
                Settled::NotYet if limit.is_reached() => return false,
                Settled::NotYet => {
                    nodes = nodes.saturating_mul(MORE_NODES);
                    tried.clear();
                }
                Settled::Never => return false,
            }
        }
    }

    /// Takes components of the chain as proved as long as the best schedule has them; returns the first that it has
    /// not.
    fn take_over(&mut self, chain: &Chain) -> Option<LevelProof> {
        // Sizes may be huge, so that zeros on both sides are passed over and not visited.
        loop {
            let next = self.proved.next;
            let counts = self.known.best.counts();
            let in_best = counts.get(counts.partition_point(|&(size, _)| size < next)).map(|&(size, _)| size);
            let in_chain = chain.proofs.get(chain.proofs.partition_point(|proof| proof.size < next));
            let size = [in_best, in_chain.map(|proof| proof.size)].into_iter().flatten().min();
            let Some(size) = size.filter(|&size| size < chain.next) else {
                self.proved.next = next.max(chain.next);
                return None;
            };
            let zero = LevelProof { size, cells: 0, reason: Reason::Zero };
            let expected = in_chain.filter(|proof| proof.size == size).copied().unwrap_or(zero);
            if self.known.best.cells_of_size(size) != expected.cells {
                self.proved.next = size;
                return Some(expected);
            }
            self.proved.push(expected);
        }
    }

    /// Looks for a schedule with exactly the components of a complete chain, which is optimal then; returns whether
    /// there is one.
    fn realise(&mut self, chain: &Chain, limit: &Limit<'_>) -> bool {
        let parting = |proof: &LevelProof| Parting { size: proof.size, least: proof.cells, most: proof.cells };
        let partings: Vec<Parting> = chain.proofs.iter().map(parting).collect();
        let model = |pooling| Model::build(&self.known.sums, partings.clone(), pooling);
        let schedule = model(Pooling::Together).and_then(|together| {
            let apart = || model(Pooling::Apart).filter(|_| together.is_pooled())?.realise(limit);
            together.realise(limit).or_else(apart)
        });
        schedule.is_some_and(|schedule| self.adopt(schedule)) && chain.agrees_with(&self.known.best)
    }

    /// Looks for a schedule whose smallest cells that are not proved yet are as large as the chain says, or nearly so: without smaller
    /// parts the networks are far smaller than those that prove a component. Sizes that were tried in vain are left out and noted.
    /// Returns whether there is a better schedule now.
    fn reach_ahead(&mut self, chain: &Chain, tried: &mut BTreeSet<u64>, limit: &Limit<'_>) -> bool {
        const MOST_BELOW: usize = 1 << 12;
        let next = self.proved.next;
        let goal =
            chain.proofs.get(chain.proofs.partition_point(|proof| proof.size < next)).map_or(0, |proof| proof.size);
        let untried = (next + 1..=goal).rev().filter(|size| !tried.contains(size)).take(MOST_BELOW).enumerate();
        let sizes: Vec<u64> = untried.filter(|(at, _)| (at + 1).is_power_of_two()).map(|(_, size)| size).collect();
        for size in sizes {
            if limit.is_reached() {
                return false;
            }
            let ahead = Chain { next: size, least_next: 0, ..self.proved.clone() };
            let model = ahead.model(&self.known, 0, Pooling::Together);
            let schedule = model.and_then(|model| model.solve(size, u64::MAX, limit).1);
            if schedule.is_some_and(|schedule| self.adopt(schedule)) {
                return true;
            }
            tried.insert(size);
        }
        false
    }

    /// Proves the next component by an integer program: the least number of cells, if it is below that of the best
    /// schedule.
    fn settle(&mut self, expected: LevelProof, limit: &Limit<'_>) -> Settled {
        let size = expected.size;
        let present = self.known.best.cells_of_size(size);
        let model = |pooling| self.proved.model(&self.known, expected.cells, pooling);
        let Some(together) = model(Pooling::Together) else { return Settled::Never };
        let steps = (together.variables() as u64).saturating_mul(limit.nodes.unwrap_or(0));
        if steps > self.most_steps {
            return Settled::Never;
        }
        let mut solved = together.solve(size, present.saturating_sub(1), limit);
        let is_dealt_out = solved.1.is_some() || solved.0.values.is_empty();
        if !is_dealt_out && together.is_pooled() {
            let Some(apart) = model(Pooling::Apart) else { return Settled::Never };
            solved = apart.solve(size, present.saturating_sub(1), limit);
        }
        let (outcome, schedule) = solved;
        if let Some(schedule) = schedule {
            self.adopt(schedule);
        }
        let bound = outcome.whole_bound().map_or(0, |bound| bound.max(0) as u64);
        let cells = match outcome.status {
            Status::Infeasible => present,
            Status::Optimal => self.known.best.cells_of_size(size),
            Status::Feasible | Status::TimedOut => {
                self.proved.least_next = expected.cells.max(bound);
                return Settled::NotYet;
            }
            Status::Unbounded | Status::Failed(_) => return Settled::Never,
        };
        let is_sound = self.proved.agrees_with(&self.known.best)
            && self.known.best.cells_of_size(size) == cells
            && (outcome.status == Status::Infeasible || bound == cells);
        if !is_sound {
            return Settled::Never;
        }
        let is_expected = cells == expected.cells;
        let reason = if is_expected { expected.reason } else { Reason::IntegerBound };
        self.proved.push(LevelProof { size, cells, reason });
        if is_expected { Settled::AsExpected } else { Settled::Higher }
    }

    /// Takes a schedule as the best so far if it is one and better; returns whether it is.
    pub(super) fn adopt(&mut self, schedule: Schedule) -> bool {
        let vector = schedule.plain_vector();
        let is_better = vector < self.known.best && is_schedule(self.problem, &schedule);
        if is_better {
            self.best = schedule;
            self.known.best = vector;
        }
        is_better
    }

    /// The best schedule and what is proved. A bound above a schedule that exists would be an error of floating point:
    /// then nothing but the bounds in integers is claimed.
    pub(super) fn into_solution(self) -> Solution {
        let Self { problem, known, best, proved, lower, .. } = self;
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

/// All components of a bound.
fn chain_of(bound: &AnonymityVector, reason: Reason) -> Chain {
    let mut chain = Chain::new();
    for &(size, cells) in bound.counts() {
        chain.push(LevelProof { size, cells, reason });
    }
    chain
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
