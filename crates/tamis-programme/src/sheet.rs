//! A table of people, slots or pairs together with the file it came from.

use crate::ProgrammeError;
use std::path::{Path, PathBuf};
use tamis_source::{Progress, ReadOptions, SourceError, detect_encoded, line_of_row, read_table};
use tamis_table::{Codes, Column, Table, TupleColumn, number_tuples};

/// A table read from a file, which knows its places by name.
#[derive(Debug, Clone)]
pub struct Sheet {
    path: PathBuf,
    options: ReadOptions,
    table: Table,
}

impl Sheet {
    /// Reads all columns of a file. Which character separates fields is found out for each file unless the options say.
    pub fn read(path: &Path, options: &ReadOptions, progress: Option<Progress>) -> Result<Self, ProgrammeError> {
        let table = read_table(path, &ReadOptions { progress, ..options.clone() })?;
        Ok(Self { path: path.to_owned(), options: options.clone(), table })
    }

    /// The rows and columns.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sheet without some columns.
    pub(crate) fn without(&self, is_dropped: impl Fn(&str) -> bool) -> Result<Self, ProgrammeError> {
        let kept = self.table.columns().iter().filter(|column| !is_dropped(column.name())).cloned().collect();
        Ok(Self { path: self.path.clone(), options: self.options.clone(), table: Table::new(kept)? })
    }

    /// What separates fields in the file.
    pub(crate) fn delimiter(&self) -> u8 {
        let detected = || detect_encoded(&self.path, self.options.encoding.unwrap_or_default());
        self.options.delimiter.or_else(|| detected().ok().map(|format| format.delimiter)).unwrap_or(b',')
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// The file as messages call it.
    pub(crate) fn name(&self) -> String {
        format!("`{}`", self.path.display())
    }

    /// A column, or an error that names the file and the columns there are.
    pub fn column(&self, name: &str) -> Result<&Column, ProgrammeError> {
        self.table.column(name).map_err(|_| {
            let known = self.table.columns().iter().map(|column| column.name().to_owned()).collect();
            let file = self.path.display().to_string();
            SourceError::UnknownColumn { name: file, column: name.to_owned(), known }.into()
        })
    }

    /// Several columns; naming one twice is an error.
    pub(crate) fn columns(&self, names: &[String]) -> Result<Vec<&Column>, ProgrammeError> {
        if let Some(repeated) = names.iter().enumerate().find(|&(at, name)| names[..at].contains(name)) {
            return Err(ProgrammeError::Invalid(format!("column `{}` is named twice; name it once", repeated.1)));
        }
        names.iter().map(|name| self.column(name)).collect()
    }

    /// Whether there is a column of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.table.column(name).is_ok()
    }

    /// The place of a row as messages call it: the line of the file, or the row if the file is gone.
    pub(crate) fn place(&self, row: usize) -> String {
        match self.line(row) {
            Some(line) => format!("{}, line {line}", self.name()),
            None => format!("{}, row {}", self.name(), row + 1),
        }
    }

    /// The places of two rows of this file.
    pub(crate) fn places(&self, first: usize, second: usize) -> String {
        match (self.line(first), self.line(second)) {
            (Some(first), Some(second)) => format!("{}, lines {first} and {second}", self.name()),
            _ => format!("{}, rows {} and {}", self.name(), first + 1, second + 1),
        }
    }

    fn line(&self, row: usize) -> Option<u64> {
        line_of_row(&self.path, &self.options, row).ok().flatten()
    }
}

/// Numbers the distinct tuples of some columns in order of first appearance: the number of each row, the first row of each number.
pub(crate) fn number_rows(rows: usize, columns: &[&Column]) -> (Vec<u32>, Vec<u32>) {
    let codes: Vec<&dyn TupleColumn> = columns.iter().map(|column| column.codes() as &dyn TupleColumn).collect();
    let domains: Vec<u32> = columns.iter().map(|column| column.dictionary().len() as u32).collect();
    number_tuples(rows, &codes, &domains)
}

/// Numbers the distinct tuples of several numberings of the same rows.
pub(crate) fn number_numbers(rows: usize, numberings: &[(&[u32], usize)]) -> (Vec<u32>, Vec<u32>) {
    let codes: Vec<Codes> = numberings.iter().map(|(numbers, _)| Codes::Wide(numbers.to_vec())).collect();
    let columns: Vec<&dyn TupleColumn> = codes.iter().map(|codes| codes as &dyn TupleColumn).collect();
    let domains: Vec<u32> = numberings.iter().map(|&(_, domain)| domain as u32).collect();
    number_tuples(rows, &columns, &domains)
}
