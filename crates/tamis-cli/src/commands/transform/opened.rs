//! The files that transformations ask for.

use std::cell::RefCell;
use tamis_release::read_key;
use tamis_source::{ReadOptions, read_table};
use tamis_table::Table;
use tamis_transform::{Files, TransformError};
use zeroize::Zeroizing;

/// Files relative to where the program runs; tables are read as the flags say.
pub(super) struct Opened<'a> {
    options: &'a ReadOptions,
    /// What there is to say about the files that were opened.
    notes: RefCell<Vec<String>>,
}

impl<'a> Opened<'a> {
    pub(super) fn new(options: &'a ReadOptions) -> Self {
        Self { options, notes: RefCell::default() }
    }

    pub(super) fn into_notes(self) -> Vec<String> {
        self.notes.into_inner()
    }
}

impl Files for Opened<'_> {
    fn table(&self, path: &str) -> Result<Table, TransformError> {
        // Which character separates fields is found out anew: the other file may have been written by another program.
        let options = ReadOptions { delimiter: None, ..self.options.clone() };
        read_table(path, &options).map_err(|error| TransformError::File(error.to_string()))
    }

    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError> {
        let (key, note) = read_key(path).map_err(|error| TransformError::File(error.to_string()))?;
        self.notes.borrow_mut().extend(note);
        Ok(key)
    }
}
