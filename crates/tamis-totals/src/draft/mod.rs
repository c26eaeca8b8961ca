//! A table on its way from files to cells: values by coordinates, without what rules and defaults add.

mod equations;
mod finish;
mod insert;
mod roll_up;
mod symbols;
mod unnamed_total;

use std::collections::HashMap;

pub(crate) use insert::SAME;
pub(crate) use roll_up::{exact_sum, for_each_above, in_order};
pub(crate) use symbols::{id_in, is_mark, status_in};
use tamis_cells::{CellId, Equation, Status};

use crate::dimension::Dimension;
use crate::sheet::Sheet;

/// What is known by name of who contributes to a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contributors {
    /// Whoever stands alone in it.
    pub(crate) sole: Option<u32>,
    /// Whoever contributes most, whom rules protect from the others.
    pub(crate) largest: Option<u32>,
}

/// A cell as far as files tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct DraftCell {
    pub(crate) id: Option<CellId>,
    /// A label of each dimension of all tables.
    pub(crate) coordinates: Box<[u32]>,
    pub(crate) value: f64,
    /// The value as the file has it; empty for computed totals.
    pub(crate) text: String,
    pub(crate) weight: Option<f64>,
    pub(crate) frequency: Option<f64>,
    pub(crate) status: Option<Status>,
    /// Whether an earlier protection hid it for the sake of others.
    pub(crate) is_marked: bool,
    /// Who contributes to it, where names are known.
    pub(crate) contributors: Option<Contributors>,
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) lower_level: Option<f64>,
    pub(crate) upper_level: Option<f64>,
    pub(crate) sliding_level: Option<f64>,
    /// Whether rules made the levels, so that bounds make room for them.
    pub(crate) has_derived_levels: bool,
    /// The largest contributions, largest first.
    pub(crate) top: Vec<f64>,
    /// File and row; none for computed totals.
    pub(crate) place: Option<(usize, usize)>,
}

/// One table of the draft: which dimensions it has and which cells, in order.
#[derive(Debug, Clone)]
pub(crate) struct DraftTable {
    pub(crate) name: String,
    pub(crate) dimensions: Vec<usize>,
    /// Cell and its coordinates in this table, one for each of its dimensions.
    pub(crate) rows: Vec<(usize, Box<[u32]>)>,
}

/// Everything read, before rules and defaults.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) tables: Vec<DraftTable>,
    pub(crate) cells: Vec<DraftCell>,
    pub(crate) equations: Vec<Equation>,
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) value_name: String,
    pub(crate) hits: Vec<crate::rules::Hit>,
    pub(crate) notes: Vec<String>,
    /// Most digits behind the decimal point of any value.
    pub(crate) decimals: usize,
    pub(crate) by_coordinates: HashMap<Box<[u32]>, usize>,
    pub(crate) by_id: HashMap<CellId, usize>,
}

impl Draft {
    /// A cell as messages call it.
    pub(crate) fn shown(&self, cell: usize) -> String {
        if let Some(id) = &self.cells[cell].id {
            return format!("cell {id}");
        }
        let parts = self.dimensions.iter().zip(&self.cells[cell].coordinates);
        let parts: Vec<String> =
            parts.map(|(dimension, &label)| format!("{}={}", dimension.name(), dimension.label(label))).collect();
        format!("({})", parts.join(", "))
    }

    /// A cell with the place it was read from.
    pub(crate) fn placed(&self, cell: usize) -> String {
        match self.cells[cell].place {
            Some((sheet, row)) => format!("{}: {}", self.sheets[sheet].place(row), self.shown(cell)),
            None => self.shown(cell),
        }
    }
}
