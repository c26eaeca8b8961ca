//! The table with all that protection needs to know.

use std::path::Path;

use tamis_cells::Status;
use tamis_source::{OutputColumn, SourceError};

use super::{label_columns, write_private};
use crate::totals::Totals;

/// Writes a table with its costs, statuses, bounds and levels, which [`read_totals`](crate::read_totals) reads again.
///
/// It holds what must not be published: nobody but its owner may read it, where files have owners.
pub fn write_flagged(path: impl AsRef<Path>, totals: &Totals) -> Result<(), SourceError> {
    let cells = totals.table().cells();
    let all: Vec<usize> = (0..cells.len()).collect();
    let mut columns = label_columns(totals, &all);
    let texts = |text: &dyn Fn(usize) -> String| all.iter().map(|&cell| text(cell)).collect::<Vec<_>>();
    let is_counted = all.iter().any(|&cell| totals.frequency(cell).is_some());
    columns.push(OutputColumn::of_rows("value", texts(&|cell| totals.value_text(cell))));
    if is_counted {
        let count = |cell| totals.frequency(cell).map_or_else(String::new, |count| count.to_string());
        columns.push(OutputColumn::of_rows("frequency", texts(&count)));
    }
    columns.push(OutputColumn::of_rows("weight", texts(&|cell| cells[cell].weight.to_string())));
    let status = |cell: usize| match cells[cell].status {
        Status::Primary => "u",
        Status::Free => "s",
        Status::Fixed => "z",
        Status::Hidden => "h",
    };
    columns.push(OutputColumn::of_rows("status", texts(&|cell| status(cell).to_owned())));
    columns.push(OutputColumn::of_rows("lb", texts(&|cell| cells[cell].lower.to_string())));
    columns.push(OutputColumn::of_rows("ub", texts(&|cell| cells[cell].upper.to_string())));
    let level = |cell: usize, level: f64| {
        if cells[cell].status == Status::Primary { level.to_string() } else { String::new() }
    };
    columns.push(OutputColumn::of_rows("lpl", texts(&|cell| level(cell, cells[cell].levels.lower))));
    columns.push(OutputColumn::of_rows("upl", texts(&|cell| level(cell, cells[cell].levels.upper))));
    columns.push(OutputColumn::of_rows("spl", texts(&|cell| level(cell, cells[cell].levels.sliding))));
    write_private(path.as_ref(), &columns, cells.len())
}
