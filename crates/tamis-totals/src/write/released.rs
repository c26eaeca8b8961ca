//! The table with hidden cells marked.

use std::path::Path;

use tamis_cells::audit::Interval;
use tamis_cells::{Cell, Pattern, Status};
use tamis_source::{OutputColumn, SourceError};

use super::{label_columns, write};
use crate::totals::Totals;

/// How a table is released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseOptions {
    /// What stands instead of a hidden value.
    pub mark: String,
    /// Which letters say what happened to each cell.
    pub letters: Letters,
}

/// The letters of a released table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Letters {
    /// `x` hidden, `s` published: readers do not learn which of the hidden cells are confidential.
    #[default]
    Public,
    /// As peers have them: `u` hidden as primary, `m` hidden to protect the primaries, `z` published because it had to be,
    /// `s` published.
    Peers,
}

impl Letters {
    /// The letter of a cell.
    pub fn of(self, cell: &Cell, is_hidden: bool) -> &'static str {
        match self {
            Self::Public if is_hidden => "x",
            Self::Public => "s",
            Self::Peers => status_letter(cell, is_hidden),
        }
    }
}

impl Default for ReleaseOptions {
    fn default() -> Self {
        Self { mark: "x".to_owned(), letters: Letters::Public }
    }
}

/// The letter that peers use for what happened to a cell.
pub fn status_letter(cell: &Cell, is_hidden: bool) -> &'static str {
    match (is_hidden, cell.status) {
        (true, Status::Primary) => "u",
        (true, _) => "m",
        (false, Status::Fixed) => "z",
        (false, _) => "s",
    }
}

/// Writes a table with hidden cells marked, whole or not at all: a column for each dimension, the value as it was read, what
/// happened to the cell, and with `intervals` the values that everybody holds possible for hidden cells.
///
/// Cells stand in the order of the table, linked ones once.
pub fn write_released(
    path: impl AsRef<Path>,
    totals: &Totals,
    pattern: &Pattern,
    intervals: Option<&[Interval]>,
    options: &ReleaseOptions,
) -> Result<(), SourceError> {
    let cells = totals.table().cells();
    let all: Vec<usize> = (0..cells.len()).collect();
    let mut columns = label_columns(totals, &all);
    let value = |cell: usize| if pattern.hides(cell) { options.mark.clone() } else { totals.value_text(cell) };
    columns.push(OutputColumn::of_rows(totals.value_name(), all.iter().map(|&cell| value(cell)).collect()));
    let letters = all.iter().map(|&cell| options.letters.of(&cells[cell], pattern.hides(cell)).to_owned());
    columns.push(OutputColumn::of_rows("status", letters.collect()));
    if let Some(intervals) = intervals {
        let mut bounds = vec![(String::new(), String::new()); cells.len()];
        for interval in intervals.iter().filter(|interval| interval.attacker == 0 && pattern.hides(interval.cell)) {
            bounds[interval.cell] = (interval.lower.to_string(), interval.upper.to_string());
        }
        let (lower, upper): (Vec<String>, Vec<String>) = bounds.into_iter().unzip();
        columns.push(OutputColumn::of_rows("lower", lower));
        columns.push(OutputColumn::of_rows("upper", upper));
    }
    write(path.as_ref(), &columns, cells.len())
}
