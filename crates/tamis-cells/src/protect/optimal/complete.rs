//! From any pattern to a protected one: what must be hidden further is found demand by demand.

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::guard::{Guard, signs};
use super::model::{Fate, Model};
use crate::attack::NoAnswer;

/// A program that moves one cell by its level at the least cost: cells that are hidden move for nothing, others pay in
/// proportion to how far they move.
pub(crate) struct Completer {
    program: Box<dyn LiveProgram>,
    bounds: Vec<(f64, f64)>,
    costs: Vec<f64>,
}

impl Completer {
    pub(crate) fn new(model: &Model<'_>, solver: &dyn LiveSolver) -> Self {
        let cells = model.cells();
        let mut program = solver.program();
        program.add_columns(&vec![LiveColumn { cost: 0.0, lower: 0.0, upper: 0.0 }; 2 * cells]);
        let rows: Vec<LiveRow> = model
            .rows
            .iter()
            .map(|terms| LiveRow {
                lower: 0.0,
                upper: 0.0,
                terms: terms.iter().flat_map(|&(cell, c)| [(2 * cell, c), (2 * cell + 1, -c)]).collect(),
            })
            .collect();
        program.add_rows(&rows);
        Self { program, bounds: vec![(0.0, 0.0); 2 * cells], costs: vec![0.0; 2 * cells] }
    }

    /// Hides cells in `guard` until every demand is met. `price` is what hiding an open cell is held to cost.
    /// `false` if a demand could not be met or `over` said so.
    pub(crate) fn complete(
        &mut self,
        model: &Model<'_>,
        guard: &mut Guard<'_>,
        price: &dyn Fn(usize) -> f64,
        over: &dyn Fn() -> bool,
    ) -> Result<bool, NoAnswer> {
        let mut order: Vec<usize> = (0..model.demands.len()).collect();
        order.sort_by(|a, b| model.demands[*b].level.total_cmp(&model.demands[*a].level));
        for demand in order {
            if over() {
                return Ok(false);
            }
            if guard.met(demand) || guard.reach(demand)? >= model.need[demand] {
                continue;
            }
            let facts = model.demands[demand];
            let mut left = 1.0;
            for &sign in signs(facts.side) {
                let room = &model.rooms[facts.attacker];
                let own = if sign > 0.0 { room.up[facts.cell] } else { room.down[facts.cell] } / facts.level;
                let distance = f64::min(left, own);
                if distance > 0.0
                    && !self.path(model, guard, demand, sign, distance, price)
                    && signs(facts.side).len() == 1
                {
                    return Ok(false);
                }
                left -= distance;
            }
            if guard.reach(demand)? < model.need[demand] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn path(
        &mut self,
        model: &Model<'_>,
        guard: &mut Guard<'_>,
        demand: usize,
        sign: f64,
        distance: f64,
        price: &dyn Fn(usize) -> f64,
    ) -> bool {
        let facts = model.demands[demand];
        let room = &model.rooms[facts.attacker];
        let (mut bounds, mut costs) = (Vec::new(), Vec::new());
        for &cell in &model.movable {
            for (column, room) in [(2 * cell, room.up[cell]), (2 * cell + 1, room.down[cell])] {
                let mut upper = if model.fate[cell] == Fate::Published { 0.0 } else { room / facts.level };
                let mut lower = 0.0;
                if cell == facts.cell {
                    let forward = (column % 2 == 0) == (sign > 0.0);
                    (lower, upper) = if forward { (distance, distance) } else { (0.0, 0.0) };
                }
                if self.bounds[column] != (lower, upper) {
                    self.bounds[column] = (lower, upper);
                    bounds.push((column, lower, upper));
                }
                let cost = if guard.hidden()[cell] { 0.0 } else { price(cell) / upper.clamp(1e-3, 1.0) };
                if self.costs[column] != cost {
                    self.costs[column] = cost;
                    costs.push((column, cost));
                }
            }
        }
        if !bounds.is_empty() {
            self.program.set_bounds(&bounds);
        }
        if !costs.is_empty() {
            self.program.set_costs(&costs);
        }
        if self.program.solve(Simplex::Primal) != LiveStatus::Optimal {
            return false;
        }
        let values = self.program.values();
        for &cell in &model.movable {
            if model.fate[cell] == Fate::Open && values[2 * cell] + values[2 * cell + 1] > 1e-9 {
                guard.hide(cell);
            }
        }
        true
    }
}
