//! Linear programs that stay in the solver and are changed in place, so that each answer starts from the last one.

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
    /// Stopped by the limit of steps ([`LiveProgram::set_step_limit`]). The objective is then an estimate and no bound: dual
    /// simplex may still be on its way to feasible prices, and it works with slightly changed costs. Whoever needs a
    /// bound computes it from the prices.
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
