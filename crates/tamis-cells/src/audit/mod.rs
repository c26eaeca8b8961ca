//! What an attacker computes from a published table, whoever made the pattern.

use std::sync::atomic::AtomicBool;

use tamis_solver::LiveSolver;
use thiserror::Error;

use crate::demand::Demand;
use crate::pattern::Pattern;
use crate::table::CellTable;

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
    /// Levels that are not met.
    pub exposed: Vec<Exposed>,
    /// Primary cells that the pattern publishes.
    pub published: Vec<usize>,
    /// Hidden cells, neither primary nor to be hidden, that could each be published without exposing anything, the others
    /// staying as they are.
    pub unnecessary: Vec<usize>,
    /// Attackers' linear programs solved.
    pub attacks: u64,
}

/// How an audit is run.
#[derive(Clone, Copy)]
pub struct AuditOptions<'a> {
    /// Threads; 0 for as many as there are processors.
    pub threads: usize,
    /// Whether to look for unnecessary cells too.
    pub unnecessary: bool,
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
    let _ = (table, pattern, solver, options);
    unimplemented!()
}
