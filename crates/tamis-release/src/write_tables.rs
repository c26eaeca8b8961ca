//! Writes the tables that steps make.

use crate::ReleaseError;
use std::path::PathBuf;
use tamis_source::{AtomicFile, Compression, OutputColumn, WriteOptions, is_tsv, write_table_to};
use tamis_transform::OutputTable;

/// Writes tables, each to the file at its position. New files appear together or not at all, and those for the steward alone are
/// readable by nobody else. Fields are separated by `delimiter`, in a `.tsv` by a tab.
pub fn write_tables(tables: &[OutputTable], paths: &[PathBuf], delimiter: u8) -> Result<(), ReleaseError> {
    let mut complete = Vec::with_capacity(tables.len());
    for (made, path) in tables.iter().zip(paths) {
        let mut file = if made.is_secret { AtomicFile::create_private(path)? } else { AtomicFile::create(path)? };
        let delimiter = if is_tsv(path) { b'\t' } else { delimiter };
        let options = WriteOptions { delimiter, compression: Some(Compression::of_path(path)) };
        let columns: Vec<OutputColumn<'_>> = made.table.columns().iter().map(OutputColumn::of).collect();
        write_table_to(&mut file, &path.display().to_string(), &options, &columns, 0..made.table.rows())?;
        complete.push(file);
    }
    let new: Vec<&PathBuf> = paths.iter().filter(|path| !path.exists()).collect();
    complete.into_iter().try_for_each(AtomicFile::commit).inspect_err(|_| {
        for path in &new {
            let _ = std::fs::remove_file(path);
        }
    })?;
    Ok(())
}
