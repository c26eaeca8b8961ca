//! What an attacker computes from a published table, whoever made the pattern.
//!
//! For every attacker and every hidden cell the audit computes the least and the greatest value that the published cells, the
//! equations and the known bounds leave possible, and holds them against the levels of the primary cells.
//!
//! # What makes it sure
//! * Fresh linear programs over the hidden cells only, one for each set of cells that equations link (`part`).
//! * No answer of the solver counts without a proof that is checked apart from it (`certificate`): a table that reaches so
//!   far, or prices that show that none reaches further. Numbers with finitely many decimals are checked in whole
//!   numbers, free of rounding; others in floating point with a tolerance of 1e-12 of the terms.
//! * A level counts as met only if a proved table meets it ([`tolerance::meets`]). If neither "met" nor "not met" can be proved, other
//!   ways and scales are tried, and at last the level counts as exposed and is listed as [`Audit::unproved`].
//! * Numbers are counted in units of their last decimal, and programs are scaled by powers of two to the size of the
//!   levels: 1e9 and 1e-3 are alike.
//!
//! # Cost
//! Two linear programs a hidden cell and attacker, each warm from the last; the search for unnecessary cells adds one for
//! each candidate and level whose known tables all use the candidate, up to a few times as many. Work is cut into pieces that do not depend on the
//! number of threads, so that neither does the outcome.

mod certificate;
mod extents;
mod levels;
mod part;
mod shared;
mod strike;
mod target;
pub mod tolerance;
mod unnecessary;
mod witness;
mod work;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tamis_solver::LiveSolver;
use thiserror::Error;

use self::part::Part;
use self::target::{Reaches, Target};
use self::work::Work;
use crate::attack::Deviation;
use crate::demand::Demand;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// The values that an attacker holds possible for a hidden cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The hidden cell.
    pub cell: usize,
    /// The attacker: 0 is the public, 1 the first of [`CellTable::attackers`].
    pub attacker: usize,
    /// The least possible value; may be minus infinity.
    pub lower: f64,
    /// The greatest possible value; may be infinity.
    pub upper: f64,
}

/// A level that a pattern does not meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exposed {
    /// The level.
    pub demand: Demand,
    /// How far the interval reaches instead.
    pub reach: f64,
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// One for each hidden cell and attacker, attacker by attacker, cells ascending.
    pub intervals: Vec<Interval>,
    /// Levels that are not met, in the order of [`Demand::of`].
    pub exposed: Vec<Exposed>,
    /// Those of the exposed levels for which neither a table that meets them nor a proof that there is none was found. They
    /// count as exposed to be safe; numbers of very different sizes in one table are the usual reason.
    pub unproved: Vec<Demand>,
    /// Primary cells that the pattern publishes; all their levels are exposed.
    pub published: Vec<usize>,
    /// Cells that must be hidden ([`Status::Hidden`]) but are published.
    pub published_hidden: Vec<usize>,
    /// Cells that must be published ([`Status::Fixed`]) but are hidden.
    pub hidden_fixed: Vec<usize>,
    /// Hidden cells, neither primary nor to be hidden, that could each be published without exposing a level that is met
    /// now, the others staying as they are. Empty if it was not asked for.
    pub unnecessary: Vec<usize>,
    /// Whether every cell was tried for that. The search is given a few times the work of the audit itself, so that patterns
    /// that hide far too much do not take for ever; cells not tried are not listed.
    pub unnecessary_complete: bool,
    /// Whether both ends of every interval were found. If the time ended before, or there are too many attackers for that, the intervals are those that were shown to be
    /// possible so far, and may be wider in truth.
    pub intervals_complete: bool,
    /// Attackers' linear programs solved.
    pub attacks: u64,
}

impl Audit {
    /// Whether every level is met and every cell that must be hidden is.
    pub fn is_protected(&self) -> bool {
        self.exposed.is_empty() && self.published.is_empty() && self.published_hidden.is_empty()
    }
}

/// How an audit is run.
#[derive(Clone, Copy)]
pub struct AuditOptions<'a> {
    /// Threads; 0 for as many as there are processors.
    pub threads: usize,
    /// Whether to look for unnecessary cells too.
    pub unnecessary: bool,
    /// When to stop looking for the ends of intervals; levels are judged in any case.
    pub deadline: Option<Instant>,
    /// Stops the audit without an answer.
    pub stop: &'a AtomicBool,
    /// Told how many of how many attacks are done.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// Why there is no audit.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AuditError {
    /// Stopped by the user.
    #[error("the audit was stopped before it was done")]
    Stopped,
    /// The pattern belongs to another table.
    #[error("the pattern is for {found} cells, but the table has {expected}; give a pattern of this table")]
    OtherTable {
        /// Flags of the pattern.
        found: usize,
        /// Cells of the table.
        expected: usize,
    },
    /// The solver failed.
    #[error(transparent)]
    NoAnswer(#[from] crate::attack::NoAnswer),
}

