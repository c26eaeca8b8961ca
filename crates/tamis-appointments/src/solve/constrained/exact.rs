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
        Ok(found) => Ok(found.solution(instance).schedule),
        Err(conflict) if conflict.is_proved => return Err(conflict),
        Err(conflict) => Err(conflict),
    };
    match (explicit(instance, incumbent.as_ref().ok(), options), incumbent) {
        (Outcome::Solution(solution), _) => Ok(*solution),
        (Outcome::Infeasible, _) => Err(deletion::smallest_conflict(kinds, true, &options.patience)),
        (Outcome::NothingFound, Err(conflict)) => Err(conflict),
        (Outcome::NothingFound, Ok(_)) => Err(Conflict::default()),
    }
}
