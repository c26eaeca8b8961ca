//! The proven optimum of a problem with conditions.
//!
//! Conditions tie people to slots and to each other, so rows and columns no longer decouple as they do without them: a schedule has
//! to be looked for cell by cell. What makes that feasible is that the vector is a sum over slots and that the lexicographic order
//! does not change when the same vector is added to both sides. The method:
//!
//! * **One component after the other** ([`levels`]). Once the components below a size are proved, every schedule worth looking at has
//!   exactly these, and a cell of a size that is proved not to occur is forbidden. The question is then always the same: is there a
//!   schedule with this prefix and at most so many cells of the next size? A yes is a better schedule, a no is the proof.
//! * **The problem as slots and kinds** ([`model`]). Units that have the same members, count alike in every mixing rule ([`rules`]) and
//!   have the same slots are one kind. Fixed appointments are placed beforehand. Slots are ordered such that few kinds are open.
//! * **A bound from prices** ([`prices`], [`costs`]). What a cell costs is shared between its row and its column. A row by itself
//!   is a shortest path over slots ([`rows`]), a column by itself is a knapsack ([`columns`]), with a price for every family that ties
//!   rows together ([`families`]). Every schedule is a path in every row and a filling of every column, and pays their sum, so the sum
//!   of the minima is a bound whatever the shares are; a subgradient ascent raises it. All of it is integer arithmetic, so no
//!   rounding can make the bound wrong.
//! * **A search** ([`search`]) that fills slot after slot. The tables of the bound hold the cheapest rest for every state of every row
//!   and every number of people left, so the bound of a situation is a few lookups. A situation is left if the bound exceeds the
//!   target, if a limited size is exhausted ([`budget`]), if some people have fewer places than heads left ([`halls`]), if a mixing
//!   rule can no longer hold, or if the same units were left before after spending no more small cells ([`memory`]). Of kinds that
//!   differ in their slots only, the one with fewer slots to come goes first; slots alike are not told apart ([`order`]).
//!
//! Why leaving is right: a schedule that meets the target has exactly the proved prefix, so it costs at most the target's limit in
//! any shares; the remembered situations are right because the best rest depends on the units left alone, and the order of
//! vectors is that of sums; the exchanges behind the order of kinds and slots change no cell, no load and no counter.
//!
//! Complexity: the problem is strongly NP-hard, and so is deciding whether there is a schedule at all. With R slots, Q rows of f
//! people and slots of c places one round of prices is O(Q R f c + R Q c²) without families (each set of families worth picking
//! adds O(Q c²), at most some thousands per slot). The search is exponential in the worst case, memory is bounded (situations beyond
//! 192 MiB are not remembered, and at most some thousand ways per slot are kept). Where time runs out, the answer is
//! the best schedule, the proved prefix, and the smallest vector that begins with it.

mod branching;
mod budget;
mod columns;
mod costs;
mod effort;
mod families;
mod halls;
mod levels;
mod memory;
mod model;
mod order;
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
    explicit_within(instance, incumbent, options, u64::MAX)
}

/// The same in so many steps at most, which end at the same place on every machine.
pub(crate) fn explicit_within(
    instance: &Instance,
    incumbent: Option<&Schedule>,
    options: &SolveOptions,
    steps: u64,
) -> Outcome {
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
        _ => {
            let mut effort = Effort::with_steps(options.patience.clone(), steps);
            levels::solve(instance, incumbent, &relaxed, options.level, &mut effort)
        }
    }
}
