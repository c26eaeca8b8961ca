//! The people of a programme.

use crate::ProgrammeError;
use crate::sheet::{Sheet, number_rows};
use tamis_table::Column;

/// People as a file lists them, one row each, numbered by quasi-identifier.
#[derive(Debug, Clone)]
pub struct People {
    pub(crate) sheet: Sheet,
    pub(crate) quasi: Vec<String>,
    pub(crate) id: Option<String>,
    /// The number of the quasi-identifier value of each row.
    pub(crate) quasi_of_row: Vec<u32>,
    /// The first row of each quasi-identifier value.
    pub(crate) first_row_of_quasi: Vec<u32>,
}

impl People {
    /// Takes the rows of a file as people. A missing value of the quasi-identifier is a value of its own: people without a ZIP code
    /// are alike in having none. With `id`, every person must have one that no other person has.
    pub fn new(sheet: Sheet, quasi: &[String], id: Option<&str>) -> Result<Self, ProgrammeError> {
        let columns = sheet.columns(quasi)?;
        let (quasi_of_row, first_row_of_quasi) = number_rows(sheet.rows(), &columns);
        if let Some(id) = id {
            refuse_repeated(&sheet, sheet.column(id)?)?;
        }
        let (quasi, id) = (quasi.to_vec(), id.map(str::to_owned));
        Ok(Self { sheet, quasi, id, quasi_of_row, first_row_of_quasi })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sheet.rows()
    }

    /// How many people each quasi-identifier value has.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut frequencies = vec![0; self.first_row_of_quasi.len()];
        for &quasi_id in &self.quasi_of_row {
            frequencies[quasi_id as usize] += 1;
        }
        frequencies
    }

    /// The row of the person with this id.
    pub fn row_of(&self, id: &str) -> Result<usize, ProgrammeError> {
        let Some(name) = &self.id else {
            return Err(ProgrammeError::Invalid("people have no ids; name their column with --id".to_owned()));
        };
        let column = self.sheet.column(name)?;
        let code = column.dictionary().iter().position(|text| text == id);
        let row = code.and_then(|code| (0..self.count()).find(|&row| column.codes().get(row) as usize == code));
        row.ok_or_else(|| ProgrammeError::Invalid(format!("{} has nobody with {name} `{id}`", self.sheet.name())))
    }

    /// A person as messages and results call them: by id, or by quasi-identifier if there are no ids.
    pub fn label(&self, row: usize) -> String {
        match self.id.as_ref().and_then(|id| self.sheet.table().column(id).ok()) {
            Some(column) => format!("{} {}", column.name(), column.text(row)),
            None => self.quasi_label(self.quasi_of_row[row] as usize),
        }
    }

    /// The id of a person, if people have ids.
    pub fn id_of(&self, row: usize) -> Option<&str> {
        let column = self.sheet.table().column(self.id.as_ref()?).ok()?;
        Some(column.text(row))
    }

    /// A quasi-identifier value as messages call it: `ZIP 11111, Gender male`.
    pub fn quasi_label(&self, quasi_id: usize) -> String {
        label_of(&self.sheet, &self.quasi, self.first_row_of_quasi[quasi_id] as usize)
    }
}

/// The values of some columns in a row: `ZIP 11111, Gender male`.
pub(crate) fn label_of(sheet: &Sheet, columns: &[String], row: usize) -> String {
    let values = columns.iter().filter_map(|name| sheet.table().column(name).ok());
    let named = values.map(|column| match column.text(row) {
        "" => format!("no {}", column.name()),
        text => format!("{} {text}", column.name()),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Refuses a column of ids in which a value is missing or occurs twice.
pub(crate) fn refuse_repeated(sheet: &Sheet, ids: &Column) -> Result<(), ProgrammeError> {
    let mut first_row = vec![None; ids.dictionary().len()];
    let missing = ids.missing().map(|code| code.0);
    for row in 0..sheet.rows() {
        let code = ids.codes().get(row);
        if Some(code) == missing {
            let (place, name) = (sheet.place(row), ids.name());
            return Err(ProgrammeError::Invalid(format!("{place}: no `{name}`; give every line one of its own")));
        }
        if let Some(first) = first_row[code as usize].replace(row) {
            let (places, name, text) = (sheet.places(first, row), ids.name(), ids.text(row));
            return Err(ProgrammeError::Invalid(format!(
                "{places}: both have `{name}` {text}; an id must tell lines apart, so mend or drop one of them"
            )));
        }
    }
    Ok(())
}
