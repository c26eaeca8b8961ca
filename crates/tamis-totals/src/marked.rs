//! Files that say what must happen to some cells.

use std::path::Path;

use tamis_cells::{CellId, Status};

use crate::dimension::Dimension;
use crate::draft::{Draft, id_in};
use crate::error::{TotalsError, invalid};
use crate::options::TableOptions;
use crate::sheet::Sheet;

/// Gives the cells of the files of [`TableOptions::marked`] their status.
pub(crate) fn mark(draft: &mut Draft, options: &TableOptions) -> Result<(), TotalsError> {
    for (status, path) in &options.marked {
        let (sheet, cells) = named_cells(draft, path, options)?;
        for (row, cell) in cells.into_iter().enumerate() {
            let known = draft.cells[cell].status;
            if known == Some(Status::Primary) && *status == Status::Fixed {
                let (place, shown) = (sheet.place(row), draft.shown(cell));
                return Err(invalid(format!("{place}: {shown} cannot be both primary and published; decide for one")));
            }
            draft.cells[cell].status = Some(*status);
        }
    }
    Ok(())
}

/// The cell of each row of a file with a column for each dimension, or with a column of ids. A dimension without a column
/// is at its total.
pub(crate) fn named_cells(
    draft: &Draft,
    path: &Path,
    options: &TableOptions,
) -> Result<(Sheet, Vec<usize>), TotalsError> {
    let sheet = Sheet::read(path, &options.reading)?;
    let id = options.columns.id.as_deref().or(Some("id")).and_then(|name| sheet.find(name));
    let columns: Vec<_> = draft.dimensions.iter().map(|dimension| sheet.find(dimension.name())).collect();
    if id.is_none() && columns.iter().all(Option::is_none) {
        let names: Vec<String> = draft.dimensions.iter().map(|dimension| dimension.name().to_owned()).collect();
        let names = crate::table::list(&names);
        return Err(invalid(format!("{} names no cells; expected a column `id` or columns of {names}", sheet.name())));
    }
    let by_labels: Option<std::collections::HashMap<CellId, usize>> =
        id.map(|_| draft.ids().into_iter().enumerate().map(|(cell, id)| (id, cell)).collect());
    let mut cells = Vec::with_capacity(sheet.rows());
    for row in 0..sheet.rows() {
        let cell = if let (Some(id), Some(known)) = (id, &by_labels) {
            known.get(&id_in(id.text(row))).copied().ok_or_else(|| id.text(row).to_owned())
        } else {
            let label = |(dimension, column): (&Dimension, Option<&tamis_table::Column>)| match column {
                Some(column) => dimension.find(column.text(row).trim()),
                None => Some(Dimension::TOTAL),
            };
            let coordinates: Option<Vec<u32>> =
                draft.dimensions.iter().zip(columns.iter().copied()).map(label).collect();
            let found = coordinates.and_then(|found| draft.by_coordinates.get(found.as_slice()).copied());
            let named = || columns.iter().flatten().map(|column| column.text(row)).collect::<Vec<_>>().join(", ");
            found.ok_or_else(named)
        };
        cells.push(cell.map_err(|named| {
            invalid(format!("{}: the table has no cell `{named}`; mend the row or leave it out", sheet.place(row)))
        })?);
    }
    Ok((sheet, cells))
}
