//! Linear programs that stay in the solver and are changed in place, so that each answer starts from the last one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which way the simplex method walks from the last basis.
///
/// After costs changed the old basis still has feasible values: [`Self::Primal`]. After rows were added or bounds changed
/// it still has optimal prices: [`Self::Dual`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simplex {
    /// Keeps values feasible.
    Primal,
    /// Keeps prices feasible.
    Dual,
}

/// How far a live program was solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveStatus {
    /// Values and prices are optimal within the tolerance.
    Optimal,
    /// No values fulfil rows and bounds.
    Infeasible,
    /// The objective has no least value.
    Unbounded,
    /// The objective is known to reach the cut-off ([`LiveProgram::set_cutoff`]).
    CutOff,
    /// Stopped by the limit of steps ([`LiveProgram::set_step_limit`]) or the deadline of its [`Budget`]. The
    /// objective is then an estimate and no bound: dual simplex may still be on its way to feasible prices, and it works with
    /// slightly changed costs. Whoever needs a bound computes it from the prices.
    Stopped,
    /// Numerical trouble, even from scratch; nothing is claimed.
    Failed,
}

/// A sparse row with bounds on its sum; either may be infinite.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveRow {
    /// The sum is at least this.
    pub lower: f64,
    /// The sum is at most this.
    pub upper: f64,
    /// Column and coefficient; every column at most once.
    pub terms: Vec<(usize, f64)>,
}

/// A column (variable) with its cost and bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiveColumn {
    /// What a unit of it adds to the objective, which is minimised.
    pub cost: f64,
    /// Its least value; may be minus infinity.
    pub lower: f64,
    /// Its greatest value; may be infinity.
    pub upper: f64,
}

/// Where the simplex method stood: which columns and rows are basic and at which bound the others rest. The meaning of the
/// numbers is the solver's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    /// One state a column.
    pub columns: Vec<i32>,
    /// One state a row.
    pub rows: Vec<i32>,
}

/// A linear program under work: sum of costs is minimised.
///
/// An implementation claims only what it knows: numerical trouble is tried again from scratch and only then
/// [`LiveStatus::Failed`]. Nor does it panic: after something that is no program (a coefficient that is not a number or
/// beyond 1e15, a column twice in a row, positions that do not exist) every solve fails.
pub trait LiveProgram: Send {
    /// Appends columns without entries in the rows so far.
    fn add_columns(&mut self, columns: &[LiveColumn]);
    /// Appends rows.
    fn add_rows(&mut self, rows: &[LiveRow]);
    /// Removes rows, given ascending; those behind move up. Rows that are not at a bound leave the basis intact; removing
    /// others makes the next solve start from scratch.
    fn delete_rows(&mut self, rows: &[usize]);
    /// Changes costs: column and cost, ascending by column.
    fn set_costs(&mut self, costs: &[(usize, f64)]);
    /// Changes bounds: column, lower, upper, ascending by column.
    fn set_bounds(&mut self, bounds: &[(usize, f64, f64)]);
    /// Dual simplex may stop once the objective is known to reach this; infinity for never. It does not look at every step,
    /// so that a program whose objective lies beyond may still be solved to the end.
    fn set_cutoff(&mut self, objective: f64);
    /// At most so many simplex steps a solve; `None` for no limit.
    fn set_step_limit(&mut self, steps: Option<u32>);
    /// Solves within a budget from now on, and counts there what they take.
    fn set_budget(&mut self, budget: &Arc<Budget>);
    /// Solves from the last basis.
    fn solve(&mut self, simplex: Simplex) -> LiveStatus;
    /// The objective of the last solve. Objective, values and prices mean something after [`LiveStatus::Optimal`] only.
    fn objective(&self) -> f64;
    /// The value of every column after the last solve.
    fn values(&self) -> &[f64];
    /// The reduced cost of every column after the last solve: how the objective grows as its value does.
    fn reduced_costs(&self) -> &[f64];
    /// The price of every row after the last solve: how the objective grows with its bound.
    fn prices(&self) -> &[f64];
    /// How many rows there are now.
    fn rows(&self) -> usize;
    /// Where the last solve ended.
    fn basis(&self) -> Basis;
    /// Starts the next solve from there. Rows and columns must be as many as then.
    fn restore(&mut self, basis: &Basis);
    /// Simplex steps taken since the program was made.
    fn steps(&self) -> u64;
}

/// Something that keeps live programs.
pub trait LiveSolver: Sync {
    /// An empty program.
    fn program(&self) -> Box<dyn LiveProgram>;
}

/// What some programs may take together and have taken so far.
///
/// Work is counted in nanoseconds as they were measured once, from the size of a program and its simplex steps: the same on
/// every machine and however busy it is, so that whoever decides by it decides the same in every run.
#[derive(Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    work: AtomicU64,
}

impl Budget {
    /// No solve goes on past the deadline, nor begins after it; `None` for no deadline.
    pub fn until(deadline: Option<Instant>) -> Self {
        Self { deadline, work: AtomicU64::new(0) }
    }

    /// When solves end.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The work done so far.
    pub fn work(&self) -> Duration {
        Duration::from_nanos(self.work.load(Ordering::Relaxed))
    }

    /// Counts a solve.
    pub fn count(&self, columns: usize, steps: u64) {
        let columns = columns as u64;
        self.spend(Duration::from_nanos(50_000 + 50 * columns + steps * (5_000 + 10 * columns)));
    }

    /// Counts other work.
    pub fn spend(&self, work: Duration) {
        self.work.fetch_add(u64::try_from(work.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A solver whose programs share one budget, so that whoever makes programs need not know of it.
pub struct Budgeted<'a> {
    solver: &'a dyn LiveSolver,
    budget: Arc<Budget>,
}

impl<'a> Budgeted<'a> {
    /// The same solver within a budget.
    pub fn new(solver: &'a dyn LiveSolver, budget: Arc<Budget>) -> Self {
        Self { solver, budget }
    }
}

impl LiveSolver for Budgeted<'_> {
    fn program(&self) -> Box<dyn LiveProgram> {
        let mut program = self.solver.program();
        program.set_budget(&self.budget);
        program
    }
}
