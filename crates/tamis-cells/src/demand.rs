//! What must hold of an attacker's interval, one inequality at a time.

use std::collections::HashMap;

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
    /// out, as it follows from them. Where an attacker names a cell twice, the last levels count. Time: O(attackers times
    /// primaries and what the attackers name).
    pub fn of(table: &CellTable) -> Vec<Self> {
        let cells = table.cells().iter().enumerate();
        let primaries: Vec<(usize, Levels)> = cells
            .filter(|(_, cell)| cell.status == Status::Primary)
            .map(|(cell, facts)| (cell, facts.levels))
            .collect();
        let mut demands = Vec::new();
        for attacker in 0..=table.attackers().len() {
            let named: HashMap<usize, Levels> = match attacker.checked_sub(1) {
                Some(known) => table.attackers()[known].levels.iter().copied().collect(),
                None => HashMap::new(),
            };
            for &(cell, levels) in &primaries {
                let Levels { lower, upper, sliding } = named.get(&cell).copied().unwrap_or(levels);
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
