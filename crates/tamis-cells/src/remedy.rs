//! What would bring a level within reach that no pattern meets.

use tamis_solver::LiveSolver;

use crate::attack::{Attack, Direction, Room};
use crate::demand::Side;
use crate::protect::OutOfReach;
use crate::table::{CellTable, Status};

/// One change of a table after which a level could be met.
#[derive(Debug, Clone, PartialEq)]
pub enum Remedy {
    /// The bounds of the cell itself leave too little room: they must reach this far. Needed, but not always enough.
    OwnBounds {
        /// The lower bound that leaves room, if it is one that is in the way.
        lower: Option<f64>,
        /// The upper bound that leaves room, if it is one that is in the way.
        upper: Option<f64>,
    },
    /// These cells, which must be published, may be hidden instead.
    Free(Vec<usize>),
    /// The bounds of these cells are wider.
    Bounds(Vec<usize>),
    /// The level is no more than what is reached.
    Lower,
}

/// What would bring a level within reach, easiest to understand first; lowering the level is always the last.
///
/// Takes up to four linear programs: the attacker's with all cells open at their bounds, and with all cells open without bounds
/// except those that must be published. The cells named are those that move in one answer: enough, but not always the fewest.
pub fn remedies(table: &CellTable, level: &OutOfReach, solver: &dyn LiveSolver) -> Vec<Remedy> {
    let demand = &level.demand;
    let mut remedies = Vec::new();
    let room = Room::of(table, demand.attacker);
    let facts = &table.cells()[demand.cell];
    let (down, up) = (room.down[demand.cell], room.up[demand.cell]);
    let half = demand.level / 2.0;
    // How far the cell itself must be able to go.
    let (need_down, need_up) = match demand.side {
        Side::Upper => (0.0, demand.level),
        Side::Lower => (demand.level, 0.0),
        Side::Width if down + up >= demand.level => (0.0, 0.0),
        Side::Width if down >= half => (0.0, demand.level - down),
        Side::Width if up >= half => (demand.level - up, 0.0),
        Side::Width => (half, half),
    };
    let lower = (need_down > down).then_some(facts.value - need_down);
    let upper = (need_up > up).then_some(facts.value + need_up);
    if lower.is_some() || upper.is_some() {
        remedies.push(Remedy::OwnBounds { lower, upper });
    }
    let (own_down, own_up) = (f64::max(down, need_down), f64::max(up, need_up));
    let is_fixed = |cell: usize| table.cells()[cell].status == Status::Fixed;
    let at_bounds = |cell: usize, of: &[f64], own: f64| if cell == demand.cell { own } else { of[cell] };
    let mut attack = Attack::new(table, solver, f64::max(demand.level, f64::MIN_POSITIVE));

    attack.open(|cell| at_bounds(cell, &room.down, own_down), |cell| at_bounds(cell, &room.up, own_up));
    if let Some(moved) = moving(&mut attack, table, level) {
        let freed: Vec<usize> = moved.into_iter().filter(|cell| is_fixed(*cell)).collect();
        if !freed.is_empty() {
            remedies.push(Remedy::Free(freed));
        }
    }
    let unbounded = |cell: usize, own: f64| match cell {
        cell if cell == demand.cell => own,
        cell if is_fixed(cell) => 0.0,
        // Far enough for any table of ordinary coefficients, and finite so that the answer is a corner.
        _ => demand.level * 1e3,
    };
    attack.open(|cell| f64::max(unbounded(cell, own_down), 0.0), |cell| f64::max(unbounded(cell, own_up), 0.0));
    if let Some(moved) = moving(&mut attack, table, level) {
        let beyond: Vec<usize> = moved
            .into_iter()
            .filter(|&cell| {
                let moved = attack.deviation(cell);
                let slack = 1e-9 * demand.level;
                cell != demand.cell && (moved > room.up[cell] + slack || -moved > room.down[cell] + slack)
            })
            .collect();
        if !beyond.is_empty() {
            remedies.push(Remedy::Bounds(beyond));
        }
    }
    remedies.push(Remedy::Lower);
    remedies
}

/// The cells that move in an answer that meets the level, the cell itself left out; none if no answer does.
fn moving(attack: &mut Attack, table: &CellTable, level: &OutOfReach) -> Option<Vec<usize>> {
    let demand = &level.demand;
    let mut moved = vec![false; table.cells().len()];
    let mut reached = 0.0;
    for (direction, side) in [(Direction::Down, Side::Lower), (Direction::Up, Side::Upper)] {
        if demand.side != side && demand.side != Side::Width {
            continue;
        }
        let reach = attack.reach(demand.cell, direction).ok()?;
        if !reach.is_finite() {
            return None;
        }
        reached += reach;
        for (cell, moved) in moved.iter_mut().enumerate() {
            *moved |= attack.deviation(cell).abs() > 1e-7 * demand.level;
        }
    }
    moved[demand.cell] = false;
    let cells = moved.iter().enumerate().filter(|(_, moved)| **moved).map(|(cell, _)| cell);
    (reached >= demand.level * (1.0 - 1e-9)).then(|| cells.collect())
}
