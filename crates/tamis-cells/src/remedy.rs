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
/// The cells named are enough, and none of them can be spared; another choice may have fewer. Takes one linear program or two for
/// each cell that moves in a first answer.
///
/// ```
/// # use tamis_cells::{Demand, Side, format, protect::OutOfReach, remedy::{Remedy, remedies}};
/// # fn example(solver: &dyn tamis_solver::LiveSolver) {
/// let text = r#"{ "cells": [
///     { "id": "a", "value": 3, "status": "primary", "upl": 1 }, { "id": "b", "value": 4, "status": "fixed" },
///     { "id": "sum", "value": 7, "status": "fixed" } ],
///   "equations": [ { "terms": [["a", 1], ["b", 1], ["sum", -1]] } ] }"#;
/// let table = format::read(text.as_bytes(), "example.json").unwrap();
/// let level = OutOfReach { demand: Demand { cell: 0, attacker: 0, side: Side::Upper, level: 1.0 }, reach: 0.0 };
/// assert_eq!(remedies(&table, &level, solver).last(), Some(&Remedy::Lower));
/// # }
/// ```
pub fn remedies(table: &CellTable, level: &OutOfReach, solver: &dyn LiveSolver) -> Vec<Remedy> {
    let mut remedies = Vec::new();
    let mut trial = Trial::new(table, level, solver);
    let facts = &table.cells()[level.demand.cell];
    let own = level.demand.cell;
    let (need_down, need_up) = trial.need;
    let lower = (need_down > trial.room.down[own]).then_some(facts.value - need_down);
    let upper = (need_up > trial.room.up[own]).then_some(facts.value + need_up);
    if lower.is_some() || upper.is_some() {
        remedies.push(Remedy::OwnBounds { lower, upper });
    }
    let cells = table.cells().len();
    let fixed: Vec<usize> = (0..cells).filter(|&cell| table.cells()[cell].status == Status::Fixed).collect();
    if let Some(freed) = trial.enough(&fixed, Change::Freed).filter(|freed| !freed.is_empty()) {
        remedies.push(Remedy::Free(freed));
    }
    let others: Vec<usize> = (0..cells).filter(|&cell| cell != own && !fixed.contains(&cell)).collect();
    if let Some(widened) = trial.enough(&others, Change::Widened).filter(|widened| !widened.is_empty()) {
        remedies.push(Remedy::Bounds(widened));
    }
    remedies.push(Remedy::Lower);
    remedies
}

/// What is tried on cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Freed,
    Widened,
}

/// One attacker's program under changes of the table.
struct Trial<'t> {
    table: &'t CellTable,
    level: &'t OutOfReach,
    room: Room,
    /// How far the cell itself must be able to go downwards and upwards.
    need: (f64, f64),
    attack: Attack,
    changed: Vec<bool>,
}

impl<'t> Trial<'t> {
    /// Far enough for any table of ordinary coefficients, and finite so that every answer is a corner.
    const FAR: f64 = 1e4;
    /// So many cells are tried one by one; more are named as they are.
    const MOST_TRIED: usize = 200;

    fn new(table: &'t CellTable, level: &'t OutOfReach, solver: &dyn LiveSolver) -> Self {
        let demand = &level.demand;
        let room = Room::of(table, demand.attacker);
        let (down, up) = (room.down[demand.cell], room.up[demand.cell]);
        let half = demand.level / 2.0;
        let need = match demand.side {
            Side::Upper => (0.0, demand.level),
            Side::Lower => (demand.level, 0.0),
            Side::Width if down + up >= demand.level => (0.0, 0.0),
            Side::Width if down >= half => (0.0, demand.level - down),
            Side::Width if up >= half => (demand.level - up, 0.0),
            Side::Width => (half, half),
        };
        let attack = Attack::new(table, solver, demand.level);
        Self { table, level, room, need, attack, changed: vec![false; table.cells().len()] }
    }

    /// Those of the cells whose change brings the level within reach, none of which can be spared; none if all are not enough.
    fn enough(&mut self, cells: &[usize], change: Change) -> Option<Vec<usize>> {
        self.changed.fill(false);
        for &cell in cells {
            self.changed[cell] = true;
        }
        let moved = self.moved(change)?;
        let mut needed: Vec<usize> = cells.iter().copied().filter(|&cell| moved[cell]).collect();
        self.changed.fill(false);
        for &cell in &needed {
            self.changed[cell] = true;
        }
        for cell in needed.clone().into_iter().take(Self::MOST_TRIED) {
            self.changed[cell] = false;
            if self.moved(change).is_none() {
                self.changed[cell] = true;
            }
        }
        needed.retain(|&cell| self.changed[cell]);
        Some(needed)
    }

    /// The cells that move in an answer that meets the level; none if there is no such answer.
    fn moved(&mut self, change: Change) -> Option<Vec<bool>> {
        let Self { table, level, room, need, attack, changed } = self;
        let (demand, far) = (&level.demand, Self::FAR * level.demand.level);
        let open = |cell: usize, own: &[f64], need: f64| {
            if cell == demand.cell {
                return f64::min(f64::max(own[cell], need), demand.level);
            }
            let is_fixed = table.cells()[cell].status == Status::Fixed;
            match change {
                Change::Freed if is_fixed && !changed[cell] => 0.0,
                Change::Widened if is_fixed => 0.0,
                Change::Widened if changed[cell] => far,
                Change::Freed | Change::Widened => f64::min(own[cell], far),
            }
        };
        attack.open(|cell| open(cell, &room.down, need.0), |cell| open(cell, &room.up, need.1));
        let mut moved = vec![false; table.cells().len()];
        let mut reached = 0.0;
        for (direction, side) in [(Direction::Down, Side::Lower), (Direction::Up, Side::Upper)] {
            if demand.side != side && demand.side != Side::Width {
                continue;
            }
            reached += attack.reach(demand.cell, direction).ok()?;
            for (cell, moved) in moved.iter_mut().enumerate() {
                *moved |= attack.deviation(cell).abs() > 1e-7 * demand.level;
            }
        }
        (reached >= demand.level * (1.0 - 1e-9)).then_some(moved)
    }
}
