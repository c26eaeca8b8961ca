//! The proven optimum of a component with conditions.

use super::deletion;
use super::explicit::{Outcome, explicit};
use super::heuristic::heuristic;
use super::kinds::Kinds;
use crate::error::Conflict;
use crate::instance::Instance;
use crate::solve::{Solution, SolveOptions};

/// The best schedule found and what is proved about it: the heuristic's schedule, bettered until no better one is left. Where the
/// heuristic finds none, the search says whether there is one.
pub(super) fn exact(instance: &Instance, kinds: &Kinds, options: &SolveOptions) -> Result<Solution, Conflict> {
    // Most of the time belongs to the search, which proves what the heuristic can only find.
    let patience =
        options.patience.left().map_or_else(|| options.patience.clone(), |left| options.patience.at_most(left / 4));
    let start = heuristic(instance, kinds, &SolveOptions { patience, ..options.clone() });
    let incumbent = match start {
        Ok(found) => Ok(found.solution(instance)),
        Err(conflict) if conflict.is_proved => return Err(conflict),
        Err(conflict) => Err(conflict),
    };
    let known = incumbent.as_ref().ok().map(|solution| &solution.schedule);
    let best = match (explicit(instance, known, options), incumbent) {
        (Outcome::Solution(solution), _) => *solution,
        (Outcome::Infeasible, _) => return Err(deletion::smallest_conflict(kinds, true, &options.patience)),
        (Outcome::NothingFound, known) => known?,
    };
    let is_time_left = options.patience.left().is_some_and(|left| !left.is_zero());
    if best.is_optimal() || !is_time_left || options.patience.is_over() {
        return Ok(best);
    }
    // The search declines what is too large for it at once; the heuristic, which had a quarter of the time, makes use of the rest.
    let seed = options.seed.wrapping_add(1);
    let found = heuristic(instance, kinds, &SolveOptions { seed, ..options.clone() })?.solution(instance);
    if found.vector >= best.vector {
        return Ok(best);
    }
    Ok(Solution { schedule: found.schedule, vector: found.vector, ..best })
}
