//! The cheapest pattern, with a proof: branch and cut on the model of Fischetti and Salazar.
//!
//! A relaxation ([`master`]) knows some of the inequalities that every protected pattern fulfils; its least cost is a bound.
//! Attacks at its answer ([`separate`]) find inequalities that the answer breaks ([`cut`], [`polish`], [`strengthen`], [`halves`], [`bridgeless`]).
//! Where none is found, the search splits at a cell ([`tree`], [`branch`]). Patterns come from the relaxation's answers
//! ([`incumbent`]).
//!
//! Time: exponential in the worst case; every step is a linear program with as many columns as cells.

mod adversary;
mod branch;
mod bridgeless;
mod cut;
mod halves;
mod incumbent;
mod master;
mod model;
mod polish;
mod separate;
mod strengthen;
mod tree;

use tamis_solver::LiveSolver;

use self::incumbent::Incumbent;
use self::model::Model;
use self::tree::{Reach, Tree};
use super::clock::Clock;
use super::heuristic::of_company;
use super::proof::same_cost;
use super::{End, Options, ProtectError, Protected, gap};
use crate::pattern::Pattern;
use crate::table::CellTable;

/// The cost is least if it is proved to be so up to this share.
const OPTIMAL: f64 = 1e-9;

/// Nodes of a search that only improves a pattern.
const FEW_NODES: usize = 40;

/// Finds the cheapest protected pattern, or the best one until the search is to end.
pub(crate) fn optimal(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    clock: &Clock<'_>,
) -> Result<Protected, ProtectError> {
    let model = Model::new(table);
    let mut incumbent = Incumbent::new(&model, solver, clock);
    incumbent.first(clock)?;
    Ok(search(&model, solver, options, clock, incumbent, Reach { nested: false, most_nodes: usize::MAX }))
}

/// Goes on from a protected pattern for a few nodes.
pub(crate) fn improve(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    clock: &Clock<'_>,
    found: &Protected,
) -> Protected {
    let mut better = nested(table, solver, options, clock, &found.pattern, FEW_NODES);
    better.effort.attacks += found.effort.attacks;
    // The nodes are few on purpose.
    better.end = if better.end == End::Stopped { End::Stopped } else { End::Done };
    better
}

/// A search as a part of another one, from a pattern that is known to protect the table.
fn nested(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    clock: &Clock<'_>,
    start: &Pattern,
    most_nodes: usize,
) -> Protected {
    let model = Model::new(table);
    let mut incumbent = Incumbent::new(&model, solver, clock);
    incumbent.start_from(start.flags());
    search(&model, solver, options, clock, incumbent, Reach { nested: true, most_nodes })
}

fn search<'m>(
    model: &'m Model<'m>,
    solver: &'m dyn LiveSolver,
    options: &'m Options<'m>,
    clock: &Clock<'m>,
    mut incumbent: Incumbent<'m>,
    reach: Reach,
) -> Protected {
    let table = model.table;
    let primaries = incumbent.primaries;
    if !clock.over() && !reach.nested {
        let flat: Vec<f64> = model.least().iter().map(|hidden| f64::from(u8::from(*hidden))).collect();
        incumbent.guided(&flat, clock);
    }
    let open = if clock.over() { None } else { incumbent.unmet_by_least(clock) };
    let bound;
    let (incumbent, effort) = if let Some(open) = open {
        let mut tree = Tree::new(model, solver, options, clock.clone(), incumbent, open, reach);
        bound = tree.run();
        let ended = clock.over() || tree.is_cut_short();
        if bound < tree.incumbent.cost() && options.gap == 0.0 && !ended {
            // Rounding ended the search (weights of very different sizes): the heuristic may still find something cheaper.
            tree.incumbent.wander(clock);
        }
        let effort = tree.progress();
        (tree.incumbent, effort)
    } else {
        bound = model.base;
        let attacks = incumbent.attacks();
        (incumbent, super::Progress { attacks, ..Default::default() })
    };
    let is_stopped = clock.over();
    let cost_of_search = incumbent.cost();
    let pattern = Pattern::new(incumbent.finished(clock));
    let cost = pattern.cost(table);
    // Cells that cost nothing may have been published since, so that the two costs differ by rounding at most.
    let bound = f64::max(bound - (cost_of_search - cost), of_company(table));
    // Linear programs do not tell costs that close apart; where a single weight is as small as that, something cheaper may be missed.
    let missing = cost - bound;
    let is_rounding = missing <= OPTIMAL * cost && 100.0 * missing <= model.lightest;
    let optimal = same_cost(cost, bound) || is_rounding;
    let bound = if optimal { cost } else { bound };
    let gap = gap(cost, bound, primaries);
    let end = match () {
        () if optimal => End::Done,
        () if is_stopped => End::Stopped,
        () if gap <= options.gap => End::Gap,
        () => End::Rounding,
    };
    let effort = super::Progress { bound, cost, gap, ..effort };
    (options.progress)(&effort);
    Protected { pattern, cost, bound, optimal, gap, end, effort }
}
