//! Which rule hit which cell.

use std::path::Path;

use tamis_source::{OutputColumn, SourceError};

use super::{label_columns, write_private};
use crate::totals::Totals;

/// Writes a row for each rule that hit a cell, with the levels it asks for. It holds true values: nobody but its owner may
/// read it, where files have owners.
pub fn write_hits(path: impl AsRef<Path>, totals: &Totals) -> Result<(), SourceError> {
    let hits = totals.hits();
    let cells: Vec<usize> = hits.iter().map(|hit| hit.cell).collect();
    let mut columns = label_columns(totals, &cells);
    let value = hits.iter().map(|hit| totals.value_text(hit.cell)).collect();
    columns.push(OutputColumn::of_rows(totals.value_name(), value));
    columns.push(OutputColumn::of_rows("rule", hits.iter().map(|hit| hit.rule.clone()).collect()));
    columns.push(OutputColumn::of_rows("lpl", hits.iter().map(|hit| hit.lower.to_string()).collect()));
    columns.push(OutputColumn::of_rows("upl", hits.iter().map(|hit| hit.upper.to_string()).collect()));
    write_private(path.as_ref(), &columns, hits.len())
}
