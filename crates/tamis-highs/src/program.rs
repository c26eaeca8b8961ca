//! A live program kept in HiGHS.

use std::ffi::CStr;
use std::sync::Arc;
use std::time::Instant;

use highs_sys as sys;
use tamis_solver::{Basis, Budget, LiveColumn, LiveProgram, LiveRow, LiveStatus, Simplex};

use crate::handle::{Handle, Int, SparseRows};

/// Tolerance of values and prices. HiGHS's own default is 1e-7; an attacker's interval is compared more closely than that.
const TIGHT: f64 = 1e-9;
/// What is tried when the tight one ends without an answer.
const LOOSE: f64 = 1e-7;

/// HiGHS refuses rows with larger coefficients. It leaves out those below 1e-9, and takes bounds from 1e20 on for infinite.
const LARGEST_COEFFICIENT: f64 = 1e15;

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
    budget: Arc<Budget>,
    /// Something outside the ranges of HiGHS was handed in: what it holds is no longer what was asked for.
    broken: bool,
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
            budget: Arc::default(),
            broken: false,
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

    fn run_from_scratch(&mut self, strategy: Int, tolerance: f64, presolve: &CStr) -> Option<LiveStatus> {
        self.handle.forget();
        self.set_strategy(strategy);
        self.set_tolerance(tolerance);
        self.handle.set_text(c"presolve", presolve);
        let claimed = claim(self.run());
        // Options stay as they are set.
        self.handle.set_text(c"presolve", c"off");
        self.set_tolerance(TIGHT);
        claimed
    }

    fn run(&mut self) -> Int {
        if let Some(deadline) = self.budget.deadline() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return sys::MODEL_STATUS_REACHED_TIME_LIMIT;
            }
            self.handle.set_number(c"time_limit", self.handle.run_time() + left.as_secs_f64());
        }
        let status = self.handle.run();
        let steps = self.handle.integer_fact(c"simplex_iteration_count");
        let steps = u64::try_from(steps).unwrap_or(0);
        self.steps += steps;
        self.budget.count(self.values.len(), steps);
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
        sys::MODEL_STATUS_REACHED_ITERATION_LIMIT | sys::MODEL_STATUS_REACHED_TIME_LIMIT => Some(LiveStatus::Stopped),
        _ => None,
    }
}

impl LiveProgram for HighsProgram {
    fn add_columns(&mut self, columns: &[LiveColumn]) {
        let of = |fact: fn(&LiveColumn) -> f64| columns.iter().map(fact).collect::<Vec<_>>();
        // HiGHS checks bounds, but takes any cost.
        let taken = columns.iter().all(|column| column.cost.is_finite() && ordered(column.lower, column.upper))
            && !self.broken
            && self.handle.add_columns(&of(|c| c.cost), &of(|c| c.lower), &of(|c| c.upper));
        self.broken |= !taken;
        self.values.resize(self.values.len() + columns.len(), 0.0);
        self.reduced_costs.resize(self.values.len(), 0.0);
    }

    fn add_rows(&mut self, rows: &[LiveRow]) {
        let mut sparse = SparseRows::default();
        // A row that HiGHS refuses leaves it with half of it: such rows must not get there.
        let mut last_row = vec![usize::MAX; self.values.len()];
        for (number, row) in rows.iter().enumerate() {
            self.broken |= !ordered(row.lower, row.upper);
            sparse.lower.push(row.lower);
            sparse.upper.push(row.upper);
            sparse.starts.push(Int::try_from(sparse.columns.len()).expect("fewer than 2^31 entries"));
            for &(column, coefficient) in &row.terms {
                let fresh = last_row.get_mut(column).is_some_and(|last| std::mem::replace(last, number) != number);
                // Negated, so that it catches what is not a number.
                self.broken |= !(fresh && coefficient.abs() < LARGEST_COEFFICIENT);
                sparse.columns.push(index(column));
                sparse.coefficients.push(coefficient);
            }
        }
        self.broken = self.broken || !self.handle.add_rows(&sparse);
        self.prices.resize(self.prices.len() + rows.len(), 0.0);
        self.activities.resize(self.prices.len(), 0.0);
    }

