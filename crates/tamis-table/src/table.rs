//! Columns of equal length under distinct names.

use crate::{Column, TableError};
use std::collections::HashMap;

/// A table of people, one row each unless the policy names an entity column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// Puts columns together; they must have distinct names and equal lengths.
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        let rows = columns.first().map_or(0, |column| column.codes().len());
        if u32::try_from(rows).is_err() {
            let name = columns.first().map_or("", |column| column.name()).to_owned();
            return Err(TableError::TooLarge { name, what: "rows" });
        }
        let mut position_of: HashMap<&str, usize> = HashMap::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            if let Some(first) = position_of.insert(column.name(), position) {
                return Err(TableError::DuplicateColumn {
                    name: column.name().to_owned(),
                    first: first + 1,
                    second: position + 1,
                });
            }
            if column.codes().len() != rows {
                return Err(TableError::UnevenColumns {
                    name: column.name().to_owned(),
                    found: column.codes().len(),
                    expected: rows,
                });
            }
        }
        Ok(Self { columns, rows })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All columns in file order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column called `name`, or an error that lists the names there are.
    pub fn column(&self, name: &str) -> Result<&Column, TableError> {
        self.columns.iter().find(|column| column.name() == name).ok_or_else(|| TableError::UnknownColumn {
            name: name.to_owned(),
            known: self.columns.iter().map(|column| column.name().to_owned()).collect(),
        })
    }

    /// The given rows in the given order; a row may be given more than once. Panics past the end.
    ///
    /// ```
    /// # use tamis_table::{ColumnBuilder, Table};
    /// # let mut age = ColumnBuilder::new("age");
    /// # for text in ["39", "50", "28"] { age.push(text)?; }
    /// let table = Table::new(vec![age.finish()])?;
    /// assert_eq!(table.select(&[2, 0]).columns()[0].text(0), "28");
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self { columns: self.columns.iter().map(|column| column.select(rows)).collect(), rows: rows.len() }
    }
}
