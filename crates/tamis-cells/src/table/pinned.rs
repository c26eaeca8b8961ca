//! Cells that anybody computes, whatever is hidden.

use super::{CellTable, Status};

/// A cell that may be hidden but that one equation gives away, because every other cell of the equation is published, cannot
/// vary, or is given away by an equation listed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pinned {
    /// The cell.
    pub cell: usize,
    /// The number of the equation; the first is 1.
    pub equation: usize,
}

impl CellTable {
    /// The cells that an equation with one free cell gives away, in the order in which an attacker finds them.
    ///
    /// Such an equation is no error: a margin may well be fixed. But hiding its free cell is of no use, and a primary cell
    /// among the pinned ones cannot be protected at all. Bounds are only used where they leave a cell a single value. Time:
    /// O(terms).
    ///
    /// ```
    /// use tamis_cells::{format, table::Pinned};
    /// let text = r#"{ "cells": [
    ///     { "id": "a", "value": 3, "status": "primary", "lpl": 1, "upl": 1 },
    ///     { "id": "b", "value": 4, "status": "fixed" },
    ///     { "id": "sum", "value": 7, "status": "fixed" } ],
    ///   "equations": [ { "rhs": 0, "terms": [["a", 1], ["b", 1], ["sum", -1]] } ] }"#;
    /// let table = format::read(text.as_bytes(), "example.json").unwrap();
    /// let pinned = table.pinned();
    /// assert_eq!(pinned, [Pinned { cell: 0, equation: 1 }]);
    /// assert_eq!(
    ///     pinned[0].sentence(&table),
    ///     "cell a is the only one that can vary in equation 1 ([a] + [b] - [sum] = 0), so anybody computes it; \
    ///      let another cell of that equation be hidden"
    /// );
    /// ```
    pub fn pinned(&self) -> Vec<Pinned> {
        let mut known: Vec<bool> =
            self.cells.iter().map(|cell| cell.status == Status::Fixed || cell.lower == cell.upper).collect();
        let mut equations_of = vec![Vec::new(); self.cells.len()];
        let mut unknown = Vec::with_capacity(self.equations.len());
        for (index, equation) in self.equations.iter().enumerate() {
            let open = equation.terms.iter().filter(|(cell, _)| !known[*cell]);
            unknown.push(open.clone().count());
            open.for_each(|(cell, _)| equations_of[*cell].push(index));
        }
        let mut pinned = Vec::new();
        let mut waiting: Vec<usize> = (0..unknown.len()).rev().filter(|index| unknown[*index] == 1).collect();
        while let Some(index) = waiting.pop() {
            let Some(&(cell, _)) = self.equations[index].terms.iter().find(|(cell, _)| !known[*cell]) else { continue };
            known[cell] = true;
            pinned.push(Pinned { cell, equation: index + 1 });
            for &other in &equations_of[cell] {
                unknown[other] -= 1;
                if unknown[other] == 1 {
                    waiting.push(other);
                }
            }
        }
        pinned
    }

    /// An equation as a person writes it, cut short after a few terms; the first is number 1.
    ///
    /// # Panics
    /// If there is no such equation.
    pub fn show_equation(&self, number: usize) -> String {
        super::check::show(&self.cells, &self.equations[number - 1])
    }
}

impl Pinned {
    /// What a user must know.
    pub fn sentence(&self, table: &CellTable) -> String {
        let (id, number) = (&table.cells[self.cell].id, self.equation);
        let shown = table.show_equation(number);
        if table.equations[number - 1].terms.len() == 1 {
            return format!("equation {number} ({shown}) has cell {id} only, so anybody computes it; leave it out");
        }
        format!(
            "cell {id} is the only one that can vary in equation {number} ({shown}), so anybody computes it; let another \
            cell of that equation be hidden"
        )
    }
}
