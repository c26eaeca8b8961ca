//! The best that can be found, and proven, in a given time.
//!
//! Two searches take turns of equal length on one store of evaluated transformations:
//! * [`improve`](LocalSearch) walks downhill from transformations it shakes out of the best so far (iterated local search);
//! * [`prove`](Proof) divides the lattice into boxes and bounds each from what its most general corner must suppress and what its
//!   least general corner already loses (branch and bound, best first). The least bound of the open boxes holds for the whole lattice.
//!
//! Each candidate the first finds closes boxes of the second. Where the boxes run out, the best is the optimum. Nothing is numbered
//! or listed, so lattices may have any number of transformations.

mod explorer;
mod local_search;
mod proof;

use super::{Limits, Observer, SearchError, Solution};
use crate::Problem;
use explorer::Explorer;
use local_search::LocalSearch;
use proof::Proof;

/// Evaluations each search gets at its turn. Half the time for each served both best and bound well over the tables tried.
const TURN: u64 = 64;

/// The best transformation found within the limits, and a bound on what any could reach.
///
/// Runs until the optimum is proven, `limits.stop` becomes true, or `limits.evaluations` or `limits.time` (ten seconds if neither is
/// given) is used up; looks at all of them before each evaluation. The most general transformation is evaluated in any case. With the
/// same seed and no limit but `evaluations` the result is the same every time. One thread is used, whatever `limits.threads` says.
///
/// `lower_bound` is proven at any time: no admissible transformation scores below it. `is_optimal` says that all others are ruled out,
/// ties included, so the result is then the one [`optimal`](super::optimal) returns.
///
/// An evaluation takes time linear in the distinct tuples for each attribute; dividing a box adds a bound per attribute and level. Memory
/// beyond the tuples stays below about 150 MB, 128 MB of it for boxes: when those are used up, boxes are divided depth first.
pub fn heuristic(problem: &Problem, limits: &Limits<'_>, observer: &mut dyn Observer) -> Result<Solution, SearchError> {
    let mut explorer = Explorer::new(problem, limits);
    let mut proof = Proof::new(&explorer);
    let mut search = LocalSearch::new(problem, limits.seed);
    let size = problem.lattice.approximate_size();
    search.descend_from_top(&mut explorer);
    while !explorer.is_over() && !proof.is_complete() {
        proof.advance(&mut explorer, TURN);
        let bound = proof.lower_bound(&explorer);
        observer.progress(size - proof.open(), size, explorer.best_value(), bound.value());
        if !proof.is_complete() {
            search.advance(&mut explorer, TURN);
        }
    }
    proof.settle(&explorer);
    let lower_bound = proof.lower_bound(&explorer);
    let is_optimal = proof.is_complete();
    observer.progress(size - proof.open(), size, explorer.best_value(), lower_bound.value());
    let frontier = explorer.into_frontier();
    let checked = frontier.checked;
    let Some(best) = frontier.best else {
        return Err(if is_optimal {
            SearchError::NoSolution { limit: problem.limit, rows: problem.frequency.rows, checked }
        } else {
            SearchError::TimeOut
        });
    };
    Ok(Solution {
        levels: best.levels,
        score: best.score,
        tally: best.tally,
        is_optimal,
        lower_bound,
        checked,
        nodes: frontier.nodes,
    })
}
