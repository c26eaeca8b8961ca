//! The proven optimum of a problem without conditions.
//!
//! The optimum is the least multiset of part sizes that makes up every frequency exactly and also fits into the slots:
//! cells of a schedule are such parts, and parts of equal size from both sides can be matched in any order into a
//! schedule with those cells (two that meet in one cell merge, which only makes the vector smaller). Rows and columns
//! thus decouple but for the number of parts of each size, and equal frequencies and equal capacities are alike.
//! [`network`] and [`side`] describe the parts of each side as paths, [`model`] couples the sides, [`chain`] bounds one
//! component of the vector after the other, [`search`] finds schedules that meet the bounds, and [`assembly`] makes
//! schedules of parts.
//!
//! The problem is strongly NP-hard, and the networks grow with the largest frequency and the largest capacity. Where a
//! network would have more than 100,000 arcs (20,000 without a deadline), or time runs out, the answer is the best
//! schedule found and what is proved by then. Frequencies and capacities around 1,000 are within reach, those of
//! several thousands are not, unless the heuristic meets a bound.

mod assembly;
mod chain;
mod model;
mod network;
mod search;
mod side;

use super::{Solution, SolveOptions, heuristic};
use crate::instance::Plain;
use search::Search;
use tamis_solver::Limit;

/// The best schedule and what is proved about it.
pub(crate) fn exact(problem: &Plain, options: &SolveOptions) -> Solution {
    let mut search = Search::new(problem, heuristic::heuristic(problem, options), options);
    let patience = &options.patience;
    let is_over = || patience.is_over();
    // Without a flag there is nothing to ask in between, and a solver that is not interrupted always does the same.
    let asked: Option<&dyn Fn() -> bool> = patience.flag.is_some().then_some(&is_over);
    search.run(&Limit { until: patience.until, nodes: None, is_over: asked });
    search.into_solution()
}
