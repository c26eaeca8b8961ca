//! The attacker's problem: how far can a hidden cell lie from its true value, given all that is published?
//!
//! In deviations z = y - a from the true values the equations lose their right-hand sides: M z = 0. A cell that is hidden
//! to the degree x (0 published, 1 hidden, between in a relaxation) deviates by at most -LB x to UB x, where LB and UB are
//! the distances of the value from its bounds. The attacker maximises or minimises the deviation of one cell.
//!
//! One [`Attack`] keeps one linear program for one attacker: from cell to cell only two costs change, so that primal simplex
//! goes on from the last corner. Time: one simplex run, a few steps when warm.

mod aim;
pub(crate) mod fractions;
mod route;

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

pub(crate) use self::aim::Aim;
pub(crate) use self::route::{Deviation, Part, Router};
use crate::table::CellTable;

/// Which way the attacker pushes a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To its maximum.
    Up,
    /// To its minimum.
    Down,
}

/// How far every cell may deviate downwards and upwards, as one attacker knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// Value less lower bound, a cell; never negative, may be infinite.
    pub down: Vec<f64>,
    /// Upper bound less value, a cell; never negative, may be infinite.
    pub up: Vec<f64>,
}

impl Room {
    /// What attacker number `attacker` knows; 0 is the public.
    pub fn of(table: &CellTable, attacker: usize) -> Self {
        let mut room = Self {
            down: table.cells().iter().map(|cell| cell.value - cell.lower).collect(),
            up: table.cells().iter().map(|cell| cell.upper - cell.value).collect(),
        };
        if let Some(known) = attacker.checked_sub(1) {
            for &(cell, lower, upper) in &table.attackers()[known].bounds {
                let value = table.cells()[cell].value;
                room.down[cell] = f64::min(room.down[cell], value - lower);
                room.up[cell] = f64::min(room.up[cell], upper - value);
            }
        }
        room
    }
}

/// How many times what it asks for an attack may move any other cell. A deviation that meets a level seldom needs more than a
/// few times of it; what is found within is true without, and what is not found is no proof of anything.
pub(crate) const FAR: f64 = 8192.0;

/// The unit that a program counts deviations in when it is asked for one of this size: the power of four not below it.
///
/// A solver's tolerances are absolute and data is not: a level of 0.00001 may stand beside values of 1e12. In such units
/// what is asked for lies between a quarter and 1, and no number of the program is above [`FAR`].
pub(crate) fn scale_of(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() { f64::exp2(2.0 * (size.log2() / 2.0).ceil().clamp(-400.0, 400.0)) } else { 1.0 }
}

/// A room in units of a program; one without a bound stays so.
pub(crate) fn framed(room: f64, scale: f64) -> f64 {
    if room == f64::INFINITY { room } else { f64::min(room / scale, FAR) }
}

/// The solver gave no answer, even from scratch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the linear solver gave no answer to an attacker's problem, even from scratch")]
pub struct NoAnswer;

/// One attacker's linear program, changed in place.
pub struct Attack {
    program: Box<dyn LiveProgram>,
    /// Deviations in the program are true deviations divided by this.
    scale: f64,
    /// Bounds now in the program, scaled.
    bounds: Vec<(f64, f64)>,
    aim: Aim,
}

impl Attack {
    /// The program with every cell published. `scale` is the size of deviations that matter, for example the largest level:
    /// tolerances of the solver are absolute, data of 1e9 must not meet them unscaled.
    pub fn new(table: &CellTable, solver: &dyn LiveSolver, scale: f64) -> Self {
        let mut program = solver.program();
        let closed = LiveColumn { cost: 0.0, lower: 0.0, upper: 0.0 };
        program.add_columns(&vec![closed; table.cells().len()]);
        // Rows are scaled to a largest coefficient of 1: equations hold for z whatever their factor.
        let rows: Vec<LiveRow> =
            table.equations().iter().filter(|equation| !equation.terms.is_empty()).map(balanced).collect();
        program.add_rows(&rows);
        Self { program, scale, bounds: vec![(0.0, 0.0); table.cells().len()], aim: Aim::default() }
    }

    /// Lets every cell deviate between `-down` and `up` (true units; infinite for no bound). Only what changed is sent.
    pub fn open(&mut self, down: impl Fn(usize) -> f64, up: impl Fn(usize) -> f64) {
        let mut changes = Vec::new();
        for (cell, bounds) in self.bounds.iter_mut().enumerate() {
            let wanted = (-down(cell) / self.scale, up(cell) / self.scale);
            if *bounds != wanted {
                *bounds = wanted;
                changes.push((cell, wanted.0, wanted.1));
            }
        }
        if !changes.is_empty() {
            self.program.set_bounds(&changes);
        }
    }

    /// The largest deviation of `cell` in a direction, as a distance that is not negative; infinite if there is no bound.
    pub fn reach(&mut self, cell: usize, direction: Direction) -> Result<f64, NoAnswer> {
        let cost = if direction == Direction::Up { -1.0 } else { 1.0 };
        self.aim.take(&mut *self.program, cell, cost);
        match self.program.solve(Simplex::Primal) {
            LiveStatus::Optimal => Ok(f64::max(-self.program.objective(), 0.0) * self.scale),
            LiveStatus::Unbounded => Ok(f64::INFINITY),
            _ => Err(NoAnswer),
        }
    }

    /// The deviation of a cell in the last answer, true units: a table that the attacker holds possible.
    pub fn deviation(&self, cell: usize) -> f64 {
        self.program.values()[cell] * self.scale
    }
}

/// An equation as a row over deviations, with a largest coefficient of 1.
pub(crate) fn balanced(equation: &crate::table::Equation) -> LiveRow {
    let largest = equation.terms.iter().map(|(_, coefficient)| coefficient.abs()).fold(0.0, f64::max);
    let terms = equation.terms.iter().map(|&(cell, coefficient)| (cell, coefficient / largest)).collect();
    LiveRow { lower: 0.0, upper: 0.0, terms }
}