    fn delete_rows(&mut self, rows: &[usize]) {
        let set: Vec<Int> = rows.iter().map(|row| index(*row)).collect();
        self.broken = self.broken || !self.handle.delete_rows(&set);
        self.prices.truncate(self.prices.len().saturating_sub(rows.len()));
        self.activities.truncate(self.prices.len());
    }

    fn set_costs(&mut self, costs: &[(usize, f64)]) {
        let (columns, costs): (Vec<Int>, Vec<f64>) = costs.iter().map(|(column, cost)| (index(*column), *cost)).unzip();
        let numbers = costs.iter().all(|cost| cost.is_finite());
        self.broken = self.broken || !(numbers && self.handle.set_costs(&columns, &costs));
    }

    fn set_bounds(&mut self, bounds: &[(usize, f64, f64)]) {
        let columns: Vec<Int> = bounds.iter().map(|(column, ..)| index(*column)).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) = bounds.iter().map(|(_, lower, upper)| (*lower, *upper)).unzip();
        let numbers = bounds.iter().all(|(_, lower, upper)| ordered(*lower, *upper));
        self.broken = self.broken || !(numbers && self.handle.set_bounds(&columns, &lower, &upper));
    }

    fn set_cutoff(&mut self, objective: f64) {
        self.handle.set_number(c"objective_bound", objective);
    }

    fn set_step_limit(&mut self, steps: Option<u32>) {
        let limit = steps.and_then(|steps| Int::try_from(steps).ok()).unwrap_or(Int::MAX);
        self.handle.set_integer(c"simplex_iteration_limit", limit);
    }

    fn set_budget(&mut self, budget: &Arc<Budget>) {
        self.budget = Arc::clone(budget);
    }

    fn solve(&mut self, simplex: Simplex) -> LiveStatus {
        if self.broken {
            return LiveStatus::Failed;
        }
        let (asked, other) = if simplex == Simplex::Primal { (PRIMAL, DUAL) } else { (DUAL, PRIMAL) };
        self.set_strategy(asked);
        let mut claimed = claim(self.run());
        // The tight tolerance sometimes ends without an answer, and so does dual simplex where the objective has no least
        // value. A status other than an answer means nothing until it was tried from scratch in other ways.
        if claimed.is_none() {
            claimed = self.run_from_scratch(other, TIGHT, c"off");
        }
        for (strategy, presolve) in [(DUAL, c"off"), (PRIMAL, c"off"), (DUAL, c"on")] {
            claimed = claimed.or_else(|| self.run_from_scratch(strategy, LOOSE, presolve));
        }
        self.objective = self.handle.objective();
        self.handle
            .read_solution([&mut self.values, &mut self.reduced_costs], [&mut self.activities, &mut self.prices]);
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
        if !self.broken {
            self.handle.read_basis(&mut basis.columns, &mut basis.rows);
        }
        basis
    }

    fn restore(&mut self, basis: &Basis) {
        // A basis of another size means nothing here: the next solve then starts from wherever the last one ended.
        if !self.broken && basis.columns.len() == self.values.len() && basis.rows.len() == self.prices.len() {
            self.handle.set_basis(&basis.columns, &basis.rows);
        }
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// Whether bounds are numbers, with a lower one that can be reached. A lower bound above the upper one is allowed: nothing
/// fulfils it.
fn ordered(lower: f64, upper: f64) -> bool {
    lower < f64::INFINITY && upper > f64::NEG_INFINITY
}

/// A position as HiGHS counts. Programs have far fewer than 2^31 columns or rows: memory ends before.
fn index(position: usize) -> Int {
    Int::try_from(position).expect("fewer than 2^31 columns and rows")
}
