//! The last word on a pattern: fresh programs that maximise and minimise, none of those of the search.

use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

use super::certify::Certifier;
use crate::attack::{Aim, NoAnswer, balanced};
use crate::audit::tolerance::meets;
use crate::demand::Side;
use crate::pattern::Pattern;
use crate::protect::OutOfReach;
use crate::table::CellTable;

/// All demands that a pattern does not meet. Time: at most two linear programs over the hidden cells a demand; one of them
/// often answers for several.
pub(super) fn exposed(
    table: &CellTable,
    solver: &dyn LiveSolver,
    certifier: &Certifier,
    pattern: &Pattern,
) -> Result<(Vec<OutOfReach>, u64), NoAnswer> {
    let mut fresh = Fresh::new(table, solver, certifier, pattern);
    let mut met = vec![false; certifier.demands.len()];
    let mut exposed = Vec::new();
    // Attacker by attacker, as demands stand; within one, costs alone change.
    for number in 0..certifier.demands.len() {
        if met[number] {
            continue;
        }
        let demand = certifier.demands[number];
        fresh.know(certifier, demand.attacker, demand.level);
        let sides: &[f64] = match demand.side {
            Side::Upper => &[1.0],
            Side::Lower => &[-1.0],
            Side::Width => &[1.0, -1.0],
        };
        let mut reach = 0.0;
        for sign in sides {
            reach += fresh.reach(demand.cell, *sign)?;
            if reach.is_finite() {
                certifier.each_met(&fresh.deviation(), |other| met[other] = true);
            }
        }
        if !met[number] && !meets(reach, demand.level, table.cells()[demand.cell].value) {
            exposed.push(OutOfReach { demand, reach });
        }
    }
    Ok((exposed, fresh.solved))
}

struct Fresh {
    program: Box<dyn LiveProgram>,
    cells: Vec<usize>,
    place: Vec<Option<usize>>,
    aim: Aim,
    attacker: usize,
    scale: f64,
    solved: u64,
}

impl Fresh {
    fn new(table: &CellTable, solver: &dyn LiveSolver, certifier: &Certifier, pattern: &Pattern) -> Self {
        let cells: Vec<usize> = pattern.cells().collect();
        let mut place = vec![None; table.cells().len()];
        cells.iter().enumerate().for_each(|(position, cell)| place[*cell] = Some(position));
        let mut program = solver.program();
        program.add_columns(&vec![LiveColumn { cost: 0.0, lower: 0.0, upper: 0.0 }; cells.len()]);
        let rows = table.equations().iter().filter(|equation| !equation.terms.is_empty()).map(|equation| {
            let row = balanced(equation);
            let terms = row.terms.into_iter().filter_map(|(cell, by)| place[cell].map(|place| (place, by)));
            LiveRow { terms: terms.collect(), ..row }
        });
        program.add_rows(&rows.filter(|row| !row.terms.is_empty()).collect::<Vec<_>>());
        let mut fresh =
            Self { program, cells, place, aim: Aim::default(), attacker: usize::MAX, scale: 1.0, solved: 0 };
        if let Some(first) = certifier.demands.first() {
            fresh.know(certifier, first.attacker, first.level);
        }
        fresh
    }

    /// Bounds as an attacker knows them, in units near the level.
    fn know(&mut self, certifier: &Certifier, attacker: usize, level: f64) {
        let ratio = level / self.scale;
        if self.attacker == attacker && (1e-2..=1e2).contains(&ratio) {
            return;
        }
        (self.attacker, self.scale) = (attacker, level);
        let room = &certifier.rooms[attacker];
        let bounds = self.cells.iter().enumerate();
        let bounds: Vec<_> =
            bounds.map(|(place, cell)| (place, -room.down[*cell] / level, room.up[*cell] / level)).collect();
        self.program.set_bounds(&bounds);
    }

    fn reach(&mut self, cell: usize, sign: f64) -> Result<f64, NoAnswer> {
        let Some(place) = self.place[cell] else { return Ok(0.0) };
        self.aim.take(&mut *self.program, place, -sign);
        self.solved += 1;
        match self.program.solve(Simplex::Primal) {
            LiveStatus::Optimal => Ok(f64::max(-self.program.objective(), 0.0) * self.scale),
            LiveStatus::Unbounded => Ok(f64::INFINITY),
            _ => Err(NoAnswer),
        }
    }

    fn deviation(&self) -> Vec<(usize, f64)> {
        let values = self.cells.iter().zip(self.program.values());
        values.filter(|(_, value)| value.abs() > 1e-9).map(|(cell, value)| (*cell, value * self.scale)).collect()
    }
}