/// Attacks every hidden cell of a pattern.
pub fn audit(
    table: &CellTable,
    pattern: &Pattern,
    solver: &dyn LiveSolver,
    options: &AuditOptions<'_>,
) -> Result<Audit, AuditError> {
    let (found, expected) = (pattern.flags().len(), table.cells().len());
    if found != expected {
        return Err(AuditError::OtherTable { found, expected });
    }
    let demands = Demand::of(table);
    let mut targets = targets(table, pattern, &demands);
    let candidates = if options.unnecessary { unnecessary::candidates(table, pattern) } else { Vec::new() };
    let ends = targets.iter().map(|target| 2 * target.part.cells.len() as u64).sum::<u64>();
    let tried = (candidates.len() * (table.attackers().len() + 1)) as u64;
    let work = Work::new(options, demands.len() as u64 + ends + tried);
    levels::attack(table, &mut targets, Vec::new(), solver, &work)?;
    let (exposed, unproved) = exposed(&demands, &targets);
    // Before the ends: tables that just meet a level move fewer cells than those that go as far as possible.
    let (unnecessary, unnecessary_complete) = unnecessary::unnecessary(table, &targets, candidates, solver, &work)?;
    let intervals_complete = extents::attack(&mut targets, solver, &work)?;
    let with_status = |status, hidden| {
        (0..expected).filter(move |cell| table.cells()[*cell].status == status && pattern.hides(*cell) == hidden)
    };
    Ok(Audit {
        intervals: intervals(table, pattern, &targets),
        exposed,
        unproved,
        published: with_status(Status::Primary, false).collect(),
        published_hidden: with_status(Status::Hidden, false).collect(),
        hidden_fixed: with_status(Status::Fixed, true).collect(),
        unnecessary,
        unnecessary_complete,
        intervals_complete,
        attacks: work.attacks(),
    })
}

/// What is asked of each part of a pattern, attacker by attacker.
fn targets(table: &CellTable, pattern: &Pattern, demands: &[Demand]) -> Vec<Target> {
    let parts = (0..=table.attackers().len()).flat_map(|attacker| Part::all(table, pattern, attacker));
    parts.map(|part| Target::new(part, demands)).collect()
}

/// What a pattern fails to do, as far as levels go.
pub(crate) struct Verdict {
    /// Levels that are not met, as [`audit`] would say.
    pub(crate) exposed: Vec<Exposed>,
    /// Those of them for which that is not proved.
    pub(crate) unproved: Vec<Demand>,
    /// Linear programs solved.
    pub(crate) attacks: u64,
}

/// The levels that a pattern does not meet. Deviations that somebody holds possible are put to the test first; a level that
/// one of them meets needs no attack. After `until` there are no attacks, and what is not decided by then is exposed and unproved. Cells without levels are not attacked, which makes this cheaper than a whole audit.
pub(crate) fn exposed_levels(
    table: &CellTable,
    pattern: &Pattern,
    solver: &dyn LiveSolver,
    deviations: &[Deviation],
    until: Option<Instant>,
) -> Verdict {
    let never = AtomicBool::new(false);
    let threads = rayon::current_num_threads();
    let options = AuditOptions { threads, unnecessary: false, deadline: None, stop: &never, progress: &|_, _| {} };
    let demands = Demand::of(table);
    let mut targets = targets(table, pattern, &demands);
    // What the public holds possible is looked at for all others.
    targets.retain(|target| target.part.attacker == 0 || !target.asked.is_empty());
    let mut given = Vec::new();
    for (number, target) in targets.iter_mut().take_while(|target| target.part.attacker == 0).enumerate() {
        for deviation in deviations {
            if let Some(witness) = target.witness(deviation).map(Arc::new) {
                target.learn_shared(&witness);
                given.push((number, witness));
            }
        }
    }
    let work = Work::new(&options, demands.len() as u64).until(until);
    // Nobody stops it.
    let _ = levels::attack(table, &mut targets, given, solver, &work);
    let (exposed, unproved) = exposed(&demands, &targets);
    Verdict { exposed, unproved, attacks: work.attacks() }
}

fn intervals(table: &CellTable, pattern: &Pattern, targets: &[Target]) -> Vec<Interval> {
    let mut intervals = Vec::new();
    for attacker in 0..=table.attackers().len() {
        let start = intervals.len();
        intervals.extend(pattern.cells().map(|cell| {
            let value = table.cells()[cell].value;
            Interval { cell, attacker, lower: value, upper: value }
        }));
        for Target { part, reaches, .. } in targets.iter().filter(|target| target.part.attacker == attacker) {
            for ((cell, value), reaches) in part.cells.iter().zip(&part.values).zip(reaches) {
                let at = start + intervals[start..].partition_point(|interval| interval.cell < *cell);
                let (down, up) = (reaches.down.ends.end(), reaches.up.ends.end());
                if down > 0.0 {
                    intervals[at].lower = part.in_full(value - down);
                }
                if up > 0.0 {
                    intervals[at].upper = part.in_full(value + up);
                }
            }
        }
    }
    intervals
}

/// Levels that are not met, and those among them without a proof.
fn exposed(demands: &[Demand], targets: &[Target]) -> (Vec<Exposed>, Vec<Demand>) {
    // Demands on published and pinned cells are in no part: nothing deviates there.
    let mut reach: Vec<Option<f64>> = vec![Some(0.0); demands.len()];
    let mut unproved = vec![false; demands.len()];
    for target in targets {
        for asked in &target.asked {
            let Reaches { down, up } = &target.reaches[asked.at];
            let (down, up) = (down.ends, up.ends);
            if asked.met(down.low, up.low) {
                reach[asked.number] = None;
            } else {
                reach[asked.number] = Some(target.part.in_full(asked.side.of(down.low, up.low)));
                unproved[asked.number] = asked.met(down.high, up.high);
            }
        }
    }
    let exposed =
        demands.iter().zip(reach).filter_map(|(demand, reach)| Some(Exposed { demand: *demand, reach: reach? }));
    let unproved = demands.iter().zip(unproved).filter(|(_, unproved)| *unproved).map(|(demand, _)| *demand);
    (exposed.collect(), unproved.collect())
}
