//! The headers of data keys in a database: a table of their own.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use super::copy;
use crate::document::header::{HeaderError, KeyHeader, KeyHeaders, TABLE, TABLE_COLUMNS};
use crate::document::rows::RowsError;

/// The sound headers of a database, none if it has no table of them, and what is wrong with the others.
pub fn read_headers(path: &Path) -> Result<(KeyHeaders, Vec<HeaderError>), RowsError> {
    let database = copy::open(path)?;
    let exists: bool = database
        .query_row("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(name) = ?1", [TABLE], |row| {
            row.get(0)
        })
        .map_err(RowsError::Database)?;
    let (mut headers, mut damaged) = (KeyHeaders::default(), Vec::new());
    if !exists {
        return Ok((headers, damaged));
    }
    let query = format!("SELECT {} FROM main.{TABLE} ORDER BY rowid", TABLE_COLUMNS.join(", "));
    let mut statement = database.prepare(&query).map_err(RowsError::Database)?;
    let mut rows = statement.query([]).map_err(RowsError::Database)?;
    while let Some(row) = rows.next().map_err(RowsError::Database)? {
        headers.take(header(row), &mut damaged)?;
    }
    Ok((headers, damaged))
}

fn header(row: &Row<'_>) -> Result<KeyHeader, HeaderError> {
    let [kid, pol, ep, born, dk] = [text(row, 0), text(row, 1), text(row, 2), text(row, 3), text(row, 4)];
    let part = |name, value: Option<String>| value.ok_or(HeaderError::Part(name));
    let ep = part("ep", ep)?;
    KeyHeader::new(&part("pol", pol)?, &ep, &part("kid", kid)?, born.as_deref(), &part("dk", dk)?)
}

fn text(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column).ok()? {
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).ok(),
        ValueRef::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Puts these headers in the place of those that a database has. Without any, it has no table of them either.
pub(super) fn replace(database: &Connection, headers: &KeyHeaders) -> rusqlite::Result<()> {
    if headers.as_slice().is_empty() {
        return database.execute_batch(&format!("DROP TABLE IF EXISTS main.{TABLE}"));
    }
    database.execute_batch(&format!(
        "CREATE TABLE IF NOT EXISTS main.{TABLE} (kid TEXT NOT NULL, pol TEXT NOT NULL, ep INTEGER NOT NULL, born TEXT, dk TEXT NOT NULL, \
         PRIMARY KEY (pol, kid)); DELETE FROM main.{TABLE};"
    ))?;
    let columns = TABLE_COLUMNS.join(", ");
    let mut statement =
        database.prepare(&format!("INSERT INTO main.{TABLE} ({columns}) VALUES (?1, ?2, ?3, ?4, ?5)"))?;
    for header in headers.as_slice() {
        statement.execute(params![header.kid().as_str(), header.pol(), header.ep(), header.born(), header.dk()])?;
    }
    Ok(())
}
