//! What must hold of an attacker's interval, one inequality at a time.

use crate::table::{CellTable, Levels, Status};

/// Which side of the interval a demand is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The computed maximum (upl).
    Upper,
    /// The computed minimum (lpl).
    Lower,
    /// The width of the interval (spl).
    Width,
}

/// One protection level of one primary cell against one attacker; always above zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// The primary cell.
    pub cell: usize,
    /// The attacker: 0 is the public, 1 the first of [`CellTable::attackers`].
    pub attacker: usize,
    /// Which side.
    pub side: Side,
    /// How far the computed interval must reach from the value, or how wide it must be.
    pub level: f64,
}

impl Demand {
    /// All demands of a table, attacker by attacker, cell by cell. A width that both sides together already demand is left
    /// out, as it follows from them.
    pub fn of(table: &CellTable) -> Vec<Self> {
        let mut demands = Vec::new();
        for attacker in 0..=table.attackers().len() {
            for (cell, facts) in table.cells().iter().enumerate().filter(|(_, cell)| cell.status == Status::Primary) {
                let own = attacker.checked_sub(1).and_then(|known| {
                    let levels = &table.attackers()[known].levels;
                    levels.iter().rev().find(|(of, _)| *of == cell).map(|(_, levels)| *levels)
                });
                let Levels { lower, upper, sliding } = own.unwrap_or(facts.levels);
                let width = if sliding > lower + upper { sliding } else { 0.0 };
                for (side, level) in [(Side::Upper, upper), (Side::Lower, lower), (Side::Width, width)] {
                    if level > 0.0 {
                        demands.push(Self { cell, attacker, side, level });
                    }
                }
            }
        }
        demands
    }
}
