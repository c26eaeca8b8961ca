//! A live program kept in HiGHS.

use highs_sys as sys;
use tamis_solver::{Basis, LiveColumn, LiveProgram, LiveRow, LiveStatus, Simplex};

use crate::handle::{Handle, Int, SparseRows};

/// Tolerance of values and prices. HiGHS's own default is 1e-7; an attacker's interval is compared more closely than that.
const TIGHT: f64 = 1e-9;
/// What is tried when the tight one ends without an answer.
const LOOSE: f64 = 1e-7;

/// Codes of HiGHS for its option `simplex_strategy`.
const DUAL: Int = 1;
const PRIMAL: Int = 4;

pub(crate) struct HighsProgram {
    handle: Handle,
    values: Vec<f64>,
    reduced_costs: Vec<f64>,
    activities: Vec<f64>,
    prices: Vec<f64>,
    objective: f64,
    steps: u64,
    strategy: Int,
}

impl HighsProgram {
    pub(crate) fn new() -> Self {
        let mut handle = Handle::new();
        handle.set_switch(c"output_flag", false);
        handle.set_text(c"presolve", c"off");
        handle.set_text(c"solver", c"simplex");
        handle.set_text(c"parallel", c"off");
        handle.set_integer(c"threads", 1);
        handle.set_integer(c"simplex_strategy", DUAL);
        let mut program = Self {
            handle,
            values: Vec::new(),
            reduced_costs: Vec::new(),
            activities: Vec::new(),
            prices: Vec::new(),
            objective: 0.0,
            steps: 0,
            strategy: DUAL,
        };
        program.set_tolerance(TIGHT);
        program
    }

    fn set_tolerance(&mut self, tolerance: f64) {
        self.handle.set_number(c"primal_feasibility_tolerance", tolerance);
        self.handle.set_number(c"dual_feasibility_tolerance", tolerance);
    }

    fn set_strategy(&mut self, strategy: Int) {
        if self.strategy != strategy {
            self.handle.set_integer(c"simplex_strategy", strategy);
            self.strategy = strategy;
        }
    }

    fn run(&mut self) -> Int {
        let status = self.handle.run();
        let steps = self.handle.integer_fact(c"simplex_iteration_count");
        self.steps += u64::try_from(steps).unwrap_or(0);
        status
    }
}

/// What a status of HiGHS claims; `None` if nothing.
fn claim(status: Int) -> Option<LiveStatus> {
    match status {
        sys::MODEL_STATUS_OPTIMAL | sys::MODEL_STATUS_MODEL_EMPTY => Some(LiveStatus::Optimal),
        sys::MODEL_STATUS_INFEASIBLE => Some(LiveStatus::Infeasible),
        sys::MODEL_STATUS_UNBOUNDED => Some(LiveStatus::Unbounded),
        sys::MODEL_STATUS_OBJECTIVE_BOUND => Some(LiveStatus::CutOff),
        sys::MODEL_STATUS_REACHED_ITERATION_LIMIT => Some(LiveStatus::Stopped),
        _ => None,
    }
}

impl LiveProgram for HighsProgram {
    fn add_columns(&mut self, columns: &[LiveColumn]) {
        let of = |fact: fn(&LiveColumn) -> f64| columns.iter().map(fact).collect::<Vec<_>>();
        self.handle.add_columns(&of(|c| c.cost), &of(|c| c.lower), &of(|c| c.upper));
        self.values.resize(self.values.len() + columns.len(), 0.0);
        self.reduced_costs.resize(self.values.len(), 0.0);
    }

    fn add_rows(&mut self, rows: &[LiveRow]) {
        let mut sparse = SparseRows::default();
        for row in rows {
            sparse.lower.push(row.lower);
            sparse.upper.push(row.upper);
            sparse.starts.push(Int::try_from(sparse.columns.len()).expect("fewer than 2^31 entries"));
            for &(column, coefficient) in &row.terms {
                sparse.columns.push(index(column));
                sparse.coefficients.push(coefficient);
            }
        }
        self.handle.add_rows(&sparse);
        self.prices.resize(self.prices.len() + rows.len(), 0.0);
        self.activities.resize(self.prices.len(), 0.0);
    }

    fn delete_rows(&mut self, rows: &[usize]) {
        let set: Vec<Int> = rows.iter().map(|row| index(*row)).collect();
        self.handle.delete_rows(&set);
        self.prices.truncate(self.prices.len() - rows.len());
        self.activities.truncate(self.prices.len());
    }

    fn set_costs(&mut self, costs: &[(usize, f64)]) {
        let (columns, costs): (Vec<Int>, Vec<f64>) = costs.iter().map(|(column, cost)| (index(*column), *cost)).unzip();
        self.handle.set_costs(&columns, &costs);
    }

    fn set_bounds(&mut self, bounds: &[(usize, f64, f64)]) {
        let columns: Vec<Int> = bounds.iter().map(|(column, ..)| index(*column)).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) = bounds.iter().map(|(_, lower, upper)| (*lower, *upper)).unzip();
        self.handle.set_bounds(&columns, &lower, &upper);
    }

    fn set_cutoff(&mut self, objective: f64) {
        self.handle.set_number(c"objective_bound", objective);
    }

    fn set_step_limit(&mut self, steps: Option<u32>) {
        let limit = steps.and_then(|steps| Int::try_from(steps).ok()).unwrap_or(Int::MAX);
        self.handle.set_integer(c"simplex_iteration_limit", limit);
    }

    fn solve(&mut self, simplex: Simplex) -> LiveStatus {
        self.set_strategy(if simplex == Simplex::Primal { PRIMAL } else { DUAL });
        let mut claimed = claim(self.run());
        // The tight tolerance sometimes ends without an answer. A status other than an answer means nothing until it was
        // tried from scratch, with another method and then with presolve.
        if claimed.is_none() {
            self.handle.forget();
            self.set_strategy(DUAL);
            self.set_tolerance(LOOSE);
            claimed = claim(self.run());
            if claimed.is_none() {
                self.handle.forget();
                self.handle.set_text(c"presolve", c"on");
                claimed = claim(self.run());
                self.handle.set_text(c"presolve", c"off");
            }
            self.set_tolerance(TIGHT);
        }
        self.objective = self.handle.objective();
        self.handle
            .read_solution((&mut self.values, &mut self.reduced_costs), (&mut self.activities, &mut self.prices));
        claimed.unwrap_or(LiveStatus::Failed)
    }

    fn objective(&self) -> f64 {
        self.objective
    }

    fn values(&self) -> &[f64] {
        &self.values
    }

    fn reduced_costs(&self) -> &[f64] {
        &self.reduced_costs
    }

    fn prices(&self) -> &[f64] {
        &self.prices
    }

    fn rows(&self) -> usize {
        self.prices.len()
    }

    fn basis(&self) -> Basis {
        let mut basis = Basis { columns: vec![0; self.values.len()], rows: vec![0; self.prices.len()] };
        self.handle.read_basis(&mut basis.columns, &mut basis.rows);
        basis
    }

    fn restore(&mut self, basis: &Basis) {
        self.handle.set_basis(&basis.columns, &basis.rows);
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// A position as HiGHS counts. Programs have far fewer than 2^31 columns or rows: memory ends before.
fn index(position: usize) -> Int {
    Int::try_from(position).expect("fewer than 2^31 columns and rows")
}
