//! A small part of a large table around one primary, where a cheap deviation is likely to be found.

use super::state::State;
use crate::attack::Part;
use crate::table::CellTable;

/// Which equations a cell stands in, and room for marks.
pub(super) struct Nearby {
    equations: Vec<Vec<usize>>,
    open: Vec<bool>,
    in_part: Vec<bool>,
    touched: Vec<bool>,
    count: Vec<usize>,
    /// No cell stands in more than two equations.
    pub(super) is_flat: bool,
}

impl Nearby {
    pub(super) fn new(table: &CellTable, open: &[usize]) -> Self {
        let cells = table.cells().len();
        let equations = table.equations_of_cells();
        let mut is_open = vec![false; cells];
        for cell in open {
            is_open[*cell] = true;
        }
        let touched = vec![false; table.equations().len()];
        let is_flat = equations.iter().all(|of| of.len() <= 2);
        Self { equations, open: is_open, in_part: vec![false; cells], touched, count: vec![0; cells], is_flat }
    }

    /// The whole table.
    pub(super) fn whole(&self, table: &CellTable) -> Part {
        let cells = (0..self.open.len()).filter(|cell| self.open[*cell]).collect();
        Part { cells, equations: (0..table.equations().len()).collect() }
    }

    /// The part around a cell: in each of its equations the `few` cheapest others, then whatever lies in two equations of
    /// cells found so far (the cells of a smaller table of the same kind). In tables of two dimensions all hidden cells on a
    /// cycle with it join; in others they would make the program ten times slower.
    /// `None` if the cell cannot move there.
    pub(super) fn around(
        &mut self,
        table: &CellTable,
        state: &State,
        cell: usize,
        few: usize,
        worth: &dyn Fn(usize) -> f64,
    ) -> Option<Part> {
        let mut cells = vec![cell];
        self.in_part[cell] = true;
        for &equation in &self.equations[cell] {
            let others = table.equations()[equation].terms.iter().map(|(other, _)| *other);
            let mut others: Vec<(f64, usize)> =
                others.filter(|other| self.open[*other] && *other != cell).map(|other| (worth(other), other)).collect();
            if others.len() > few {
                others.select_nth_unstable_by(few, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                others.truncate(few);
            }
            for (_, other) in others {
                if !self.in_part[other] {
                    self.in_part[other] = true;
                    cells.push(other);
                }
            }
        }
        let mut touched = Vec::new();
        let mut counted = Vec::new();
        let mut done = 0;
        for _ in 0..3 {
            let first = touched.len();
            for cell in &cells[done..] {
                for &equation in &self.equations[*cell] {
                    if !self.touched[equation] {
                        self.touched[equation] = true;
                        touched.push(equation);
                    }
                }
            }
            done = cells.len();
            for equation in &touched[first..] {
                for (other, _) in &table.equations()[*equation].terms {
                    if self.open[*other] && !self.in_part[*other] {
                        self.count[*other] += 1;
                        counted.push(*other);
                        if self.count[*other] >= 2 || self.equations[*other].len() == 1 {
                            self.in_part[*other] = true;
                            cells.push(*other);
                        }
                    }
                }
            }
        }
        for other in counted {
            self.count[other] = 0;
        }
        for equation in touched {
            self.touched[equation] = false;
        }
        if self.is_flat {
            for other in (0..self.open.len()).filter(|other| self.open[*other] && state.hides(*other)) {
                if !self.in_part[other] {
                    self.in_part[other] = true;
                    cells.push(other);
                }
            }
        }
        let part = self.peel(table, cell, &cells);
        for other in &cells {
            self.in_part[*other] = false;
        }
        part
    }

    /// Which of some hidden cells could move at all: a cell that stands alone in an equation cannot, nor can those that are
    /// alone without it. Time: linear in the entries of their equations.
    pub(super) fn loose(&mut self, table: &CellTable, cells: &[usize]) -> Vec<bool> {
        for cell in cells {
            self.in_part[*cell] = true;
        }
        self.shed(table, cells);
        let loose = cells.iter().map(|cell| self.in_part[*cell]).collect();
        for cell in cells {
            self.in_part[*cell] = false;
        }
        loose
    }

    /// Takes cells that stand alone in an equation out of the part; tells how many each equation has left.
    fn shed(&mut self, table: &CellTable, cells: &[usize]) -> Vec<usize> {
        let mut members = vec![0usize; self.touched.len()];
        for cell in cells {
            self.equations[*cell].iter().for_each(|equation| members[*equation] += 1);
        }
        let mut alone: Vec<usize> = (0..members.len()).filter(|equation| members[*equation] == 1).collect();
        while let Some(equation) = alone.pop() {
            let terms = &table.equations()[equation].terms;
            let Some((last, _)) = terms.iter().find(|(cell, _)| self.in_part[*cell]) else { continue };
            self.in_part[*last] = false;
            for &other in &self.equations[*last] {
                members[other] -= 1;
                if members[other] == 1 {
                    alone.push(other);
                }
            }
        }
        members
    }

    /// Leaves out cells that stand alone in an equation, as they cannot move, and all that is not tied to the target.
    fn peel(&mut self, table: &CellTable, target: usize, cells: &[usize]) -> Option<Part> {
        let mut members = self.shed(table, cells);
        if !self.in_part[target] {
            return None;
        }
        let mut tied = vec![target];
        let mut equations = Vec::new();
        self.in_part[target] = false;
        let mut next = 0;
        while let Some(cell) = tied.get(next).copied() {
            next += 1;
            for &equation in &self.equations[cell] {
                if members[equation] > 0 {
                    members[equation] = 0;
                    equations.push(equation);
                    for (other, _) in &table.equations()[equation].terms {
                        if self.in_part[*other] {
                            self.in_part[*other] = false;
                            tied.push(*other);
                        }
                    }
                }
            }
        }
        tied.sort_unstable();
        equations.sort_unstable();
        Some(Part { cells: tied, equations })
    }
}
