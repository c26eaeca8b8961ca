//! Finding patterns that protect: which further cells to hide.

mod clock;
mod heuristic;
mod optimal;
mod proof;
mod widths;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tamis_solver::{Budgeted, LiveSolver};
use thiserror::Error;

use self::clock::Clock;
use self::heuristic::{Heuristic, of_company};
use self::proof::Proof;
pub use self::widths::widths;
use crate::demand::Demand;
use crate::pattern::Pattern;
use crate::table::CellTable;

/// How a pattern is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Branch and cut until nothing cheaper can exist.
    #[default]
    Optimal,
    /// Fast, protected, and free of needless cells, but without a proof of cost.
    Heuristic,
}

/// Tables of more cells are left as the heuristic finds them.
const SMALL: usize = 700;

/// How long and how closely to seek, and who is told.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The way.
    pub method: Method,
    /// Stop after this time with the best so far.
    pub time_limit: Option<Duration>,
    /// Stop when the cost of the secondaries is proved to be within this share of the least one.
    pub gap: f64,
    /// Stop with the best so far when this becomes true.
    pub stop: &'a AtomicBool,
    /// Told now and then.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

/// Where a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// No protected pattern costs less.
    pub bound: f64,
    /// The cost of the best protected pattern so far.
    pub cost: f64,
    /// See [`gap`].
    pub gap: f64,
    /// Cuts found.
    pub cuts: usize,
    /// Nodes of the tree done.
    pub nodes: usize,
    /// Nodes of the tree waiting.
    pub open: usize,
    /// Attackers' linear programs solved.
    pub attacks: u64,
}

/// A protected pattern and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Protected {
    /// The pattern; it passed an audit with fresh linear programs.
    pub pattern: Pattern,
    /// Its cost: the weight of all hidden cells, primaries included.
    pub cost: f64,
    /// No protected pattern costs less than this.
    pub bound: f64,
    /// Whether the cost is proved least.
    pub optimal: bool,
    /// See [`gap`].
    pub gap: f64,
    /// Why the search ended.
    pub end: End,
    /// What it took.
    pub effort: Progress,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The cost is proved least, or the method proves nothing.
    Done,
    /// What is proved is as close as asked for.
    Gap,
    /// The time was over, or somebody stopped it.
    Stopped,
    /// All patterns were looked at, but linear programs do not tell costs as close as this apart.
    Rounding,
}

/// A level that cannot be met even with everything hidden that may be hidden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfReach {
    /// The level.
    pub demand: Demand,
    /// What is reached with everything hidden.
    pub reach: f64,
}

/// Why there is no pattern.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProtectError {
    /// Some levels cannot be met by any pattern.
    #[error("{} protection levels cannot be met by any pattern", .0.len())]
    CannotBeProtected(Vec<OutOfReach>),
    /// Neither a pattern that meets these levels was found nor a proof that there is none: numbers of very different sizes in
    /// one table are the usual reason.
    #[error("it is not decided whether {} protection levels can be met by any pattern", .0.len())]
    NotDecided(Vec<Demand>),
    /// Time ran out before it was known whether the table can be protected at all.
    #[error("the time ran out before it was known whether the table can be protected")]
    TimeRanOut,
}

/// How much cheaper the secondaries could still be: cost less bound, as a share of the cost of the secondaries; 0 when
/// they are equal.
pub fn gap(cost: f64, bound: f64, cost_of_primaries: f64) -> f64 {
    if cost <= bound { 0.0 } else { (cost - bound) / (cost - cost_of_primaries) }
}

/// Finds a pattern that meets every level of every primary cell against every attacker.
///
/// What is returned passes the [audit](crate::audit::audit), and what is said to be beyond reach is proved to be so in whole numbers.
/// A search with a time limit ends within a tenth more of it, or two seconds.
pub fn protect(table: &CellTable, solver: &dyn LiveSolver, options: &Options<'_>) -> Result<Protected, ProtectError> {
    let clock = Clock::new(options);
    let solver = Budgeted::new(solver, Arc::clone(clock.budget()));
    match options.method {
        Method::Heuristic => fast(table, &solver, options, &clock),
        Method::Optimal => optimal::optimal(table, &solver, options, &clock),
    }
}

/// The heuristic method. In three dimensions and more, levels are met one by one far from the optimum (10 to 30% in tables of
/// 6 x 6 x 6); there a short search among relaxations goes on from what it found, where the table is small enough for that.
fn fast(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
    clock: &Clock<'_>,
) -> Result<Protected, ProtectError> {
    let mut proof = Proof::new(table, solver, clock);
    let mut heuristic = Heuristic::new(table, solver);
    let least = Pattern::least(table);
    let (bound, must) = (of_company(table), least.cost(table));
    let tell =
        |cost: f64| (options.progress)(&Progress { bound, cost, gap: gap(cost, bound, must), ..Progress::default() });
    let (first, draft) = proof.first(&mut heuristic, clock)?;
    tell(first.cost(table));
    let draft = draft.or_else(|| heuristic.cleaned(&first, clock));
    let better = draft.filter(|_| !clock.over()).and_then(|draft| heuristic.improve(draft, bound, clock, &tell).ok());
    let cheaper = better.filter(|better| better.pattern().cost(table) <= first.cost(table));
    let pattern = match cheaper {
        Some(better) if proof.passes(&better.pattern(), &better.deviations()) => better.pattern(),
        _ => first,
    };
    let cost = pattern.cost(table);
    let optimal = proof::same_cost(cost, bound);
    let bound = if optimal { cost } else { bound };
    let attacks = heuristic.attacks() + proof.attacks;
    let effort = Progress { bound, cost, gap: gap(cost, bound, must), attacks, ..Progress::default() };
    let end = if clock.over() { End::Stopped } else { End::Done };
    let found = Protected { pattern, cost, bound, optimal, gap: effort.gap, end, effort };
    let is_deep = table.equations_of_cells().iter().any(|equations| equations.len() > 2);
    if found.optimal || !is_deep || table.cells().len() > SMALL || clock.over() {
        return Ok(found);
    }
    Ok(optimal::improve(table, solver, options, clock, &found))
}
