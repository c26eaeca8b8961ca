//! The proven optimum of a component with conditions.

use super::heuristic::heuristic;
use super::kinds::Kinds;
use crate::error::Conflict;
use crate::instance::Instance;
use crate::solve::{Solution, SolveOptions, exact};

/// The best schedule found and what is proved about it: the optimum of the component without its conditions is a bound, and a
/// schedule that meets it is the optimum with them too.
pub(super) fn exact(instance: &Instance, kinds: &Kinds, options: &SolveOptions) -> Result<Solution, Conflict> {
    let relaxed = exact::exact(&instance.relaxed(), options);
    let mut found = heuristic(instance, kinds, options)?;
    found.lower_bound = found.lower_bound.max(relaxed.lower_bound.clone());
    let mut solution = found.solution(instance);
    if solution.is_optimal() && relaxed.is_optimal() {
        solution.proofs = relaxed.proofs;
    }
    Ok(solution)
}
