//! The slots of a programme.

use crate::ProgrammeError;
use crate::people::{label_of, refuse_repeated};
use crate::sheet::{Sheet, number_rows};
use std::collections::HashMap;

/// Slots as a file lists them: one row each, with what describes it and how many people it takes.
#[derive(Debug, Clone)]
pub struct Slots {
    pub(crate) sheet: Sheet,
    pub(crate) id: Option<String>,
    /// The columns that describe a slot: all but its capacity.
    pub(crate) described_by: Vec<String>,
    pub(crate) capacities: Vec<u64>,
}

impl Slots {
    /// Takes the rows of a file as slots. Two slots must differ in more than their capacity, for else people could not be told where
    /// to go; with `id`, that column alone must tell them apart.
    pub fn new(sheet: Sheet, capacity: &str, id: Option<&str>) -> Result<Self, ProgrammeError> {
        let capacities = read_capacities(&sheet, capacity)?;
        let names = sheet.table().columns().iter().map(|column| column.name().to_owned());
        let described_by: Vec<String> = names.filter(|name| name != capacity).collect();
        if described_by.is_empty() {
            return Err(ProgrammeError::Invalid(format!(
                "{} has no column but `{capacity}`; add one that tells people where to go",
                sheet.name()
            )));
        }
        if let Some(id) = id {
            if id == capacity {
                return Err(ProgrammeError::Invalid(format!(
                    "--slot-id and --capacity are both `{id}`; name two columns"
                )));
            }
            refuse_repeated(&sheet, sheet.column(id)?)?;
        } else {
            let (number_of_row, first_rows) = number_rows(sheet.rows(), &sheet.columns(&described_by)?);
            let repeated = (0..sheet.rows()).find(|&row| first_rows[number_of_row[row] as usize] as usize != row);
            if let Some(row) = repeated {
                let first = first_rows[number_of_row[row] as usize] as usize;
                return Err(ProgrammeError::Invalid(format!(
                    "{}: both are {}; add their capacities up in one line, or add a column that tells them apart",
                    sheet.places(first, row),
                    label_of(&sheet, &described_by, row)
                )));
            }
        }
        Ok(Self { sheet, id: id.map(str::to_owned), described_by, capacities })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.capacities.len()
    }

    /// How many people each takes.
    pub fn capacities(&self) -> &[u64] {
        &self.capacities
    }

    /// A slot as messages call it: `Centre A, Hour 9`.
    pub fn label(&self, slot: usize) -> String {
        label_of(&self.sheet, &self.described_by, slot)
    }

    /// A slot as messages call it, without some columns; with them if nothing is left.
    pub fn label_without(&self, slot: usize, is_left_out: impl Fn(&str) -> bool) -> String {
        let shown: Vec<String> = self.described_by.iter().filter(|name| !is_left_out(name)).cloned().collect();
        if shown.is_empty() { self.label(slot) } else { label_of(&self.sheet, &shown, slot) }
    }

    /// A slot as results list it: what describes it, column by column.
    pub fn described(&self, slot: usize) -> Vec<(&str, &str)> {
        let columns = self.described_by.iter().filter_map(|name| self.sheet.table().column(name).ok());
        columns.map(|column| (column.name(), column.text(slot))).collect()
    }

    /// The slot that a user names: by its id if slots have ids, else by what describes it, separated by commas.
    pub fn named(&self, text: &str) -> Result<usize, ProgrammeError> {
        let name = |slot: usize| -> String {
            let is_key = |name: &&str| self.id.as_ref().is_none_or(|id| id == name);
            let values = self.described(slot).into_iter().filter(|(name, _)| is_key(name)).map(|(_, value)| value);
            values.collect::<Vec<_>>().join(",")
        };
        (0..self.count()).find(|&slot| name(slot) == text).ok_or_else(|| {
            let expected = match &self.id {
                Some(id) => format!("a value of `{id}`"),
                None => format!("values of {} separated by commas", self.described_by.join(", ")),
            };
            ProgrammeError::Invalid(format!("{} has no slot `{text}`; expected {expected}", self.sheet.name()))
        })
    }

    /// The slot of each id, for files that name slots.
    pub(crate) fn by_id(&self, wanted_by: &str) -> Result<HashMap<&str, usize>, ProgrammeError> {
        let Some(id) = &self.id else {
            return Err(ProgrammeError::Invalid(format!(
                "{wanted_by} names slots; say with --slot-id which column of the slots"
            )));
        };
        let column = self.sheet.column(id)?;
        Ok((0..self.count()).map(|slot| (column.text(slot), slot)).collect())
    }
}

/// The capacities, each a whole number above zero.
fn read_capacities(sheet: &Sheet, name: &str) -> Result<Vec<u64>, ProgrammeError> {
    let column = sheet.column(name)?;
    let capacity = |row: usize| {
        let text = column.text(row);
        let number = text.trim().parse::<u64>().ok().filter(|&number| number > 0);
        number.ok_or_else(|| {
            ProgrammeError::Invalid(format!(
                "{}: `{name}` is `{text}`; expected a whole number above 0, leave out slots that take nobody",
                sheet.place(row)
            ))
        })
    };
    (0..sheet.rows()).map(capacity).collect()
}
