//! Tamis' own heuristic for problems without conditions.

mod anneal;
mod blocks;
mod board;
mod part;
mod replicate;
mod search;
mod stock;
mod whole;

use super::{SolveOptions, bounds, rules};
use crate::instance::Plain;
use crate::schedule::Schedule;
use crate::vector::AnonymityVector;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Effort, fits, search};

/// A schedule that is hard to better.
pub(crate) fn heuristic(problem: &Plain, options: &SolveOptions) -> Schedule {
    let mut dice = ChaCha8Rng::seed_from_u64(options.seed);
    let bound = bounds::lower_bound(problem);
    let mut best = Incumbent::by_rules(problem, options.seed);
    let is_large = problem.frequencies.len() + problem.capacities.len() > MOST_LINES;
    let (tries, effort) = if is_large {
        (3, Effort { first: 60_000, total: 180_000 })
    } else {
        (3, Effort { first: 10_000, total: 30_000 })
    };
    let is_done = |best: &Incumbent| best.vector <= bound || options.patience.is_over();
    for _ in 0..tries {
        if is_done(&best) {
            return best.schedule;
        }
        match blocks::blocks(problem, effort, options.seed, &options.patience, &mut dice) {
            Some(schedule) => best.offer(schedule),
            None => break,
        }
    }
    if is_done(&best) {
        return best.schedule;
    }
    if is_large {
        best.offer(replicate::replicate(problem, &options.patience, options.seed, &mut dice));
    } else if fits(problem) {
        search(problem, &bound, &mut best, effort_on(problem), &options.patience, &mut dice);
    }
    best.schedule
}

/// Problems with more rows and columns than this are taken apart.
const MOST_LINES: usize = 600;

/// Small problems deserve more effort than large ones, of which there may be many.
fn effort_on(problem: &Plain) -> Effort {
    let env = |name: &str, default: f64| std::env::var(name).ok().map_or(default, |x| x.parse().unwrap());
    let lines = (problem.frequencies.len() + problem.capacities.len()) as u64;
    Effort { first: env("FIRST", 20000.0) as u64, total: env("TOTAL", 300000.0) as u64 }
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
