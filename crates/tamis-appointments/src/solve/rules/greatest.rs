//! The rule that gave the paper's printed result.

use super::half::place;
use super::most_frequent_first;
use crate::instance::Plain;
use crate::schedule::Schedule;

/// Algorithm 2 with the largest slot where none holds everybody, instead of the largest up to half of them.
///
/// This is the rule behind the matrix the paper prints for the running example, with the vector (2,3,1,1). O((Q + R)
/// log R).
pub(crate) fn greatest(problem: &Plain, seed: u64) -> Schedule {
    most_frequent_first(problem, seed, |people, remaining| {
        place(people, remaining, |_, remaining| remaining.take_largest())
    })
}
