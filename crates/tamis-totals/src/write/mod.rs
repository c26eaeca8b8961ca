//! Tables as CSV files: what may be published, and what is read again.

mod flagged;
mod hits;
mod released;

pub use flagged::write_flagged;
pub use hits::write_hits;
pub use released::{Letters, ReleaseOptions, status_letter, write_released};

use std::path::Path;

use tamis_source::{OutputColumn, SourceError, WriteOptions, is_tsv, write_private_table, write_table};

use crate::totals::Totals;

/// A column for each dimension with the labels of the given cells.
fn label_columns<'a>(totals: &'a Totals, cells: &'a [usize]) -> Vec<OutputColumn<'a>> {
    let column = |(place, dimension): (usize, &'a crate::Dimension)| OutputColumn {
        name: dimension.name(),
        cells: dimension.labels().to_vec(),
        cell_of_row: Box::new(move |row| totals.coordinates(cells[row])[place]),
    };
    totals.dimensions().iter().enumerate().map(column).collect()
}

fn write(path: &Path, columns: &[OutputColumn<'_>], rows: usize) -> Result<(), SourceError> {
    write_table(path, &options(path), columns, 0..rows)
}

/// The same for what holds the true values of confidential cells.
fn write_private(path: &Path, columns: &[OutputColumn<'_>], rows: usize) -> Result<(), SourceError> {
    write_private_table(path, &options(path), columns, 0..rows)
}

fn options(path: &Path) -> WriteOptions {
    let delimiter = if is_tsv(path) { b'\t' } else { b',' };
    WriteOptions { delimiter, compression: None }
}
