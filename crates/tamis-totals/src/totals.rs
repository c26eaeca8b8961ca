//! A table of totals by name.

use tamis_cells::{CellId, CellTable};

use crate::dimension::Dimension;
use crate::rules::Hit;

/// A table of totals: what its cells are called and add up to, and the table of cells that is protected.
///
/// Cells stand in the order of the files; totals that were computed stand behind the rows of their table, see
/// [`read_totals`](crate::read_totals).
#[derive(Debug, Clone)]
pub struct Totals {
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) tables: Vec<TotalsTable>,
    pub(crate) coordinates: Vec<Box<[u32]>>,
    pub(crate) texts: Vec<String>,
    pub(crate) frequencies: Vec<Option<f64>>,
    pub(crate) marks: Vec<bool>,
    pub(crate) value_name: String,
    pub(crate) decimals: usize,
    pub(crate) hits: Vec<Hit>,
    pub(crate) notes: Vec<String>,
    pub(crate) table: CellTable,
}

/// One of the linked tables.
#[derive(Debug, Clone)]
pub struct TotalsTable {
    /// The file it came from.
    pub name: String,
    /// Which of [`Totals::dimensions`] it has.
    pub dimensions: Vec<usize>,
    /// Its cells with their labels, one for each of its dimensions.
    pub cells: Vec<(usize, Box<[u32]>)>,
}

impl Totals {
    /// The dimensions of all tables.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// The tables; more than one if they are linked.
    pub fn tables(&self) -> &[TotalsTable] {
        &self.tables
    }

    /// The cells, their equations and attackers.
    pub fn table(&self) -> &CellTable {
        &self.table
    }

    /// Puts the same cells with other statuses, costs or levels in their place. The order of the cells must be the same.
    pub fn set_table(&mut self, table: CellTable) {
        self.table = table;
    }

    /// The labels of a cell, one for each of [`Self::dimensions`]; 0 is a total. Panics past the end.
    pub fn coordinates(&self, cell: usize) -> &[u32] {
        &self.coordinates[cell]
    }

    /// The labels of a cell as they are written, one for each dimension. Panics past the end.
    pub fn labels(&self, cell: usize) -> Vec<&str> {
        let labels = self.dimensions.iter().zip(&self.coordinates[cell]);
        labels.map(|(dimension, &label)| dimension.label(label)).collect()
    }

    /// The value of a cell as its file has it, or without needless digits if it was computed. Panics past the end.
    pub fn value_text(&self, cell: usize) -> String {
        let text = &self.texts[cell];
        if text.is_empty() { self.number_text(self.table.cells()[cell].value) } else { text.clone() }
    }

    /// A number with as many decimals as the values have at most.
    pub fn number_text(&self, number: f64) -> String {
        number_text(number, self.decimals)
    }

    /// How many contributors a cell has, weighted if they are; none if nobody said. Panics past the end.
    pub fn frequency(&self, cell: usize) -> Option<f64> {
        self.frequencies[cell]
    }

    /// Whether the file says that an earlier protection hid the cell for the sake of others (`m`, `x`). Its status is free.
    /// Panics past the end.
    pub fn is_marked(&self, cell: usize) -> bool {
        self.marks[cell]
    }

    /// What the values are.
    pub fn value_name(&self) -> &str {
        &self.value_name
    }

    /// Which rule made which cell primary; empty if no rules were applied.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// What to know about the table that is no error.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The cell of this name. Linear in the number of cells.
    pub fn find(&self, id: &CellId) -> Option<usize> {
        self.table.cells().iter().position(|cell| cell.id == *id)
    }

    /// The cell with these labels, one for each dimension. Linear in the number of cells.
    pub fn find_labels(&self, labels: &[&str]) -> Option<usize> {
        let known = self.dimensions.iter().zip(labels);
        let wanted: Option<Vec<u32>> = known.map(|(dimension, label)| dimension.find(label)).collect();
        let wanted = wanted?;
        self.coordinates.iter().position(|coordinates| **coordinates == *wanted)
    }
}

/// A computed number without the noise of its last binary digits.
pub(crate) fn number_text(number: f64, decimals: usize) -> String {
    if decimals > 15 || !number.is_finite() {
        return number.to_string();
    }
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
