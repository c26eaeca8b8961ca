//! Every person's row with the slot's columns beside it.

use crate::sheet::Sheet;
use crate::{Appointments, Conditions, People, Programme, ProgrammeError, Slots};
use std::path::Path;
use tamis_source::{OutputColumn, WriteOptions, is_tsv, write_table};
use tamis_table::Column;

/// The columns of slots that join the people's, under the names they get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinedColumn {
    /// The column of the slots.
    pub(crate) column: String,
    /// Its name in the output.
    pub(crate) name: String,
    /// Whether the people have this column already, with the same values: a region that slots and people share.
    pub(crate) is_shared: bool,
}

/// The columns that describe slots as they appear beside the people's.
pub(crate) fn joined_columns(slots: &Slots, conditions: &Conditions, prefix: &str) -> Vec<JoinedColumn> {
    let is_shared = |name: &str| conditions.regions.iter().any(|pair| pair.is_one_name() && pair.slots == name);
    let joined = |column: &String| JoinedColumn {
        column: column.clone(),
        name: if is_shared(column) { column.clone() } else { format!("{prefix}{column}") },
        is_shared: is_shared(column),
    };
    slots.described_by.iter().map(joined).collect()
}

/// Refuses names of slot columns that people have already.
fn refuse_clashes(people: &People, joined: &[JoinedColumn]) -> Result<(), ProgrammeError> {
    let clash = joined.iter().find(|column| !column.is_shared && people.sheet.has(&column.name));
    match clash {
        None => Ok(()),
        Some(column) => Err(ProgrammeError::Invalid(format!(
            "people and slots both have a column `{}`, which the output could not tell apart; say --slot-prefix slot_, or --region {} if people must go to slots with their value",
            column.name, column.name
        ))),
    }
}

impl Programme {
    /// Refuses names of columns that people and slots both have; better before long work than after.
    pub fn check_names(&self, prefix: &str) -> Result<(), ProgrammeError> {
        refuse_clashes(&self.people, &joined_columns(&self.slots, &self.conditions, prefix))
    }

    /// Writes everybody's row in the order of the people's file with the columns of their slot, all but its capacity, behind it.
    pub fn write(&self, path: &Path, appointments: &Appointments, prefix: &str) -> Result<(), ProgrammeError> {
        let joined = joined_columns(&self.slots, &self.conditions, prefix);
        refuse_clashes(&self.people, &joined)?;
        let table = self.people.sheet.table();
        let mut columns: Vec<OutputColumn<'_>> = table.columns().iter().map(OutputColumn::of).collect();
        for JoinedColumn { column, name, .. } in joined.iter().filter(|column| !column.is_shared) {
            columns.push(slot_column(name, self.slots.sheet.column(column)?, appointments));
        }
        let options = WriteOptions { delimiter: delimiter_for(path, &self.people.sheet), ..WriteOptions::default() };
        write_table(path, &options, &columns, 0..self.people.count())?;
        Ok(())
    }
}

/// What separates fields in an output: tabs in a `.tsv`, else what separates them in the input.
pub(crate) fn delimiter_for(path: &Path, input: &Sheet) -> u8 {
    if is_tsv(path) { b'\t' } else { input.delimiter() }
}

/// A column of the slots, seen by people.
fn slot_column<'a>(name: &'a str, column: &'a Column, appointments: &'a Appointments) -> OutputColumn<'a> {
    OutputColumn {
        name,
        cells: column.dictionary().iter().map(str::to_owned).collect(),
        cell_of_row: Box::new(|row| column.codes().get(appointments.slot(row))),
    }
}
