//! Patterns by name: which cells a released table hides.

use std::path::Path;

use tamis_cells::{CellId, Pattern};

use crate::draft::id_in;
use crate::error::{TotalsError, invalid};
use crate::options::TableOptions;
use crate::sheet::Sheet;
use crate::totals::Totals;

/// Reads which cells are hidden from a table with a column for each dimension, or with a column of ids, and a column
/// `status`: `u`, `m`, `x` and `h` are hidden, all else is published. Without that column every row names a hidden cell.
///
/// Cells without a row are published. Linear in the number of cells and rows.
pub fn read_pattern(path: impl AsRef<Path>, totals: &Totals, options: &TableOptions) -> Result<Pattern, TotalsError> {
    let sheet = Sheet::read(path.as_ref(), &options.reading)?;
    let cells = totals.table().cells();
    let status = match &options.columns.status {
        Some(name) => Some(sheet.column(name)?),
        None => sheet.find("status"),
    };
    let id = options.columns.id.as_deref().or(Some("id")).and_then(|name| sheet.find(name));
    let by_id: std::collections::HashMap<&CellId, usize> =
        cells.iter().enumerate().map(|(number, cell)| (&cell.id, number)).collect();
    let by_labels: std::collections::HashMap<&[u32], usize> =
        (0..cells.len()).rev().map(|cell| (totals.coordinates(cell), cell)).collect();
    let columns: Vec<_> = totals.dimensions().iter().map(|dimension| sheet.find(dimension.name())).collect();
    if id.is_none() && columns.iter().all(Option::is_none) {
        let names: Vec<String> = totals.dimensions().iter().map(|dimension| dimension.name().to_owned()).collect();
        let names = crate::table::list(&names);
        return Err(invalid(format!("{} names no cells; expected a column `id` or columns of {names}", sheet.name())));
    }
    let mut hidden = vec![false; cells.len()];
    for row in 0..sheet.rows() {
        let is_hidden = status.is_none_or(|column| {
            let status = column.text(row).trim().to_ascii_lowercase();
            let words = ["u", "m", "x", "h", "primary", "secondary", "hidden", "unsafe", "suppressed"];
            words.contains(&status.as_str())
        });
        if !is_hidden {
            continue;
        }
        let found = if let Some(id) = id {
            by_id.get(&id_in(id.text(row))).copied().ok_or_else(|| id.text(row).to_owned())
        } else {
            let labels = totals.dimensions().iter().zip(&columns);
            let labels: Option<Vec<u32>> = labels
                .map(|(dimension, column)| column.map_or(Some(0), |column| dimension.find(column.text(row).trim())))
                .collect();
            let found = labels.and_then(|labels| by_labels.get(labels.as_slice()).copied());
            found.ok_or_else(|| columns.iter().flatten().map(|column| column.text(row)).collect::<Vec<_>>().join(", "))
        };
        let cell = found.map_err(|named| {
            invalid(format!("{}: the table has no cell `{named}`; mend the row or leave it out", sheet.place(row)))
        })?;
        hidden[cell] = true;
    }
    Ok(Pattern::new(hidden))
}
