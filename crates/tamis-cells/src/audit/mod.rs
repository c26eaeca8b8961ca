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
mod decimal;
mod part;
mod strike;
pub mod tolerance;
mod unnecessary;
mod work;

use std::sync::atomic::AtomicBool;

use tamis_solver::LiveSolver;
use thiserror::Error;

use self::certificate::Question;
use self::part::Part;
use self::strike::{Reach, Strike};
use self::tolerance::meets;
use self::work::Work;
use crate::demand::{Demand, Side};
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

/// The reaches of one cell downwards and upwards, in units of its part.
#[derive(Debug, Clone)]
struct Reaches {
    down: Reach,
    up: Reach,
}

/// A demand on a cell of a part, its level in units.
#[derive(Debug, Clone, Copy)]
struct Asked {
    /// Position in [`Demand::of`].
    number: usize,
    at: usize,
    side: Side,
    level: f64,
    value: f64,
}

impl Asked {
    fn met(&self, down: f64, up: f64) -> bool {
        meets(self.side.of(down, up), self.level, self.value)
    }
}

impl Side {
    fn of(self, down: f64, up: f64) -> f64 {
        match self {
            Self::Upper => up,
            Self::Lower => down,
            Self::Width => down + up,
        }
    }
}

/// A part, what is asked of it and, once attacked, what was found.
struct Target {
    part: Part,
    asked: Vec<Asked>,
    /// The size of deviations that matter, in units.
    scale: f64,
    reaches: Vec<Reaches>,
}

impl Target {
    fn new(part: Part, demands: &[Demand]) -> Self {
        let mut asked: Vec<Asked> = Vec::new();
        for (number, demand) in demands.iter().enumerate().filter(|(_, demand)| demand.attacker == part.attacker) {
            if let Some(at) = part.position(demand.cell) {
                let (level, value) = (part.in_units(demand.level), part.values[at]);
                asked.push(Asked { number, at, side: demand.side, level, value });
            }
        }
        let rooms = part.down.iter().chain(&part.up).copied().filter(|room| *room > 0.0 && room.is_finite());
        let least = asked.iter().map(|asked| asked.level).min_by(f64::total_cmp);
        let scale = least.or_else(|| rooms.min_by(f64::total_cmp)).unwrap_or(1.0);
        Self { part, asked, scale, reaches: Vec::new() }
    }

    /// The deviation that matters for a cell: its least level or, without one, its own room.
    fn matters(&self, at: usize, sign: i8) -> f64 {
        let own = if sign > 0 { self.part.up[at] } else { self.part.down[at] };
        let level = self.asked.iter().filter(|asked| asked.at == at).map(|asked| asked.level).min_by(f64::total_cmp);
        level.unwrap_or(if own.is_finite() { own } else { self.scale })
    }
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
    let attackers = table.attackers().len() + 1;
    let mut targets: Vec<Target> = (0..attackers)
        .flat_map(|attacker| Part::all(table, pattern, attacker))
        .map(|part| Target::new(part, &demands))
        .collect();
    let candidates = if options.unnecessary { unnecessary::candidates(table, pattern) } else { Vec::new() };
    let attacks = targets.iter().map(|target| 2 * target.part.cells.len() as u64).sum::<u64>();
    let work = Work::new(options, attacks + (candidates.len() * attackers) as u64);
    attack_all(&mut targets, solver, &work, &|_, _| true)?;

    let with_status = |status, hidden| {
        (0..expected).filter(move |cell| table.cells()[*cell].status == status && pattern.hides(*cell) == hidden)
    };
    let (exposed, unproved) = exposed(&demands, &targets);
    let (unnecessary, unnecessary_complete) = unnecessary::unnecessary(&targets, attackers, candidates, solver, &work)?;
    Ok(Audit {
        intervals: intervals(table, pattern, &targets),
        exposed,
        unproved,
        published: with_status(Status::Primary, false).collect(),
        published_hidden: with_status(Status::Hidden, false).collect(),
        hidden_fixed: with_status(Status::Fixed, true).collect(),
        unnecessary,
        unnecessary_complete,
        attacks: work.attacks(),
    })
}

/// The levels that a pattern does not meet, as [`audit`] would say, and the linear programs solved for that. Cells without
/// levels are not attacked, which makes this cheaper than a whole audit.
pub(crate) fn exposed_levels(
    table: &CellTable,
    pattern: &Pattern,
    solver: &dyn LiveSolver,
) -> Result<(Vec<Exposed>, u64), AuditError> {
    let never = AtomicBool::new(false);
    let threads = rayon::current_num_threads();
    let options = AuditOptions { threads, unnecessary: false, stop: &never, progress: &|_, _| {} };
    let demands = Demand::of(table);
    let mut targets: Vec<Target> = (0..=table.attackers().len())
        .flat_map(|attacker| Part::all(table, pattern, attacker))
        .map(|part| Target::new(part, &demands))
        .filter(|target| !target.asked.is_empty())
        .collect();
    let work = Work::new(&options, 2 * demands.len() as u64);
    let is_asked = |target: &Target, at: usize| target.asked.iter().any(|asked| asked.at == at);
    attack_all(&mut targets, solver, &work, &is_asked)?;
    Ok((exposed(&demands, &targets).0, work.attacks()))
}

/// Finds the reaches of all cells of all parts that are `wanted`; the others stay unknown.
fn attack_all(
    targets: &mut [Target],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
    wanted: &(dyn Fn(&Target, usize) -> bool + Sync),
) -> Result<(), AuditError> {
    // So many cells share one warm program: enough to make up for its first solve.
    const PIECE: usize = 64;
    let mut pieces = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let cells: Vec<usize> = (0..target.part.cells.len()).filter(|at| wanted(target, *at)).collect();
        pieces.extend(cells.chunks(PIECE).map(|piece| (number, piece.to_vec())));
    }
    let found = work.map(&pieces, |(number, cells)| {
        let target = &targets[*number];
        let mut strike = Strike::new(&target.part, solver, target.scale);
        let mut reaches = Vec::with_capacity(cells.len());
        for &at in cells {
            let mut push = |sign| {
                let reach = strike.reach(Question { target: at, sign, closed: None }, target.matters(at, sign));
                work.done(1).map(|()| reach)
            };
            reaches.push(Reaches { down: push(-1)?, up: push(1)? });
        }
        work.count(strike.attacks);
        Ok(reaches)
    })?;
    for target in targets.iter_mut() {
        let unknown = || Reach { low: 0.0, high: f64::INFINITY, support: Vec::new() };
        target.reaches = target.part.cells.iter().map(|_| Reaches { down: unknown(), up: unknown() }).collect();
    }
    for ((number, cells), found) in pieces.iter().zip(found) {
        for (at, reaches) in cells.iter().zip(found) {
            targets[*number].reaches[*at] = reaches;
        }
    }
    Ok(())
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
                if reaches.down.low > 0.0 {
                    intervals[at].lower = part.in_full(value - reaches.down.low);
                }
                if reaches.up.low > 0.0 {
                    intervals[at].upper = part.in_full(value + reaches.up.low);
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
