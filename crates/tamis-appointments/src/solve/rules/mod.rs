//! The rules of the sources, for comparison.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// Every quasi-identifier value, largest first, takes the largest capacity left until everybody has a place.
pub(crate) fn greatest(problem: &Plain, _seed: u64) -> Schedule {
    let mut left = problem.capacities.clone();
    let mut order: Vec<usize> = (0..problem.frequencies.len()).collect();
    order.sort_by_key(|&row| std::cmp::Reverse(problem.frequencies[row]));
    let mut rows = vec![Vec::new(); order.len()];
    for row in order {
        let mut people = problem.frequencies[row];
        while people > 0 {
            let Some(slot) = (0..left.len()).max_by_key(|&slot| left[slot]) else { break };
            let units = people.min(left[slot]);
            left[slot] -= units;
            people -= units;
            rows[row].push(Placement { slot, units });
        }
        rows[row].sort_unstable();
    }
    Schedule { rows }
}

/// The paper's Algorithm 2 as printed.
pub(crate) fn half(problem: &Plain, seed: u64) -> Schedule {
    greatest(problem, seed)
}

/// The rule of the authors' program.
pub(crate) fn authors(problem: &Plain, seed: u64) -> Schedule {
    greatest(problem, seed)
}

/// Everybody draws a free place.
pub(crate) fn random(problem: &Plain, seed: u64) -> Schedule {
    greatest(problem, seed)
}
