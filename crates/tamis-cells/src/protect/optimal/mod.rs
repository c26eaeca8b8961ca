//! The cheapest pattern, with a proof: branch and cut on the model of Fischetti and Salazar.
//!
//! A relaxation ([`master`]) knows some of the inequalities that every protected pattern fulfils; its least cost is a bound.
//! Attacks at its answer ([`separate`]) find inequalities that the answer breaks ([`cut`], [`polish`], [`strengthen`], [`halves`], [`bridgeless`]).
//! Where none is found, the search splits at a cell ([`tree`], [`branch`]). Patterns come from the relaxation's answers
//! ([`incumbent`]), and are kept protected while cells are published again ([`guard`]).
//!
//! Time: exponential in the worst case; every step is a linear program with as many columns as cells.

mod adversary;
mod branch;
mod bridgeless;
mod cut;
mod guard;
mod halves;
mod incumbent;
mod master;
mod model;
mod polish;
mod separate;
mod strengthen;
mod tree;

use std::time::Duration;

use tamis_solver::LiveSolver;

use self::incumbent::Incumbent;
use self::model::Model;
use self::tree::{Reach, Tree};
use super::clock::Clock;
use super::heuristic::of_company;
use super::proof::same_cost;
use super::{Options, ProtectError, Protected, gap};
use crate::pattern::Pattern;
use crate::table::CellTable;

/// Nodes of a search that only improves a pattern.
const FEW_NODES: usize = 40;

/// Finds the cheapest protected pattern, or the best one until the search is to end.
pub(crate) fn optimal(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
) -> Result<Protected, ProtectError> {
    search(table, solver, options, None, usize::MAX)
}

/// Goes on from a protected pattern for a few nodes.
pub(crate) fn improve(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    found: &Protected,
) -> Result<Protected, ProtectError> {
    let better = search(table, solver, options, Some(&found.pattern), FEW_NODES)?;
    let attacks = found.effort.attacks + better.effort.attacks;
    Ok(Protected { effort: super::Progress { attacks, ..better.effort }, ..better })
}

/// The same for a table that `start` is known to protect, as a part of a search for more; or for any table.
fn search(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    start: Option<&Pattern>,
    most_nodes: usize,
) -> Result<Protected, ProtectError> {
    let clock = Clock::new(options);
    let model = Model::new(table);
    let primaries = Pattern::least(table).cost(table);
    let mut incumbent = Incumbent::new(&model, solver, primaries);
    if let Some(start) = start {
        incumbent.start_from(start.flags());
    } else if !incumbent.first(&clock)? {
        // Without this check nothing can be said at all, so that it may take longer than the limit.
        let patience = options.time_limit.map(|limit| 2 * limit + Duration::from_secs(5));
        let over = || clock.stopped() || patience.is_some_and(|patience| clock.elapsed() > patience);
        let beyond = incumbent.beyond(&over)?.ok_or(ProtectError::TimeRanOut)?;
        if !beyond.is_empty() {
            return Err(ProtectError::CannotBeProtected(beyond));
        }
    }
    let open = if clock.over() { Vec::new() } else { incumbent.unmet_by_least()? };
    if !clock.over() && start.is_none() {
        let flat: Vec<f64> = model.least().iter().map(|hidden| f64::from(u8::from(*hidden))).collect();
        incumbent.guided(&flat, &clock)?;
    }
    let bound;
    let (incumbent, effort) = if clock.over() {
        bound = model.base;
        let attacks = incumbent.attacks();
        (incumbent, super::Progress { attacks, ..Default::default() })
    } else {
        let reach = Reach { nested: start.is_some(), most_nodes };
        let mut tree = Tree::new(&model, solver, options, clock, incumbent, open, reach);
        bound = tree.run()?;
        let ended = clock.over() || tree.is_cut_short();
        if bound < tree.incumbent.cost() && options.gap == 0.0 && !ended {
            // Rounding ended the search (weights of very different sizes): the heuristic may still find something cheaper.
            tree.incumbent.wander(&clock)?;
        }
        let effort = tree.progress();
        (tree.incumbent, effort)
    };
    let cost_of_search = incumbent.cost();
    let pattern = Pattern::new(incumbent.finished(&|| clock.stopped())?);
    let cost = pattern.cost(table);
    // Cells that cost nothing may have been published since, so that the two costs differ by rounding at most.
    let bound = f64::max(bound - (cost_of_search - cost), of_company(table));
    let optimal = same_cost(cost, bound);
    let bound = if optimal { cost } else { bound };
    let gap = gap(cost, bound, primaries);
    let effort = super::Progress { bound, cost, gap, ..effort };
    (options.progress)(&effort);
    Ok(Protected { pattern, cost, bound, optimal, gap, effort })
}
