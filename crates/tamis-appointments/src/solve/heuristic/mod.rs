//! Tamis' own heuristic for problems without conditions.

use super::{SolveOptions, rules};
use crate::instance::Plain;
use crate::schedule::Schedule;

/// A good schedule.
pub(crate) fn heuristic(problem: &Plain, options: &SolveOptions) -> Schedule {
    rules::half(problem, options.seed)
}
