//! Tables that live in a database.
//!
//! [`open`] turns a URL such as `sqlite:people.db` into a [`Database`]. All work is done within a [`Transaction`]: what it
//! reads belongs to one moment, and what it writes appears as a whole when it is committed or not at all. The transaction
//! knows the few questions and changes that Tamis needs, not SQL at large, so that a further kind of database is one more
//! implementation of two small traits. Names reach it as [`Identifier`]s and values as bound [`Value`]s; no text of a user
//! becomes part of a statement otherwise.
//!
//! ```
//! use tamis_source::database::{Access, ColumnType, Identifier, NewColumn, OpenOptions, Value, open};
//!
//! let directory = tempfile::tempdir()?;
//! let url = format!("sqlite:{}", directory.path().join("people.db").display());
//! let mut database = open(&url, &OpenOptions { access: Access::Create, ..OpenOptions::default() })?;
//! let transaction = database.begin()?;
//! let (table, age) = (Identifier::new("people")?, Identifier::new("AGE")?);
//! transaction.create_table(&table, &[NewColumn::new(age.clone(), ColumnType::Integer)])?;
//! let rows = [34, 34, 61].map(|age| vec![Value::Integer(age)]);
//! transaction.insert(&table, std::slice::from_ref(&age), &mut rows.into_iter())?;
//! assert_eq!(transaction.group_sizes(&table, &[age])?, [(1, 1), (2, 1)]);
//! transaction.commit()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dialect;
mod error;
mod identifier;
mod sqlite;
mod url;
mod value;

pub use error::DatabaseError;
pub use identifier::Identifier;
pub use value::{ColumnType, NewColumn, Value};

use std::time::Duration;
use url::DatabaseUrl;

/// What a database is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Looking only.
    #[default]
    Read,
    /// Changing what is there.
    Write,
    /// Changing what is there; a database that does not exist is made.
    Create,
}

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// What for.
    pub access: Access,
    /// How long to wait for somebody else who is writing.
    pub wait: Duration,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { access: Access::Read, wait: Duration::from_secs(5) }
    }
}

/// Opens the database that a URL names.
pub fn open(url: &str, options: &OpenOptions) -> Result<Box<dyn Database>, DatabaseError> {
    match DatabaseUrl::parse(url)? {
        DatabaseUrl::Sqlite(path) => Ok(Box::new(sqlite::Sqlite::open(&path, options)?)),
    }
}

/// An open database.
pub trait Database {
    /// Begins a transaction, which waits for other writers if the database was opened for writing.
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, DatabaseError>;
}

/// Questions and changes that belong together. Dropped without [`commit`](Transaction::commit), it leaves no trace.
///
/// What counts as the same value is decided by the database, as in its `GROUP BY`: missing values are one value, and the
/// collation of a column may take `man` and `MAN` for one.
pub trait Transaction {
    /// What the database is called in a sentence.
    fn database(&self) -> &str;

    /// The tables and views, by name.
    fn tables(&self) -> Result<Vec<String>, DatabaseError>;

    /// The columns of a table in their order.
    fn columns(&self, table: &Identifier) -> Result<Vec<String>, DatabaseError>;

    /// How many groups of rows with the same values in these columns there are of each size: `(size, groups)`, by size.
    fn group_sizes(&self, table: &Identifier, columns: &[Identifier]) -> Result<Vec<(u64, u64)>, DatabaseError>;

    /// How many rows a table has.
    fn count_rows(&self, table: &Identifier) -> Result<u64, DatabaseError>;

    /// How many rows have no value in at least one of these columns.
    fn rows_with_nulls(&self, table: &Identifier, columns: &[Identifier]) -> Result<u64, DatabaseError>;

    /// A value that more than one row has in this column, and how many have it.
    fn repeated(&self, table: &Identifier, column: &Identifier) -> Result<Option<(Value, u64)>, DatabaseError>;

    /// Shows the values of these columns of every row, in ascending order of the first.
    fn each_row(
        &self,
        table: &Identifier,
        columns: &[Identifier],
        see: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), DatabaseError>;

    /// Shows for every row the number of its group, counted from 0 without gaps, and the values of further columns. Rows with
    /// the same values in `group_by` are a group. The values that make the groups do not leave the database. Rows come group by
    /// group, in ascending order of the first further column.
    fn each_grouped_row(
        &self,
        table: &Identifier,
        group_by: &[Identifier],
        columns: &[Identifier],
        see: &mut dyn FnMut(usize, Vec<Value>),
    ) -> Result<(), DatabaseError>;

    /// Makes a table, which must not exist.
    fn create_table(&self, table: &Identifier, columns: &[NewColumn]) -> Result<(), DatabaseError>;

    /// Removes a table with all its rows.
    fn drop_table(&self, table: &Identifier) -> Result<(), DatabaseError>;

    /// Adds a column without values to a table.
    fn add_column(&self, table: &Identifier, column: &NewColumn) -> Result<(), DatabaseError>;

    /// Appends rows with values for these columns.
    fn insert(
        &self,
        table: &Identifier,
        columns: &[Identifier],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), DatabaseError>;

    /// Changes these columns of the rows with the given keys. Every row is a key and the new values; the keys must differ and
    /// each must be that of one row. Takes one pass over the table whether or not it has an index on the key.
    fn update(
        &self,
        table: &Identifier,
        key: &Identifier,
        columns: &[Identifier],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), DatabaseError>;

    /// Makes all changes lasting, together.
    fn commit(self: Box<Self>) -> Result<(), DatabaseError>;

    /// The name of a table as the database spells it.
    fn find_table(&self, name: &str) -> Result<Identifier, DatabaseError> {
        let known = self.tables()?;
        match spelled(name, &known) {
            Some(found) => Identifier::new(found),
            None => {
                Err(DatabaseError::UnknownTable { database: self.database().to_owned(), table: name.to_owned(), known })
            }
        }
    }

    /// The name of a column as the table spells it.
    fn find_column(&self, table: &Identifier, name: &str) -> Result<Identifier, DatabaseError> {
        let known = self.columns(table)?;
        match spelled(name, &known) {
            Some(found) => Identifier::new(found),
            None => Err(DatabaseError::UnknownColumn { table: table.to_string(), column: name.to_owned(), known }),
        }
    }
}

/// Which of the known names is meant: the same one, or the only one that differs in nothing but upper and lower case.
fn spelled<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    if let Some(exact) = known.iter().find(|known| *known == name) {
        return Some(exact);
    }
    let mut alike = known.iter().filter(|known| known.eq_ignore_ascii_case(name));
    match (alike.next(), alike.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_written_in_other_case_where_that_leaves_no_doubt() {
        let known = ["AGE", "Sex", "sex"].map(str::to_owned);
        assert_eq!(spelled("age", &known), Some("AGE"));
        assert_eq!(spelled("sex", &known), Some("sex"));
        assert_eq!(spelled("SEX", &known), None);
        assert_eq!(spelled("ag", &known), None);
    }
}
