//! One attacker's linear program in units of the level that is asked for.
//!
//! With z divided by the level L of the demand at hand, every room of L or more can be capped at 1, whatever the level, and
//! the solver's absolute tolerance becomes one relative to the level.

use std::collections::HashMap;

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::model::Model;
use crate::attack::fractions::{ZERO, common_denominator};
use crate::attack::{Aim, NoAnswer};

/// A linear program over the deviations of some cells, changed in place. All others stay where they are.
pub(crate) struct Adversary {
    program: Box<dyn LiveProgram>,
    /// The cell of every column.
    cells: Vec<usize>,
    /// The column of every cell, if it has one.
    column_of: Vec<usize>,
    /// The row of the model of every row here.
    rows: Vec<usize>,
    bounds: Vec<(f64, f64)>,
    changes: Vec<(usize, f64, f64)>,
    aim: Aim,
    /// Whether the last push was one of a cell of the program.
    answered: bool,
    pub(crate) solved: u64,
}

impl Adversary {
    /// The program over the movable cells that `active` names. Few cells are hidden as a rule, and a small program takes a
    /// fraction of the time.
    pub(crate) fn new(model: &Model<'_>, solver: &dyn LiveSolver, active: impl Fn(usize) -> bool) -> Self {
        let mut program = solver.program();
        let cells: Vec<usize> = model.movable.iter().copied().filter(|cell| active(*cell)).collect();
        let mut column_of = vec![usize::MAX; model.cells()];
        let mut rows = Vec::new();
        for (column, cell) in cells.iter().enumerate() {
            column_of[*cell] = column;
            rows.extend(model.rows_of[*cell].iter().map(|(row, _)| *row));
        }
        rows.sort_unstable();
        rows.dedup();
        program.add_columns(&vec![LiveColumn { cost: 0.0, lower: 0.0, upper: 0.0 }; cells.len()]);
        let live: Vec<LiveRow> = rows
            .iter()
            .map(|row| {
                let terms = model.rows[*row].iter().filter(|(cell, _)| column_of[*cell] != usize::MAX);
                let terms = terms.map(|&(cell, c)| (column_of[cell], c)).collect();
                LiveRow { lower: 0.0, upper: 0.0, terms }
            })
            .collect();
        program.add_rows(&live);
        let bounds = vec![(0.0, 0.0); cells.len()];
        Self {
            program,
            cells,
            column_of,
            rows,
            bounds,
            changes: Vec::new(),
            aim: Aim::default(),
            answered: false,
            solved: 0,
        }
    }

    /// How far `cell` can be pushed in the direction of `sign`, at most 1, when every cell of the program has the room
    /// `(down, up)` that `room` tells. The aim itself is never given more than 1.
    pub(crate) fn push(&mut self, cell: usize, sign: f64, room: impl Fn(usize) -> (f64, f64)) -> Result<f64, NoAnswer> {
        let aim = self.column_of[cell];
        self.solved += 1;
        self.answered = aim != usize::MAX;
        if !self.answered {
            return Ok(0.0);
        }
        self.changes.clear();
        for (column, at) in self.cells.iter().enumerate() {
            let (mut down, mut up) = room(*at);
            if column == aim {
                if sign > 0.0 { up = up.min(1.0) } else { down = down.min(1.0) }
            }
            let wanted = (-down, up);
            if self.bounds[column] != wanted {
                self.bounds[column] = wanted;
                self.changes.push((column, wanted.0, wanted.1));
            }
        }
        if !self.changes.is_empty() {
            self.program.set_bounds(&self.changes);
        }
        self.aim.take(&mut *self.program, aim, -sign);
        match self.program.solve(Simplex::Primal) {
            LiveStatus::Optimal => Ok(f64::max(-self.program.objective(), 0.0)),
            _ => Err(NoAnswer),
        }
    }

    /// The deviation of a cell in the last answer, in units of the level.
    pub(crate) fn deviation(&self, cell: usize) -> f64 {
        let column = self.column_of[cell];
        if self.answered && column != usize::MAX { self.program.values()[column] } else { 0.0 }
    }

    /// The prices of the rows of the model in the last answer: row and price.
    pub(crate) fn prices(&self) -> Vec<(usize, f64)> {
        if !self.answered {
            return Vec::new();
        }
        self.rows.iter().copied().zip(self.program.prices().iter().copied()).collect()
    }
}

/// The multipliers d = s e_k + (prices) M of a push of cell k in the direction s, cell by cell where not zero.
///
/// Whatever the prices are, s z_k = sum of d_i z_i holds for every z with M z = 0: nothing about the solver needs to be
/// trusted. Prices close to fractions are taken for these, so that d is computed in whole numbers and what should be zero is
/// zero. Otherwise the second value is an error that every d_i may have.
pub(crate) fn multipliers(
    model: &Model<'_>,
    prices: &[(usize, f64)],
    cell: usize,
    sign: f64,
) -> (Vec<(usize, f64)>, f64) {
    let mut d = HashMap::<usize, i128>::new();
    let parts = common_denominator(prices.iter().map(|(_, price)| *price));
    if let Some(parts) = parts.filter(|_| model.whole) {
        d.insert(cell, sign as i128 * parts);
        for &(row, price) in prices.iter().filter(|(_, price)| price.abs() > ZERO) {
            let price = (price * parts as f64).round() as i128;
            for &(at, coefficient) in &model.rows[row] {
                *d.entry(at).or_insert(0) += price * coefficient as i128;
            }
        }
        let mut d: Vec<(usize, f64)> =
            d.into_iter().filter(|(_, d)| *d != 0).map(|(at, d)| (at, d as f64 / parts as f64)).collect();
        d.sort_unstable_by_key(|(cell, _)| *cell);
        return (d, 0.0);
    }
    let mut d = HashMap::<usize, f64>::new();
    d.insert(cell, sign);
    for &(row, price) in prices.iter().filter(|(_, price)| price.abs() > ZERO) {
        for &(at, coefficient) in &model.rows[row] {
            *d.entry(at).or_insert(0.0) += price * coefficient;
        }
    }
    let mut d: Vec<(usize, f64)> = d.into_iter().collect();
    d.sort_unstable_by_key(|(cell, _)| *cell);
    (d, 1e-13)
}
