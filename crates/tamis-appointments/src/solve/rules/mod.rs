//! The rules of the sources, for comparison: one file each.
//!
//! None of them looks back, and none is best everywhere. The seed decides which of several equal slots or equally
//! frequent values comes first; it never changes the vector of the three greedy rules, only who is in which cell of a
//! size.

mod authors;
mod greatest;
mod half;
mod hypergeometric;
mod random;
mod remaining;

pub(crate) use authors::authors;
pub(crate) use greatest::greatest;
pub(crate) use half::half;
pub(crate) use random::random;

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use remaining::Remaining;
use std::cmp::Reverse;

/// Serves the frequencies in descending order, each by the same rule, from what the ones before left.
fn most_frequent_first(problem: &Plain, seed: u64, serve: impl Fn(u64, &mut Remaining) -> Vec<Placement>) -> Schedule {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut remaining = Remaining::new(&problem.capacities, &mut dice);
    let mut order: Vec<usize> = (0..problem.frequencies.len()).collect();
    order.shuffle(&mut dice);
    order.sort_by_key(|&row| Reverse(problem.frequencies[row]));
    let mut rows = vec![Vec::new(); order.len()];
    for row in order {
        rows[row] = serve(problem.frequencies[row], &mut remaining);
        rows[row].sort_unstable();
    }
    Schedule { rows }
}

#[cfg(test)]
mod tests;
