//! Which cells are hidden.

use crate::table::{CellTable, Status, Sum};

/// Which cells of a table are hidden: one flag a cell, in the order of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    hidden: Vec<bool>,
}

impl Pattern {
    /// The pattern that hides what must be hidden and nothing else.
    pub fn least(table: &CellTable) -> Self {
        let must = |status| matches!(status, Status::Primary | Status::Hidden);
        Self { hidden: table.cells().iter().map(|cell| must(cell.status)).collect() }
    }

    /// The pattern that hides all that may be hidden.
    pub fn most(table: &CellTable) -> Self {
        Self { hidden: table.cells().iter().map(|cell| cell.status != Status::Fixed).collect() }
    }

    /// A pattern given cell by cell.
    pub fn new(hidden: Vec<bool>) -> Self {
        Self { hidden }
    }

    /// Whether a cell is hidden.
    pub fn hides(&self, cell: usize) -> bool {
        self.hidden[cell]
    }

    /// Hides a cell or publishes it.
    pub fn set(&mut self, cell: usize, hidden: bool) {
        self.hidden[cell] = hidden;
    }

    /// One flag a cell.
    pub fn flags(&self) -> &[bool] {
        &self.hidden
    }

    /// The hidden cells, ascending.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.hidden.iter().enumerate().filter(|(_, hidden)| **hidden).map(|(cell, _)| cell)
    }

    /// The weight of all hidden cells, primaries included.
    pub fn cost(&self, table: &CellTable) -> f64 {
        let mut sum = Sum::default();
        for cell in self.cells() {
            sum.add(table.cells()[cell].weight);
        }
        sum.value()
    }
}
