//! What the tables of a database are.

use rusqlite::{Connection, Row};

use super::indexes::{self, sealed_columns};
use crate::document::header;
use crate::document::rows::{Columns, Plan, RowsError};

/// A table whose values can be read and changed.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) plan: Plan,
    /// The columns that find a record again, quoted: its row number, or the primary key of a table that has none.
    pub(super) locator: Vec<String>,
    /// Whether a selector names it.
    pub(super) selected: bool,
}

impl Table {
    /// Whether a column is selected or a record key, so that its values are needed in any case.
    pub(super) fn reads(&self, column: usize) -> bool {
        self.plan.targets[column].is_some() || self.plan.keys.iter().any(|key| key.position == column)
    }
}

/// Quotes a name.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

struct Listed {
    name: String,
    kind: String,
    without_rowid: bool,
    strict: bool,
}

struct ListedColumn {
    name: String,
    declared: String,
    key: bool,
    computed: bool,
}

/// The tables of a database, and the tables of selectors that it does not hold.
pub(super) fn tables(database: &Connection, selectors: &[Columns]) -> Result<(Vec<Table>, Vec<String>), RowsError> {
    let listed = list(database).map_err(RowsError::Database)?;
    let absent = |selector: &&Columns| !listed.iter().any(|table| means(selector, &table.name));
    let absent = selectors.iter().filter(absent).map(|selector| selector.source.clone()).collect();
    let indexed = indexes::contents(database).map_err(RowsError::Database)?;
    let mut tables = Vec::new();
    for table in &listed {
        let chosen: Vec<&Columns> = selectors.iter().filter(|selector| means(selector, &table.name)).collect();
        let refuse = |reason| Err(RowsError::Table { table: table.name.clone(), reason });
        if table.kind != "table" {
            if !chosen.is_empty() {
                return refuse("is a view, or belongs to a virtual table, and holds no values of its own");
            }
            continue;
        }
        if table.name.eq_ignore_ascii_case(header::TABLE) || table.name.to_ascii_lowercase().starts_with("sqlite_") {
            continue;
        }
        let columns = columns(database, &table.name).map_err(RowsError::Database)?;
        let computed = |column: &&ListedColumn| column.computed && chosen.iter().any(|one| names(one, &column.name));
        if columns.iter().any(|column| computed(&column)) {
            return refuse("has a selected column that is computed from others");
        }
        let columns: Vec<ListedColumn> = columns.into_iter().filter(|column| !column.computed).collect();
        let locator = locator(database, table, &columns).map_err(RowsError::Database)?;
        if locator.is_empty() {
            return refuse("has columns that hide every name of its row numbers");
        }
        let list = columns.iter().map(|column| column.name.clone()).collect();
        let mut plan = Plan::new(table.name.clone(), list, &chosen, true)?;
        for (column, target) in columns.iter().zip(&plan.targets) {
            let textual = ["text", "any"].iter().any(|kind| column.declared.eq_ignore_ascii_case(kind));
            if target.is_some() && table.strict && !textual {
                return refuse("is STRICT, and a selected column is not declared as TEXT or ANY");
            }
            if target.is_some() && table.without_rowid && column.key {
                return refuse("is WITHOUT ROWID, and a selected column is part of its primary key");
            }
        }
        if !chosen.is_empty() && indexed.iter().any(|name| name.eq_ignore_ascii_case(&table.name)) {
            return refuse(
                "is the content of a full-text index, which would keep its values readable; drop the index first",
            );
        }
        plan.drops = selectors.is_empty() || !chosen.is_empty();
        tables.push(Table { name: table.name.clone(), plan, locator, selected: !chosen.is_empty() });
    }
    Ok((tables, absent))
}

/// Whether a selector names a table. There are no schemas here; what is attached is not looked at.
pub(super) fn means(selector: &Columns, table: &str) -> bool {
    let name = selector.source.rsplit('.').next().unwrap_or_default();
    selector.source.eq_ignore_ascii_case(table) || name.eq_ignore_ascii_case(table)
}

fn names(selector: &Columns, column: &str) -> bool {
    selector.columns.iter().any(|one| one.column.eq_ignore_ascii_case(column))
}

