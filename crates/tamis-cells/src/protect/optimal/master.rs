//! The relaxation: least cost over all inequalities found so far, one program for the whole search.

use std::collections::HashSet;

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::cut::Cut;
use super::model::{Fate, Model};
use crate::table::Sum;

/// A row that was slack in so many solves in a row leaves the program for the pool.
const PATIENCE: u32 = 12;
/// The pool forgets its oldest inequalities beyond this many.
const POOL: usize = 20_000;

/// The relaxation. Costs in it are divided by a typical weight.
pub(crate) struct Master {
    program: Box<dyn LiveProgram>,
    /// The cell of every column.
    pub(crate) cells: Vec<usize>,
    /// The weight of every column.
    weights: Vec<f64>,
    column_of: Vec<usize>,
    /// Inequalities in the program, in the order of its rows, and for how many solves each was slack.
    rows: Vec<(Cut, u32)>,
    pool: Vec<Cut>,
    known: HashSet<u64>,
    bounds: Vec<(f64, f64)>,
    pub(crate) unit: f64,
    /// The last answer, cell by cell; 1 for what is always hidden.
    pub(crate) x: Vec<f64>,
    pub(crate) found: usize,
}

impl Master {
    pub(crate) fn new(model: &Model<'_>, solver: &dyn LiveSolver) -> Self {
        let cells: Vec<usize> = (0..model.cells()).filter(|cell| model.fate[*cell] == Fate::Open).collect();
        let mut column_of = vec![usize::MAX; model.cells()];
        for (column, cell) in cells.iter().enumerate() {
            column_of[*cell] = column;
        }
        let weights: Vec<f64> = cells.iter().map(|cell| model.weight(*cell)).collect();
        let mut sorted = weights.clone();
        sorted.sort_by(f64::total_cmp);
        // Tolerances of the solver are absolute: the least weight must not be lost among them.
        let least = sorted.first().copied().unwrap_or(1.0);
        let unit = sorted.get(sorted.len() / 2).copied().unwrap_or(1.0).min(1e3 * least);
        let mut program = solver.program();
        let columns: Vec<LiveColumn> =
            weights.iter().map(|weight| LiveColumn { cost: weight / unit, lower: 0.0, upper: 1.0 }).collect();
        program.add_columns(&columns);
        let x = model.fate.iter().map(|fate| f64::from(u8::from(*fate == Fate::Hidden))).collect();
        Self {
            program,
            bounds: vec![(0.0, 1.0); cells.len()],
            cells,
            weights,
            column_of,
            rows: Vec::new(),
            pool: Vec::new(),
            known: HashSet::new(),
            unit,
            x,
            found: 0,
        }
    }

    /// Adds inequalities that are new; tells how many.
    pub(crate) fn add(&mut self, cuts: Vec<Cut>) -> usize {
        let fresh: Vec<Cut> = cuts.into_iter().filter(|cut| self.known.insert(key(cut))).collect();
        self.found += fresh.len();
        self.insert(fresh)
    }

    fn insert(&mut self, cuts: Vec<Cut>) -> usize {
        let rows: Vec<LiveRow> = cuts
            .iter()
            .map(|cut| LiveRow {
                lower: cut.rhs,
                upper: f64::INFINITY,
                terms: cut.terms.iter().map(|&(cell, c)| (self.column_of[cell], c)).collect(),
            })
            .collect();
        if !rows.is_empty() {
            self.program.add_rows(&rows);
        }
        let count = cuts.len();
        self.rows.extend(cuts.into_iter().map(|cut| (cut, 0)));
        count
    }

    /// Takes inequalities of the pool back that the last answer breaks; tells how many.
    pub(crate) fn recall(&mut self) -> usize {
        let x = &self.x;
        let mut back = Vec::new();
        self.pool.retain(|cut| {
            let broken = cut.violation(x) > 1e-3;
            if broken {
                back.push(cut.clone());
            }
            !broken
        });
        self.insert(back)
    }

    /// The inequalities in the program.
    pub(crate) fn cuts(&self) -> Vec<&Cut> {
        self.rows.iter().map(|(cut, _)| cut).collect()
    }

    /// Sets the bounds of all columns; only changes are sent.
    pub(crate) fn bound(&mut self, wanted: &[(f64, f64)]) {
        let mut changes = Vec::new();
        for (column, (now, wanted)) in self.bounds.iter_mut().zip(wanted).enumerate() {
            if now != wanted {
                *now = *wanted;
                changes.push((column, wanted.0, wanted.1));
            }
        }
        if !changes.is_empty() {
            self.program.set_bounds(&changes);
        }
    }

