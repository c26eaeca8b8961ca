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
//! The networks grow with the largest sums in them. Sums that would make them too large stay out, in a [`pool`]: a group of thousands
//! among groups of fifty is hardly ever what a proof hangs on. [`pairing`] puts large groups into large slots for a first schedule.
//!
//! Where groups and slots are few, [`supports`] finds the optimum by looking at which cells are used, whatever the sizes: it comes first
//! where the networks would be large.
//!
//! The problem is strongly NP-hard. Where time runs out, the tree that is searched would fill the memory, or there are many cells and more
//! than 10,000 sizes to tell apart, the answer is the best schedule found and what is proved by then.

mod assembly;
mod chain;
mod model;
mod network;
mod pairing;
mod pool;
mod search;
mod side;

use super::{Solution, SolveOptions, bounds, heuristic, supports};
use crate::instance::Plain;
use pairing::Paired;
use search::Search;
use std::time::Instant;
use tamis_solver::Limit;

/// The best schedule and what is proved about it.
pub(crate) fn exact(problem: &Plain, options: &SolveOptions) -> Solution {
    let patience = &options.patience;
    let is_over = || patience.is_over();
    // Without a flag there is nothing to ask in between, and a solver that is not interrupted always does the same.
    let asked: Option<&dyn Fn() -> bool> = patience.flag.is_some().then_some(&is_over);
    let limit = Limit { until: patience.until, nodes: None, is_over: asked };
    let mut search = Search::new(problem, heuristic::heuristic(problem, options), options);
    let turn = Turn::before_networks(problem).filter(|_| !search.meets_bound());
    if let Some(turn) = turn {
        search.look_at_uses(&turn.limit(&limit));
    }
    if search.is_done() {
        return search.into_solution();
    }
    if let Some(paired) = Paired::of(problem).filter(|_| !search.meets_bound()) {
        let start = heuristic::heuristic(&paired.rest, options);
        let mut of_rest = Search::new(&paired.rest, start, options);
        let soon = limit.left().and_then(|left| Instant::now().checked_add(left / 3));
        of_rest.run_briefly(&Limit { until: soon, ..limit });
        search.adopt(paired.schedule(of_rest.into_solution().schedule));
    }
    search.run(&limit);
    if let Some(turn) = Turn::after_networks(problem, turn).filter(|_| !search.is_done()) {
        search.look_at_uses(&turn.limit(&limit));
    }
    search.into_solution()
}

/// How much of the time, or how many steps where there is no deadline, the search for the cells that are used may take.
#[derive(Debug, Clone, Copy)]
struct Turn {
    share: f64,
    steps: u64,
}

/// With so few cells it is worth a try to look at all ways to use them.
const FEW_CELLS: usize = 64;

/// With so many the search still finds better schedules, where nothing else would.
const SEARCHED_CELLS: usize = 1_000;

/// Nodes times cells, which take about a microsecond each.
const BRIEF_STEPS: u64 = 1_000_000;
const MORE_STEPS: u64 = 20_000_000;
const ALL_STEPS: u64 = 200_000_000;

impl Turn {
    /// The turn before the networks: none where these are small, a brief one where they prove most problems, and a long one where they
    /// are hardly ever built.
    fn before_networks(problem: &Plain) -> Option<Self> {
        const SMALL_NETWORK: u64 = 100;
        const LARGE_NETWORK: u64 = 450;
        if supports::cells(problem) > FEW_CELLS {
            return None;
        }
        match bounds::largest_cell(problem) {
            size if size <= SMALL_NETWORK => None,
            size if size <= LARGE_NETWORK => Some(Self { share: 0.1, steps: BRIEF_STEPS }),
            size if size <= chain::MOST_SIZES => Some(Self { share: 0.5, steps: MORE_STEPS }),
            _ => Some(Self { share: 0.75, steps: ALL_STEPS }),
        }
    }

    /// The turn after the networks, if there was no long one before.
    fn after_networks(problem: &Plain, before: Option<Self>) -> Option<Self> {
        let was_long = before.is_some_and(|turn| turn.steps > BRIEF_STEPS);
        let cells = supports::cells(problem);
        let is_for_nothing_else = cells <= SEARCHED_CELLS && bounds::largest_cell(problem) > chain::MOST_SIZES;
        let is_worth_it = cells <= FEW_CELLS || is_for_nothing_else;
        (is_worth_it && !was_long).then_some(Self { share: 1.0, steps: MORE_STEPS })
    }

    fn limit<'a>(self, limit: &Limit<'a>) -> Limit<'a> {
        match limit.left() {
            Some(left) => Limit { until: Instant::now().checked_add(left.mul_f64(self.share)), nodes: None, ..*limit },
            None => Limit { nodes: Some(self.steps), ..*limit },
        }
    }
}

#[cfg(test)]
mod tests;
