//! Cells that files give, each where it belongs.

use std::collections::{HashMap, HashSet};

use tamis_cells::Status;

use super::{Draft, DraftCell, DraftTable};
use crate::dimension::Dimension;
use crate::error::{TotalsError, invalid};

/// How far two spellings of one value may be apart, as a share of it.
pub(crate) const SAME: f64 = 1e-9;

impl Draft {
    /// Adds a table with the cells of its rows: coordinates in the table's dimensions and what the row says.
    ///
    /// A cell that another table has too becomes one with it. Linear in the number of rows.
    pub(crate) fn insert(
        &mut self,
        name: String,
        dimensions: Vec<usize>,
        rows: Vec<(Box<[u32]>, DraftCell)>,
    ) -> Result<(), TotalsError> {
        let mut own: HashMap<Box<[u32]>, usize> = HashMap::with_capacity(rows.len());
        let mut met = HashSet::with_capacity(rows.len());
        let mut table = DraftTable { name, dimensions, rows: Vec::with_capacity(rows.len()) };
        for (coordinates, mut cell) in rows {
            let mut union = vec![Dimension::TOTAL; self.dimensions.len()];
            for (&dimension, &label) in table.dimensions.iter().zip(&coordinates) {
                union[dimension] = label;
            }
            cell.coordinates = union.into();
            let known = match &cell.id {
                Some(id) => self.by_id.get(id).copied(),
                None => self.by_coordinates.get(&cell.coordinates).copied(),
            };
            let place = cell.place;
            let index = match known {
                Some(known) => {
                    self.merge(known, cell)?;
                    known
                }
                None => self.push(cell),
            };
            if let Some(first) = own.insert(coordinates.clone(), index) {
                let here = place.map_or_else(String::new, |(sheet, row)| self.sheets[sheet].place(row));
                let there = table.rows.iter().find(|(_, other)| *other == coordinates).map(|&(cell, _)| cell);
                let there = self.placed(there.unwrap_or(first));
                return Err(invalid(format!(
                    "{here}: the combination of labels was given before at {there}; keep one of the rows"
                )));
            }
            if !met.insert(index) {
                let here = place.map_or_else(String::new, |(sheet, row)| self.sheets[sheet].place(row));
                let there = self.placed(index);
                return Err(invalid(format!(
                    "{here}: the id was given before at {there}; the cells of one table have different ids"
                )));
            }
            table.rows.push((index, coordinates));
        }
        self.tables.push(table);
        Ok(())
    }

    pub(crate) fn push(&mut self, cell: DraftCell) -> usize {
        let index = self.cells.len();
        if let Some(id) = &cell.id {
            self.by_id.insert(id.clone(), index);
        }
        self.by_coordinates.entry(cell.coordinates.clone()).or_insert(index);
        self.cells.push(cell);
        index
    }

    /// Two rows about one cell: the values must agree, of what else they say the more careful holds.
    fn merge(&mut self, known: usize, other: DraftCell) -> Result<(), TotalsError> {
        let cell = &self.cells[known];
        if (cell.value - other.value).abs() > SAME * f64::max(1.0, f64::max(cell.value.abs(), other.value.abs())) {
            let here = other.place.map_or_else(String::new, |(sheet, row)| self.sheets[sheet].place(row));
            return Err(invalid(format!(
                "{here}: the value is {} and {} at {}; one cell of linked tables must have one value",
                other.text,
                if cell.text.is_empty() { cell.value.to_string() } else { cell.text.clone() },
                self.placed(known)
            )));
        }
        let cell = &mut self.cells[known];
        let larger = |left: Option<f64>, right: Option<f64>| match (left, right) {
            (Some(left), Some(right)) => Some(left.max(right)),
            (left, right) => left.or(right),
        };
        cell.weight = cell.weight.or(other.weight);
        cell.frequency = cell.frequency.or(other.frequency);
        cell.lower = cell.lower.or(other.lower);
        cell.upper = cell.upper.or(other.upper);
        cell.lower_level = larger(cell.lower_level, other.lower_level);
        cell.upper_level = larger(cell.upper_level, other.upper_level);
        cell.sliding_level = larger(cell.sliding_level, other.sliding_level);
        cell.status = cell.status.into_iter().chain(other.status).max_by_key(|&status| care(status));
        cell.is_marked |= other.is_marked;
        if cell.top.is_empty() {
            cell.top = other.top;
        }
        if cell.place.is_none() {
            cell.text = other.text;
            cell.place = other.place;
        }
        Ok(())
    }
}

fn care(status: Status) -> u8 {
    match status {
        Status::Free => 0,
        Status::Fixed => 1,
        Status::Hidden => 2,
        Status::Primary => 3,
    }
}