    /// Solves; [`Solved::Nothing`] if nothing within the bounds can cost less than `cutoff` (true units, without the base).
    pub(crate) fn solve(&mut self, cutoff: f64) -> Solved {
        self.program.set_cutoff(if cutoff.is_finite() { cutoff / self.unit } else { f64::INFINITY });
        let mut status = self.program.solve(Simplex::Dual);
        if status == LiveStatus::CutOff {
            if self.proved() >= cutoff {
                return Solved::Nothing;
            }
            self.program.set_cutoff(f64::INFINITY);
            status = self.program.solve(Simplex::Dual);
        }
        match status {
            LiveStatus::Optimal => {}
            LiveStatus::Infeasible => return Solved::Nothing,
            _ => return Solved::Failed,
        }
        for (value, cell) in self.program.values().iter().zip(&self.cells) {
            self.x[*cell] = if *value < 1e-9 {
                0.0
            } else if *value > 1.0 - 1e-9 {
                1.0
            } else {
                *value
            };
        }
        let prices = self.program.prices();
        for ((_, idle), price) in self.rows.iter_mut().zip(prices) {
            *idle = if *price > 1e-9 { 0 } else { *idle + 1 };
        }
        Solved::Bound(self.proved())
    }

    /// What no answer within the bounds costs less than, by the prices of the last solve alone.
    ///
    /// For any prices y >= 0 of the rows a x >= b and d = c - y a, the cost c x is y a x + d x, hence at least y b plus the
    /// least of d x within the bounds of x. That holds whatever the solver did; what rounding may take away is counted and
    /// subtracted. (A. Neumaier and O. Shcherbina, *Safe bounds in linear and mixed-integer linear programming*, 2004.) Time:
    /// linear in the terms.
    fn proved(&self) -> f64 {
        let mut left: Vec<Sum> = self.weights.iter().map(|weight| Sum::of(*weight)).collect();
        let mut bound = Sum::default();
        for ((cut, _), price) in self.rows.iter().zip(self.program.prices()) {
            let price = price * self.unit;
            if price > 0.0 {
                bound.add(price * cut.rhs);
                for &(cell, coefficient) in &cut.terms {
                    left[self.column_of[cell]].add(-price * coefficient);
                }
            }
        }
        let mut rounding = 0.0;
        for (left, (lower, upper)) in left.iter().zip(&self.bounds) {
            bound.add(f64::min(left.value() * lower, left.value() * upper));
            rounding += left.size * upper;
        }
        // Every product and every sum is off by less than two units of its last place.
        bound.value() - 4.0 * f64::EPSILON * (rounding + bound.size)
    }

    /// Moves rows that have long been slack to the pool.
    pub(crate) fn purge(&mut self) {
        let out: Vec<usize> = (0..self.rows.len()).filter(|row| self.rows[*row].1 > PATIENCE).collect();
        if out.len() < 20 {
            return;
        }
        self.program.delete_rows(&out);
        let pool = &mut self.pool;
        self.rows.retain(|(cut, idle)| {
            let keep = *idle <= PATIENCE;
            if !keep {
                pool.push(cut.clone());
            }
            keep
        });
        if self.pool.len() > POOL {
            for cut in self.pool.drain(..POOL / 4) {
                self.known.remove(&key(&cut));
            }
        }
    }

    /// The reduced cost of every column in the last answer, true units.
    pub(crate) fn reduced_costs(&self) -> Vec<f64> {
        self.program.reduced_costs().iter().map(|cost| cost * self.unit).collect()
    }

    /// The value of every column in the last answer.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.cells.iter().map(|cell| self.x[*cell])
    }

    pub(crate) fn program(&mut self) -> &mut dyn LiveProgram {
        &mut *self.program
    }

    pub(crate) fn bounds(&self) -> &[(f64, f64)] {
        &self.bounds
    }
}

/// What a solve of the relaxation tells.
pub(crate) enum Solved {
    /// The least cost, without the base.
    Bound(f64),
    /// Nothing is left below the cut-off.
    Nothing,
    /// No answer.
    Failed,
}

/// Equal for equal inequalities, up to noise.
fn key(cut: &Cut) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    for &(cell, c) in &cut.terms {
        cell.hash(&mut hasher);
        ((c * 1e7).round() as i64).hash(&mut hasher);
    }
    ((cut.rhs * 1e7).round() as i64).hash(&mut hasher);
    hasher.finish()
}
