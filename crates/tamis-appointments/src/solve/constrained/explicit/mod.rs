//! The proven optimum of a problem with conditions.

mod budget;
mod columns;
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
use relaxed::Relaxed;

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
    let incumbent = incumbent.filter(|schedule| instance.check(schedule).is_ok());
    let is_met_by = |relaxed: &Relaxed| incumbent.is_some_and(|best| best.vector(instance) == relaxed.lower_bound);
    if instance.people() > instance.capacities.iter().sum() {
        return Outcome::Infeasible;
    }
    let mut relaxed = Relaxed::at_once(instance);
    if !is_met_by(&relaxed) {
        relaxed = Relaxed::proved(instance, &options.patience);
    }
    match incumbent {
        Some(best) if is_met_by(&relaxed) => Outcome::Solution(Box::new(relaxed.solution(instance, best.clone()))),
        _ => levels::solve(instance, incumbent, &relaxed, options.level, &mut Effort::new(options.patience.clone())),
    }
}
