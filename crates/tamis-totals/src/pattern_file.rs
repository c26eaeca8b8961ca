//! Patterns by name: which cells a released table hides.

use std::path::Path;

use tamis_cells::format::pattern::{Mark, is_hidden};
use tamis_cells::{CellId, Pattern};
use tamis_table::Column;

use crate::draft::id_in;
use crate::error::{TotalsError, invalid};
use crate::options::TableOptions;
use crate::sheet::{Input, Sheet};
use crate::totals::Totals;

/// Reads which cells are hidden from a table with a column for each dimension, or with a column of ids.
///
/// A column `status` (`sdcStatus`, or 1 and 0 in `suppressed`) says it, else the column of values, where what is no number is
/// hidden: see [`is_hidden`]. A table with neither may hold nothing but ids or labels, which are those of hidden cells.
/// Published numbers must be the true ones. Cells without a row are published. Any other file is read as [`tamis_cells`] reads
/// patterns. Linear in the number of cells and rows.
pub fn read_pattern(path: impl AsRef<Path>, totals: &Totals, options: &TableOptions) -> Result<Pattern, TotalsError> {
    read_pattern_from(&Input::open(path.as_ref())?, totals, options)
}

/// Reads a pattern as [`read_pattern`] does from a file that somebody opened before.
pub fn read_pattern_from(input: &Input, totals: &Totals, options: &TableOptions) -> Result<Pattern, TotalsError> {
    let sheet = Sheet::of(input.clone(), &options.reading).ok();
    if let Some(released) = sheet.as_ref().and_then(|sheet| Released::of(sheet, totals, options).transpose()) {
        return released?.pattern(totals);
    }
    let name = input.path().display();
    let pattern = tamis_cells::format::read_pattern(&input.bytes()?, totals.table());
    pattern.map_err(|error| invalid(format!("`{name}`, {error}")))
}

/// The columns of a released table.
struct Released<'a> {
    sheet: &'a Sheet,
    id: Option<&'a Column>,
    dimensions: Vec<Option<&'a Column>>,
    status: Option<&'a Column>,
    flag: Option<&'a Column>,
    value: Option<&'a Column>,
}

impl<'a> Released<'a> {
    /// None if the file names no cells by columns.
    fn of(sheet: &'a Sheet, totals: &Totals, options: &TableOptions) -> Result<Option<Self>, TotalsError> {
        let columns = &options.columns;
        let id = sheet.find_usual(&[columns.id.as_deref().unwrap_or("id")]);
        let dimensions: Vec<_> =
            totals.dimensions().iter().map(|dimension| sheet.find_usual(&[dimension.name()])).collect();
        if id.is_none() && dimensions.iter().all(Option::is_none) {
            return Ok(None);
        }
        let is_other = |column: &&Column| !dimensions.iter().flatten().any(|own| own.name() == column.name());
        let usual = |names: &[&str]| sheet.find_usual(names).filter(is_other);
        let status = match &columns.status {
            Some(name) => sheet.find_usual(&[name]),
            None => None,
        };
        let status = status.or_else(|| usual(&["status", "sdcStatus"]));
        let flag = usual(&["suppressed", "hidden"]);
        let value = usual(&[columns.value.as_deref().unwrap_or(totals.value_name()), "value"]);
        if status.or(flag).or(value).is_none() {
            let is_name = |column: &&Column| {
                id.is_some_and(|id| id.name() == column.name())
                    || dimensions.iter().flatten().any(|own| own.name() == column.name())
            };
            if let Some(other) = sheet.columns().iter().find(|column| !is_name(column)) {
                return Err(invalid(format!(
                    "{}: no column says which cells are hidden, and `{}` is no dimension; name the column of statuses with --status, \
                     that of values with --value, or leave nothing but the labels of hidden cells",
                    sheet.name(),
                    other.name()
                )));
            }
        }
        Ok(Some(Self { sheet, id, dimensions, status, flag, value }))
    }

    fn pattern(&self, totals: &Totals) -> Result<Pattern, TotalsError> {
        let (sheet, cells) = (self.sheet, totals.table().cells());
        if sheet.rows() == 0 {
            return Err(invalid(format!(
                "{} has a header and no rows; expected the cells that are hidden, or [] if there are none",
                sheet.name()
            )));
        }
        let by_id: std::collections::HashMap<&CellId, usize> =
            cells.iter().enumerate().map(|(number, cell)| (&cell.id, number)).collect();
        let by_labels: std::collections::HashMap<&[u32], usize> =
            (0..cells.len()).rev().map(|cell| (totals.coordinates(cell), cell)).collect();
        let mut hidden = vec![false; cells.len()];
        for row in 0..sheet.rows() {
            let found = if let Some(id) = self.id {
                by_id.get(&id_in(id.text(row))).copied().ok_or_else(|| id.text(row).to_owned())
            } else {
                let labels = totals.dimensions().iter().zip(&self.dimensions);
                let labels: Option<Vec<u32>> = labels
                    .map(|(dimension, column)| column.map_or(Some(0), |column| dimension.find(column.text(row).trim())))
                    .collect();
                let found = labels.and_then(|labels| by_labels.get(labels.as_slice()).copied());
                let named = self.dimensions.iter().flatten().map(|column| column.text(row));
                found.ok_or_else(|| named.collect::<Vec<_>>().join(", "))
            };
            // A combination without a cell is an empty one, and may be published as such.
            let truth = found.as_ref().map_or(0.0, |&cell| cells[cell].value);
            let text = |column: Option<&'a Column>| column.map(|column| column.text(row));
            let mark = text(self.status).map(Mark::Status).or(text(self.flag).map(Mark::Flag));
            let is_hidden = is_hidden(mark, text(self.value), truth);
            let cell = match found {
                Ok(cell) => cell,
                Err(_) if is_hidden == Ok(false) => continue,
                Err(named) => {
                    let place = sheet.place(row);
                    return Err(invalid(format!(
                        "{place}: the table has no cell `{named}`; mend the row or leave it out"
                    )));
                }
            };
            let told = |problem| invalid(format!("{}, cell {}: {problem}", sheet.place(row), cells[cell].id));
            if is_hidden.map_err(told)? {
                hidden[cell] = true;
            }
        }
        Ok(Pattern::new(hidden))
    }
}
