//! How the cells of a table add up.

use std::collections::{HashMap, HashSet};

use tamis_cells::{Equation, Status};

use super::Draft;
use crate::dimension::Dimension;
use crate::error::{TotalsError, invalid};
use crate::totals::number_text;

/// How far a total may be off, as a share of its largest part: the tolerance of the table of cells.
const TOLERANCE: f64 = 1e-9;

impl Draft {
    /// Adds the equations of the table at `index`: each total is the sum of its parts, along each dimension.
    ///
    /// Equations stand in the order of their totals. Parts without a cell are zero. Linear in the number of cells.
    pub(crate) fn add_up(&mut self, index: usize) -> Result<(), TotalsError> {
        let table = &self.tables[index];
        let dimensions: Vec<_> = table.dimensions.iter().map(|&dimension| &self.dimensions[dimension]).collect();
        let at: HashMap<&[u32], usize> =
            table.rows.iter().enumerate().map(|(row, (_, labels))| (labels.as_ref(), row)).collect();
        // The parts of a total (a row) along a dimension, in one of its groups.
        let mut parts: HashMap<(usize, usize, u32), Vec<usize>> = HashMap::new();
        for (cell, coordinates) in &table.rows {
            let mut above = coordinates.to_vec();
            for (place, dimension) in dimensions.iter().enumerate() {
                let label = coordinates[place];
                for &group in dimension.part_of(label) {
                    above[place] = dimension.groups()[group as usize].parent;
                    if let Some(&total) = at.get(above.as_slice()) {
                        parts.entry((total, place, group)).or_default().push(*cell);
                    }
                }
                above[place] = label;
            }
        }
        let mut known: HashSet<Vec<usize>> = self.equations.iter().map(key).collect();
        let mut equations = Vec::new();
        let mut wrong: Vec<(usize, String, String)> = Vec::new();
        let mut empty = Vec::new();
        for (row, (total, coordinates)) in table.rows.iter().enumerate() {
            for (place, dimension) in dimensions.iter().enumerate() {
                for &group in dimension.groups_of(coordinates[place]) {
                    let parts = parts.remove(&(row, place, group)).unwrap_or_default();
                    let value = self.cells[*total].value;
                    let sum: f64 = parts.iter().map(|&part| self.cells[part].value).sum();
                    let largest = parts.iter().map(|&part| self.cells[part].value.abs()).fold(value.abs(), f64::max);
                    let off = (sum - value).abs();
                    if off > TOLERANCE * f64::max(1.0, largest) {
                        let name = dimension.name();
                        let first = match parts.iter().find_map(|&part| self.cells[part].place) {
                            // Nothing else says where to look.
                            Some((sheet, row)) if self.cells[*total].place.is_none() => {
                                format!(" (the first at {})", self.sheets[sheet].place(row))
                            }
                            _ => String::new(),
                        };
                        let sentence = format!(
                            "is {}, but its {} parts along `{name}`{first} add up to {}, {} apart",
                            self.value_text(*total),
                            parts.len(),
                            self.number_text(sum),
                            self.number_text(off)
                        );
                        wrong.push((*total, sentence, remedy(dimension, value, sum)));
                    } else if parts.is_empty() {
                        empty.push(*total);
                    } else {
                        let mut terms: Vec<(usize, f64)> = parts.into_iter().map(|part| (part, 1.0)).collect();
                        terms.push((*total, -1.0));
                        let equation = Equation { rhs: 0.0, terms };
                        // Linked tables and several hierarchies may say the same twice.
                        if known.insert(key(&equation)) {
                            equations.push(equation);
                        }
                    }
                }
            }
        }
        // A computed total is off only because of one that was given.
        let is_given = |(total, ..): &&(usize, String, String)| self.cells[*total].place.is_some();
        let is_placed = |(_, sentence, _): &&(usize, String, String)| sentence.contains("(the first at ");
        if let Some((total, sentence, remedy)) =
            wrong.iter().find(is_given).or(wrong.iter().find(is_placed)).or(wrong.first())
        {
            let more = match wrong.len() - 1 {
                0 => String::new(),
                1 => "; 1 more sum does not add up".to_owned(),
                more => format!("; {more} more sums do not add up"),
            };
            return Err(invalid(format!("{} {sentence}{more}; {remedy}", self.placed(*total))));
        }
        self.equations.extend(equations);
        // A total of nothing but published zeros is known to everybody.
        for total in empty {
            self.cells[total].status.get_or_insert(Status::Fixed);
        }
        Ok(())
    }

    pub(crate) fn value_text(&self, cell: usize) -> String {
        let cell = &self.cells[cell];
        if cell.text.is_empty() { self.number_text(cell.value) } else { cell.text.clone() }
    }

    /// A computed number without the noise of its last binary digits.
    pub(crate) fn number_text(&self, number: f64) -> String {
        number_text(number, self.decimals)
    }
}

/// What to do about a sum that does not add up. Parts that are too many may be subtotals that nobody told of; without rows of
/// totals nothing would tell that they count twice.
fn remedy(dimension: &Dimension, value: f64, sum: f64) -> String {
    let is_flat = dimension.groups().len() == 1;
    if is_flat && value > 0.0 && sum > value {
        let times = (sum / value).round();
        let multiple = if times > 1.0 && (sum - times * value).abs() <= TOLERANCE * f64::max(1.0, sum) {
            format!("that is {times} times as much: ")
        } else {
            String::new()
        };
        let name = dimension.name();
        return format!(
            "{multiple}if some labels of `{name}` are subtotals of others, name the hierarchy with --hierarchy {name}=FILE; if not, mend the values, or leave totals out to have them computed"
        );
    }
    "mend the values, or leave totals out to have them computed".to_owned()
}

fn key(equation: &Equation) -> Vec<usize> {
    let mut cells: Vec<usize> = equation.terms.iter().map(|&(cell, sign)| 2 * cell + usize::from(sign < 0.0)).collect();
    cells.sort_unstable();
    cells
}
