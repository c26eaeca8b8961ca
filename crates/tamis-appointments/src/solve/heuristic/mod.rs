//! Tamis' own heuristic for problems without conditions.

mod anneal;
mod blocks;
mod board;
mod mend;
mod part;
mod replicate;
mod search;
mod stock;
mod whole;

use super::{Patience, SolveOptions, bounds, rules, supports};
use crate::instance::Plain;
use crate::schedule::Schedule;
use crate::vector::AnonymityVector;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Effort, fits, search};
use tamis_solver::Limit;

/// A schedule that is hard to better, and never worse than the best of the greedy rules.
///
/// It ends as soon as the lower bound is met, which proves the optimum. Until then it tries, in this order:
/// 1. the greedy rules of the sources;
/// 2. [`blocks`](blocks::blocks): larger lines filled by whole smaller ones, the rest annealed;
/// 3. [`search`]: repeated annealing on exchanges of people, for problems of up to [`MOST_LINES`] rows and slots;
/// 4. [`replicate`](replicate::replicate) for larger ones: copies of a small problem; then [`mend`](mend::mend): a few
///    rows at a time annealed among the places they have;
/// 5. [`refine`]: where cells may hold a thousand people, the best of the cells that are used.
///
/// The effort is bounded by numbers of exchanges, so that the result depends on the problem and the seed alone as long
/// as patience is not exhausted. Time: O((Q + R) log R) plus the exchanges, at most a million or so.
pub(crate) fn heuristic(problem: &Plain, options: &SolveOptions) -> Schedule {
    let SolveOptions { seed, patience, .. } = options;
    let mut dice = ChaCha8Rng::seed_from_u64(*seed);
    let bound = bounds::lower_bound(problem);
    let mut best = Incumbent::by_rules(problem, *seed);
    let is_large = lines(problem) > MOST_LINES;
    let rest =
        if is_large { Effort { first: 60_000, total: 180_000 } } else { Effort { first: 10_000, total: 30_000 } };
    for _ in 0..BLOCK_TRIES {
        if best.vector <= bound || patience.is_over() {
            return best.schedule;
        }
        match blocks::blocks(problem, rest, *seed, patience, &mut dice) {
            Some(schedule) => best.offer(schedule),
            None => break,
        }
    }
    if is_large {
        for lines_of_pattern in [250, 60, 20] {
            if best.vector > bound
                && let Some(schedule) = replicate::replicate(problem, lines_of_pattern, *seed, patience, &mut dice)
            {
                best.offer(schedule);
            }
        }
        if best.vector > bound {
            mend::mend(problem, &mut best, patience, &mut dice);
        }
    } else if fits(problem) {
        search(problem, &bound, &mut best, effort(problem), patience, &mut dice);
    }
    refine(problem, &bound, &mut best, patience);
    best.schedule
}

/// A schedule made better, if that succeeds: what the heuristic does at its end, from any schedule.
pub(crate) fn polish(problem: &Plain, schedule: Schedule, options: &SolveOptions) -> Schedule {
    let SolveOptions { seed, patience, .. } = options;
    let mut dice = ChaCha8Rng::seed_from_u64(*seed);
    let mut best = Incumbent::of(schedule);
    let bound = bounds::lower_bound(problem);
    if lines(problem) > MOST_LINES {
        mend::mend(problem, &mut best, patience, &mut dice);
    } else if fits(problem) {
        search(problem, &bound, &mut best, effort(problem), patience, &mut dice);
    }
    refine(problem, &bound, &mut best, patience);
    best.schedule
}

/// Makes the best of the cells that are used and of some other choices of cells, where cells may be so large that annealing does not tell
/// all sizes apart.
fn refine(problem: &Plain, bound: &AnonymityVector, best: &mut Incumbent, patience: &Patience) {
    const MOST_CELLS: usize = 10_000;
    const SEARCHED_CELLS: usize = 400;
    const STEPS: u64 = 200_000;
    let cells = supports::cells(problem);
    let is_meant = bounds::largest_cell(problem) >= anneal::MOST_SIZES && cells <= MOST_CELLS;
    if !is_meant || best.vector <= *bound || patience.is_over() {
        return;
    }
    let is_over = || patience.is_over();
    let limit = Limit { until: patience.until, nodes: Some(STEPS), is_over: Some(&is_over) };
    if let Some(polished) = supports::polish(problem, &best.schedule, &limit) {
        best.offer(polished);
    }
    if cells <= SEARCHED_CELLS
        && let Some(better) = supports::search(problem, &best.schedule, bound, &limit).better
    {
        best.offer(better);
    }
}

/// Problems with more rows and slots than this are taken apart.
const MOST_LINES: usize = 600;

/// So many times lines are filled by whole lines, in different ways.
const BLOCK_TRIES: usize = 3;

fn lines(problem: &Plain) -> usize {
    problem.frequencies.len() + problem.capacities.len()
}

/// Small problems deserve more effort than large ones, of which there may be many.
fn effort(problem: &Plain) -> Effort {
    const SMALL: u64 = 1000;
    let total = if problem.people() <= SMALL { 300_000 } else { 1000 * (lines(problem) as u64).max(100) };
    Effort { first: 20_000, total }
}

/// The best schedule so far.
struct Incumbent {
    schedule: Schedule,
    vector: AnonymityVector,
}

impl Incumbent {
    /// The best of the greedy rules.
    fn by_rules(problem: &Plain, seed: u64) -> Self {
        let mut best = Self::of(rules::half(problem, seed));
        best.offer(rules::greatest(problem, seed));
        best.offer(rules::authors(problem, seed));
        best
    }

    fn of(schedule: Schedule) -> Self {
        Self { vector: schedule.plain_vector(), schedule }
    }

    /// Keeps a schedule if it is better.
    fn offer(&mut self, schedule: Schedule) {
        let vector = schedule.plain_vector();
        if vector < self.vector {
            *self = Self { schedule, vector };
        }
    }
}

#[cfg(test)]
mod tests;