fn list(database: &Connection) -> rusqlite::Result<Vec<Listed>> {
    let query = "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name";
    let mut statement = database.prepare(query)?;
    let rows = statement.query_map([], |row| {
        Ok(Listed { name: row.get(0)?, kind: row.get(1)?, without_rowid: row.get(2)?, strict: row.get(3)? })
    })?;
    rows.collect()
}

fn columns(database: &Connection, table: &str) -> rusqlite::Result<Vec<ListedColumn>> {
    let query = "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid";
    let mut statement = database.prepare(query)?;
    let rows = statement.query_map([table], |row| {
        let (key, hidden): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok(ListedColumn { name: row.get(0)?, declared: row.get(1)?, key: key > 0, computed: hidden > 0 })
    })?;
    rows.collect()
}

/// What tells the rows of a table apart, as a query compares it.
fn locator(database: &Connection, table: &Listed, columns: &[ListedColumn]) -> rusqlite::Result<Vec<String>> {
    if table.without_rowid {
        // The key may compare texts otherwise than its columns do.
        let query = "SELECT part.name, part.coll FROM pragma_index_list(?1) AS list, pragma_index_xinfo(list.name) AS part \
                     WHERE list.origin = 'pk' AND part.key = 1 ORDER BY part.seqno";
        let mut statement = database.prepare(query)?;
        let parts = statement.query_map([&table.name], |row| {
            let (name, collation): (String, String) = (row.get(0)?, row.get(1)?);
            Ok(format!("{} COLLATE {}", quoted(&name), quoted(&collation)))
        })?;
        return parts.collect();
    }
    let hidden = |name: &&str| columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let free = ["rowid", "_rowid_", "oid"].into_iter().find(|name| !hidden(name));
    Ok(free.map(str::to_owned).into_iter().collect())
}

/// Refuses columns that hold the values of one that is to be sealed, as a foreign key says, unless they are sealed as a whole themselves: which
/// of their records refer to those that are chosen is not looked up.
pub(super) fn refuse_referring(
    database: &Connection,
    table: &Table,
    selectors: &[Columns],
    takes_every_record: bool,
) -> Result<(), RowsError> {
    // Without a column of its own, a key refers to the primary key, column by column.
    let query = "SELECT list.name, key.\"from\", coalesce(key.\"to\", own.name) \
                 FROM pragma_table_list AS list, pragma_foreign_key_list(list.name) AS key \
                 LEFT JOIN pragma_table_xinfo(?1) AS own ON own.pk = key.seq + 1 \
                 WHERE list.schema = 'main' AND list.type = 'table' AND key.\"table\" = ?1 COLLATE NOCASE \
                 AND coalesce(key.\"to\", own.name) IS NOT NULL ORDER BY list.name";
    let mut statement = database.prepare(query).map_err(RowsError::Database)?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let rows = statement.query_map([&table.name], read).map_err(RowsError::Database)?;
    let is_sealed =
        |table: &str, column: &str| sealed_columns(table, selectors).any(|sealed| sealed.eq_ignore_ascii_case(column));
    for row in rows {
        let (other, column, sealed): (String, String, String) = row.map_err(RowsError::Database)?;
        if is_sealed(&table.name, &sealed) && !(takes_every_record && is_sealed(&other, &column)) {
            return Err(RowsError::Referring { table: other, column, sealed });
        }
    }
    Ok(())
}

/// Refuses a table that can be read through a view of which a full-text index is made.
pub(super) fn refuse_indexed_views(
    database: &Connection,
    table: &Table,
    selectors: &[Columns],
) -> Result<(), RowsError> {
    let indexed = indexes::contents(database).map_err(RowsError::Database)?;
    if indexed.is_empty() {
        return Ok(());
    }
    let views = indexes::views_of(database, &table.name, selectors).map_err(RowsError::Database)?;
    if views.iter().any(|view| indexed.iter().any(|name| name.eq_ignore_ascii_case(view))) {
        return Err(RowsError::Table {
            table: table.name.clone(),
            reason: "is, through a view, the content of a full-text index, which would keep its values readable; drop the index first",
        });
    }
    Ok(())
}
