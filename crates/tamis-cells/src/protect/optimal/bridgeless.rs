//! A hidden cell that cannot move is hidden in vain.
//!
//! If no attacker can move a hidden secondary at all, publishing it changes nothing for anybody. So some cheapest pattern
//! hides no such cell, and only such patterns need be looked at: an open cell i is hidden only together with further cells
//! that let it move. For any multipliers d with z_i = sum over the others of d_j z_j: x_i <= sum of x_j over d_j != 0.
//! (Cells that cost nothing are hidden from the start and never stand on the left.)

use tamis_solver::LiveSolver;

use super::adversary::{Adversary, multipliers};
use super::cut::Cut;
use super::model::{Fate, Model};
use crate::attack::NoAnswer;

/// The program that looks for such inequalities.
pub(crate) struct Bridges<'m> {
    solver: &'m dyn LiveSolver,
    solved: u64,
}

impl<'m> Bridges<'m> {
    pub(crate) fn new(solver: &'m dyn LiveSolver) -> Self {
        Self { solver, solved: 0 }
    }

    pub(crate) fn solved(&self) -> u64 {
        self.solved
    }

    /// Violated inequalities with single equations for d, the deepest of each equation.
    pub(crate) fn of_equations(model: &Model<'_>, x: &[f64]) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for terms in &model.rows {
            let sum: f64 = terms.iter().map(|(cell, _)| x[*cell]).sum();
            let open = terms.iter().filter(|(cell, _)| model.fate[*cell] == Fate::Open);
            let Some(&(dearest, _)) = open.max_by(|a, b| x[a.0].total_cmp(&x[b.0])) else { continue };
            if terms.iter().any(|(cell, _)| model.fate[*cell] == Fate::Hidden) {
                continue;
            }
            if 2.0 * x[dearest] - sum > 1e-4 {
                let sign = |cell| if cell == dearest { -1.0 } else { 1.0 };
                let mut terms: Vec<(usize, f64)> = terms.iter().map(|(cell, _)| (*cell, sign(*cell))).collect();
                terms.sort_unstable_by_key(|(cell, _)| *cell);
                cuts.push(Cut { terms, rhs: 0.0 });
            }
        }
        cuts
    }

    /// Violated inequalities found by linear programs: each cell j may move by x_j, how far does cell i get?
    pub(crate) fn of_programs(
        &mut self,
        model: &Model<'_>,
        x: &[f64],
        most: usize,
        over: &dyn Fn() -> bool,
    ) -> Result<Vec<Cut>, NoAnswer> {
        let mut cuts = Vec::new();
        let mut certified = vec![false; x.len()];
        let mut adversary = Adversary::new(model, self.solver, |cell| x[cell] > 0.0);
        let mut cells: Vec<usize> =
            model.movable.iter().copied().filter(|cell| model.fate[*cell] == Fate::Open && x[*cell] > 1e-3).collect();
        cells.sort_by(|a, b| x[*b].total_cmp(&x[*a]));
        for cell in cells {
            if certified[cell] || cuts.len() >= most || over() {
                continue;
            }
            let want = x[cell];
            let reach = adversary.push(cell, 1.0, |at| (x[at], x[at]))?;
            if reach >= want - 1e-4 {
                for &at in &model.movable {
                    certified[at] |= adversary.deviation(at).abs() >= x[at] - 1e-6;
                }
                continue;
            }
            let (d, error) = multipliers(model, &adversary.prices(), cell, 1.0);
            if let Some(cut) = support(model, &d, error, cell).filter(|cut| cut.violation(x) > 1e-3) {
                cuts.push(cut);
            }
        }
        self.solved += adversary.solved;
        Ok(cuts)
    }
}

/// The inequality of one cell and multipliers; `None` if something always hidden takes part or d is not exact.
fn support(model: &Model<'_>, d: &[(usize, f64)], error: f64, cell: usize) -> Option<Cut> {
    if error > 0.0 {
        return None;
    }
    let mut terms = Vec::new();
    for &(at, value) in d {
        // z_i = sum d_j z_j: with d_i = 1 on the right it says nothing about i, with another it can be solved for z_i.
        if at == cell {
            if value == 1.0 {
                return None;
            }
            continue;
        }
        match model.fate[at] {
            Fate::Hidden => return None,
            Fate::Open => terms.push((at, 1.0)),
            Fate::Published => {}
        }
    }
    terms.push((cell, -1.0));
    terms.sort_unstable_by_key(|(cell, _)| *cell);
    Some(Cut { terms, rhs: 0.0 })
}
