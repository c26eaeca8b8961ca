//! The proven optimum of a problem with conditions.

mod budget;
mod columns;
mod components;
mod costs;
mod effort;
mod halls;
mod levels;
mod memory;
mod model;
mod order;
mod partition;
mod prices;
mod relaxed;
mod rows;
mod rules;
mod search;
#[cfg(test)]
mod tests;

use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{Solution, SolveOptions};
use effort::Effort;

/// What the exact method says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// The best schedule found and what is proved about it.
    Solution(Box<Solution>),
    /// It is proved that no schedule meets the conditions.
    Infeasible,
    /// Time ran out before any schedule was found or excluded.
    NothingFound,
}

/// The best schedule of a problem with conditions, starting from one that is known if there is one.
pub(crate) fn explicit(instance: &Instance, incumbent: Option<&Schedule>, options: &SolveOptions) -> Outcome {
    components::solve(instance, incumbent, options, &mut Effort::new(options.patience.clone()))
}
