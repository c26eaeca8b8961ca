//! Levels that other levels make superfluous, for whoever tells all that is out of reach.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use tamis_solver::LiveSolver;

use super::OutOfReach;
use crate::audit::{Verdict, exposed_levels};
use crate::pattern::Pattern;
use crate::table::{CellTable, Levels};

/// The widths of cells with a level out of reach that are out of reach too. Searches leave them out where both other levels ask for
/// as much together. Until a deadline, if there is one.
pub fn widths(
    table: &CellTable,
    beyond: &[OutOfReach],
    solver: &dyn LiveSolver,
    until: Option<Instant>,
) -> Vec<OutOfReach> {
    let is_short: HashSet<(usize, usize)> =
        beyond.iter().map(|level| (level.demand.attacker, level.demand.cell)).collect();
    let width = |attacker: usize, cell: usize, levels: Levels| {
        let is_left_out = levels.sliding <= levels.lower + levels.upper;
        let is_asked = is_left_out && is_short.contains(&(attacker, cell));
        Levels { sliding: if is_asked { levels.sliding } else { 0.0 }, ..Levels::default() }
    };
    let mut cells = table.cells().to_vec();
    let mut attackers = table.attackers().to_vec();
    for (number, attacker) in attackers.iter_mut().enumerate() {
        let own: HashMap<usize, Levels> = attacker.levels.iter().copied().collect();
        let of = |cell: usize| own.get(&cell).copied().unwrap_or(cells[cell].levels);
        attacker.levels = (0..cells.len()).map(|cell| (cell, width(number + 1, cell, of(cell)))).collect();
    }
    for (number, cell) in cells.iter_mut().enumerate() {
        cell.levels = width(0, number, cell.levels);
    }
    let Ok(table) = CellTable::new(cells, table.equations().to_vec(), attackers) else { return Vec::new() };
    let Verdict { exposed, unproved, .. } = exposed_levels(&table, &Pattern::most(&table), solver, &[], until);
    let proved = exposed.into_iter().filter(|level| !unproved.contains(&level.demand));
    proved.map(|level| OutOfReach { demand: level.demand, reach: level.reach }).collect()
}
