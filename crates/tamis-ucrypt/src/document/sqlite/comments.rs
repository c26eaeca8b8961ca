//! Comments in the definitions that a database keeps: a row that somebody took out of them in this way is still readable there.

use rusqlite::Connection;

use super::indexes::sealed_columns;
use super::table::means;
use super::words::comments;
use crate::document::rows::Columns;
use crate::shown::shown;

/// The words of a statement that brings values.
const WRITING: [&str; 4] = ["insert", "replace", "update", "values"];

/// The definitions with a comment that may hold values of a sealed column, in words for the user.
pub(super) fn telling_comments(database: &Connection, selectors: &[Columns]) -> rusqlite::Result<Vec<String>> {
    let query =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql LIKE '%--%' OR sql LIKE '%/*%' ORDER BY name";
    let mut prepared = database.prepare(query)?;
    let mut rows = prepared.query([])?;
    let mut told = Vec::new();
    while let Some(row) = rows.next()? {
        let (kind, name, table, statement): (String, String, String, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let is_own = sealed_columns(&table, selectors).next().is_some();
        let tells = |comment: &str| {
            // It need not be SQL.
            let words = || comment.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
            let brings = words().any(|word| WRITING.iter().any(|known| word.eq_ignore_ascii_case(known)));
            brings && (is_own || words().any(|word| selectors.iter().any(|one| means(one, word))))
        };
        if comments(&statement).any(tells) {
            told.push(format!("a comment with a statement in the definition of the {kind} {}", shown(&name)));
        }
    }
    Ok(told)
}
