//! What the tables of a database are.

use rusqlite::{Connection, params};

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
    let means = |selector: &Columns, table: &str| {
        // There are no schemas here; what is attached is not looked at.
        let name = selector.source.rsplit('.').next().unwrap_or_default();
        selector.source.eq_ignore_ascii_case(table) || name.eq_ignore_ascii_case(table)
    };
    let absent = |selector: &&Columns| !listed.iter().any(|table| means(selector, &table.name));
    let absent = selectors.iter().filter(absent).map(|selector| selector.source.clone()).collect();
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
        if !chosen.is_empty() && is_indexed_by_words(database, &table.name).map_err(RowsError::Database)? {
            return refuse(
                "is the content of a full-text index, which would keep its values readable; drop the index first",
            );
        }
        plan.drops = selectors.is_empty() || !chosen.is_empty();
        tables.push(Table { name: table.name.clone(), plan, locator, selected: !chosen.is_empty() });
    }
    Ok((tables, absent))
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

/// Whether a virtual table may hold copies of a table's values.
fn is_indexed_by_words(database: &Connection, table: &str) -> rusqlite::Result<bool> {
    let query = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%' AND instr(lower(sql), lower(?1)) > 0";
    let found: i64 = database.query_row(query, params![table], |row| row.get(0))?;
    Ok(found > 0)
}
