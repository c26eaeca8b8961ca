//! The questions and changes, asked of SQLite.

use super::{DIALECT, explain};
use crate::database::{DatabaseError, Identifier, NewColumn, Transaction, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Params, Row, ToSql, params_from_iter};

/// Work on a file that is not yet lasting.
pub(super) struct SqliteTransaction<'a> {
    transaction: rusqlite::Transaction<'a>,
    name: &'a str,
}

impl<'a> SqliteTransaction<'a> {
    pub(super) fn new(transaction: rusqlite::Transaction<'a>, name: &'a str) -> Self {
        Self { transaction, name }
    }

    fn explained<T>(&self, result: rusqlite::Result<T>) -> Result<T, DatabaseError> {
        result.map_err(|error| explain(self.name, &error))
    }

    /// Asks a question and turns every row of the answer into something.
    fn ask<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, DatabaseError> {
        self.explained((|| {
            let mut statement = self.transaction.prepare(sql)?;
            let answers = statement.query_map(parameters, &mut read)?;
            answers.collect()
        })())
    }

    fn change(&self, sql: &str) -> Result<u64, DatabaseError> {
        self.explained(self.transaction.execute(sql, [])).map(|changed| changed as u64)
    }

    /// Shows every row of an answer as values; `columns` are those of `table` from position `first` on.
    fn show(
        &self,
        sql: &str,
        table: &Identifier,
        columns: &[Identifier],
        first: usize,
        see: &mut dyn FnMut(&Row<'_>, Vec<Value>) -> rusqlite::Result<()>,
    ) -> Result<(), DatabaseError> {
        let mut statement = self.explained(self.transaction.prepare(sql))?;
        let mut rows = self.explained(statement.query([]))?;
        while let Some(row) = self.explained(rows.next())? {
            let mut values = Vec::with_capacity(columns.len());
            for (position, column) in (first..).zip(columns) {
                let value = value(self.explained(row.get_ref(position))?);
                values.push(value.ok_or_else(|| not_utf8(table, column))?);
            }
            self.explained(see(row, values))?;
        }
        Ok(())
    }

    /// A name that no table has, for a table of this session.
    fn unused_name(&self) -> Result<Identifier, DatabaseError> {
        let taken = self.tables()?;
        let is_free = |name: &String| !taken.iter().any(|taken| taken.eq_ignore_ascii_case(name));
        let name = (0..=taken.len()).map(|number| format!("tamis_update_{number}")).find(is_free);
        Identifier::new(&name.unwrap_or_default())
    }
}

impl Transaction for SqliteTransaction<'_> {
    fn database(&self) -> &str {
        self.name
    }

    fn tables(&self) -> Result<Vec<String>, DatabaseError> {
        let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
        self.ask(sql, [], |row| row.get(0))
    }

    fn columns(&self, table: &Identifier) -> Result<Vec<String>, DatabaseError> {
        // Hidden columns of virtual tables (1) are arguments, not data.
        let sql = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";
        self.ask(sql, [table.as_str()], |row| row.get(0))
    }

    fn group_sizes(&self, table: &Identifier, columns: &[Identifier]) -> Result<Vec<(u64, u64)>, DatabaseError> {
        self.ask(&DIALECT.group_sizes(table, columns), [], |row| Ok((count(row, 0)?, count(row, 1)?)))
    }

    fn count_rows(&self, table: &Identifier) -> Result<u64, DatabaseError> {
        self.explained(self.transaction.query_row(&DIALECT.count_rows(table), [], |row| count(row, 0)))
    }

    fn rows_with_nulls(&self, table: &Identifier, columns: &[Identifier]) -> Result<u64, DatabaseError> {
        let sql = DIALECT.rows_with_nulls(table, columns);
        self.explained(self.transaction.query_row(&sql, [], |row| count(row, 0)))
    }

    fn repeated(&self, table: &Identifier, column: &Identifier) -> Result<Option<(Value, u64)>, DatabaseError> {
        let mut found = None;
        self.show(&DIALECT.repeated(table, column), table, std::slice::from_ref(column), 0, &mut |row, values| {
            found = values.into_iter().next().zip(Some(count(row, 1)?));
            Ok(())
        })?;
        Ok(found)
    }

    fn each_row(
        &self,
        table: &Identifier,
        columns: &[Identifier],
        see: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), DatabaseError> {
        self.show(&DIALECT.rows(table, columns), table, columns, 0, &mut |_, values| {
            see(values);
            Ok(())
        })
    }

    fn each_grouped_row(
        &self,
        table: &Identifier,
        group_by: &[Identifier],
        columns: &[Identifier],
        see: &mut dyn FnMut(usize, Vec<Value>),
    ) -> Result<(), DatabaseError> {
        self.show(&DIALECT.grouped_rows(table, group_by, columns), table, columns, 1, &mut |row, values| {
            see(count(row, 0)? as usize - 1, values);
            Ok(())
        })
    }

    fn create_table(&self, table: &Identifier, columns: &[NewColumn]) -> Result<(), DatabaseError> {
        self.change(&DIALECT.create_table(table, columns)).map(drop)
    }

    fn drop_table(&self, table: &Identifier) -> Result<(), DatabaseError> {
        self.change(&DIALECT.drop_table(table)).map(drop)
    }

    fn add_column(&self, table: &Identifier, column: &NewColumn) -> Result<(), DatabaseError> {
        self.change(&DIALECT.add_column(table, column)).map(drop)
    }

    fn insert(
        &self,
        table: &Identifier,
        columns: &[Identifier],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), DatabaseError> {
        let mut statement = self.explained(self.transaction.prepare(&DIALECT.insert(table, columns)))?;
        for row in rows {
            self.explained(statement.execute(params_from_iter(row)))?;
        }
        Ok(())
    }

    /// The new values go to a table of the session with an index on the key, from which one statement copies them: without an
    /// index on the user's table, a statement for every row would take the square of its length.
    fn update(
        &self,
        table: &Identifier,
        key: &Identifier,
        columns: &[Identifier],
        rows: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), DatabaseError> {
        let new = self.unused_name()?;
        let all: Vec<Identifier> = std::iter::once(key).chain(columns).cloned().collect();
        self.change(&DIALECT.create_like(&new, table, &all))?;
        let mut asked = 0;
        self.insert(&new, &all, &mut rows.inspect(|_| asked += 1))?;
        let (quoted, quoted_key) = (DIALECT.quote(&new), DIALECT.quote(key));
        self.change(&format!("CREATE UNIQUE INDEX temp.\"tamis_update_by_key\" ON {quoted} ({quoted_key})"))?;
        let changed = self.change(&DIALECT.update_from(table, key, columns, &new))?;
        self.drop_table(&new)?;
        if changed != asked {
            let (table, key) = (table.to_string(), key.to_string());
            return Err(DatabaseError::NotEachOnce { table, key, asked, changed });
        }
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), DatabaseError> {
        let name = self.name;
        self.transaction.commit().map_err(|error| explain(name, &error))
    }
}

/// A number of rows, which is never negative.
fn count(row: &Row<'_>, position: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(position).map(i64::unsigned_abs)
}

fn not_utf8(table: &Identifier, column: &Identifier) -> DatabaseError {
    DatabaseError::NotUtf8 { table: table.to_string(), column: column.to_string() }
}

/// A field as a value; none if it is text that is not UTF-8.
fn value(field: ValueRef<'_>) -> Option<Value> {
    Some(match field {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(std::str::from_utf8(text).ok()?.to_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
