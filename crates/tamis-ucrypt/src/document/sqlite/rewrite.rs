//! Rewriting a database, some records at a time.

use std::fs::File;
use std::path::Path;

use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, ErrorCode, Row, Statement, params_from_iter};

use super::comments::telling_comments;
use super::copy::{Copy, open};
use super::keys;
use super::record::{self, Encoded};
use super::table::{Table, means, quoted, refuse_indexed_views, refuse_referring, tables};
use super::triggers::telling_triggers;
use crate::document::Treatment;
use crate::document::header::KeyHeaders;
use crate::document::room;
use crate::document::rows::{
    Columns, Form, Keys, Marks, Namesake, RawRow, RewriteError, RowsError, Span, Spot, Summary, Treater, Value,
    namesakes,
};
use crate::document::{KeyHasher, LONGEST_RECORD, Readable, ReadablePlace};
use crate::shown::shown;

/// Records read before those are changed that need it: SQLite does not say what a query finds while its table changes.
const RECORDS: usize = 1000;

/// Bytes after which no more records are read.
const BYTES: usize = 1 << 20;

/// What to look for in a database.
#[derive(Debug, Clone)]
pub struct Options {
    /// Names of the elements around sealed values.
    pub elements: Vec<String>,
    /// Whether records of a selected table may share a key.
    pub keys: Keys,
}

impl Default for Options {
    fn default() -> Self {
        Self { elements: vec!["UCRYPT".into()], keys: Keys::Any }
    }
}

/// Treats the selected and the sealed values of a database, and writes the result into an empty file, in whose directory, `beside`, the work
/// is done.
///
/// A value in a column that no selector names is handed over only if it is sealed; it belongs to the table and the key of the first
/// selector of its table, and its field is the name of its column. In a table that no selector names, the record is its number. Records
/// are dropped only from selected tables, or from all if there are no selectors. `headers`, if given, take the place of the headers of
/// data keys.
pub fn rewrite<T: Treatment>(
    from: &Path,
    to: &File,
    beside: &Path,
    options: &Options,
    selectors: &[Columns],
    headers: Option<&KeyHeaders>,
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let copy = Copy::new(from, beside)?;
    let database = &copy.database;
    database.execute_batch("BEGIN").map_err(RowsError::Database)?;
    let summary = treat(database, options, selectors, treatment, Work::Change)?;
    if let Some(headers) = headers {
        keys::replace(database, headers).map_err(RowsError::Database)?;
    }
    database.execute_batch("COMMIT").map_err(RowsError::Database)?;
    copy.finish(to)?;
    Ok(summary)
}

/// Hands the same values over as [`rewrite`] does, and leaves them as they are: the database is read in its place, as it is at one
/// moment.
pub fn look<T: Treatment>(
    from: &Path,
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let database = open(from)?;
    database.execute_batch("PRAGMA trusted_schema = OFF; BEGIN").map_err(RowsError::Database)?;
    treat(&database, options, selectors, treatment, Work::Look)
}

/// What is done to a database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Look,
    Change,
}

fn treat<T: Treatment>(
    database: &Connection,
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
    work: Work,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let (tables, absent) = tables(database, selectors)?;
    let mut summary = Summary { absent, ..Summary::default() };
    let marks = Marks::new(options.elements.iter().map(String::as_str));
    let mut treater = Treater::new(treatment, marks, KeyHasher::default(), false);
    if treatment.looks_for_readable() {
        for place in telling_triggers(database, selectors).map_err(RowsError::Database)? {
            treatment.stays_readable(ReadablePlace { order: (0, 0), kind: Readable::Statements, place });
        }
        for place in telling_comments(database, selectors).map_err(RowsError::Database)? {
            treatment.stays_readable(ReadablePlace { order: (0, 0), kind: Readable::Comments, place });
        }
    }
    for (number, table) in tables.iter().enumerate() {
        let blame = |error: RowsError| blamed(error, table);
        if table.selected && treatment.looks_for_readable() {
            refuse_indexed_views(database, table, selectors).map_err(blame)?;
            let all = selectors;
            let selectors: Vec<&Columns> = selectors.iter().filter(|one| means(one, &table.name)).collect();
            refuse_referring(database, table, all, treatment.takes_every_record()).map_err(blame)?;
            for Namesake { position, column, sealed } in namesakes(&table.plan, &selectors) {
                let place =
                    format!("column {} of table {}, beside {}", shown(column), shown(&table.name), shown(sealed));
                let order = (number as u64, position as u64);
                treatment.stays_readable(ReadablePlace { order, kind: Readable::Namesakes, place });
            }
        }
        if table.selected {
            check_lengths(database, table).map_err(blame)?;
            if options.keys == Keys::Unique {
                check_keys(database, table).map_err(blame)?;
            }
        }
        let done = treat_table(database, table, &mut treater, &mut summary, work);
        done.map_err(|error| match error {
            RewriteError::Rows(error) => RewriteError::Rows(blame(error)),
            refused @ RewriteError::Refused(..) => refused,
        })?;
        if table.plan.drops && work == Work::Change {
            rebuild_indexes(database, table)?;
        }
        if table.selected && work == Work::Change {
            forget_samples(database, &table.name).map_err(RowsError::Database)?;
        }
    }
    Ok(summary)
}

/// Says of a change that the database refuses in which table it is; a full disk and damaged pages have words of their own.
fn unchanged(error: rusqlite::Error, table: &Table) -> RowsError {
    let is_of_table = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::Unknown | ErrorCode::TypeMismatch | ErrorCode::ConstraintViolation)
    );
    if is_of_table {
        return RowsError::Unchanged { table: table.name.clone(), source: error };
    }
    blamed(RowsError::Database(error), table)
}

/// Says of damaged pages which table they belong to, as far as is known.
fn blamed(error: RowsError, table: &Table) -> RowsError {
    match error {
        RowsError::Database(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            RowsError::DamagedTable { table: table.name.clone(), what: error.to_string() }
        }
        error => error,
    }
}

/// How many records a table has. Those that a search by their numbers does not find, or finds again and again, show by it.
fn count(database: &Connection, table: &Table) -> rusqlite::Result<u64> {
    let query = format!("SELECT count(*) FROM main.{} NOT INDEXED", quoted(&table.name));
    database.query_row(&query, [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

fn spot(table: &Table, record: impl Into<String>) -> Spot {
    Spot::Record { table: table.name.clone(), record: record.into() }
}

/// Refuses records that are too long, before one is read into memory.
fn check_lengths(database: &Connection, table: &Table) -> Result<(), RowsError> {
    let plan = &table.plan;
    let Some(key) = plan.keys.first() else { return Ok(()) };
    let length = |column: usize| format!("coalesce(octet_length({}), 0)", quoted(&plan.columns[column]));
    let read = (0..plan.columns.len()).filter(|column| table.reads(*column));
    let query = format!(
        "SELECT substr(CAST({} AS TEXT), 1, 100) FROM main.{} WHERE {} > {LONGEST_RECORD} LIMIT 1",
        quoted(&plan.columns[key.position]),
        quoted(&table.name),
        read.map(length).collect::<Vec<_>>().join(" + ")
    );
    let mut statement = database.prepare(&query).map_err(RowsError::Database)?;
    let mut rows = statement.query([]).map_err(RowsError::Database)?;
    let Some(row) = rows.next().map_err(RowsError::Database)? else { return Ok(()) };
    let record: Option<String> = row.get(0).map_err(RowsError::Database)?;
    Err(RowsError::RecordTooLong(spot(table, record.unwrap_or_default())))
}

/// Refuses two records with one key.
fn check_keys(database: &Connection, table: &Table) -> Result<(), RowsError> {
    for key in &table.plan.keys {
        let column = &table.plan.columns[key.position];
        let query = format!(
            "SELECT CAST({0} AS TEXT) FROM main.{1} WHERE {0} IS NOT NULL GROUP BY CAST({0} AS TEXT) COLLATE BINARY HAVING count(*) > 1 LIMIT 1",
            quoted(column),
            quoted(&table.name)
        );
        let mut statement = database.prepare(&query).map_err(RowsError::Database)?;
        let mut rows = statement.query([]).map_err(RowsError::Database)?;
        if let Some(row) = rows.next().map_err(RowsError::Database)? {
            let record: String = row.get(0).map_err(RowsError::Database)?;
            let column = Some(column.clone());
            return Err(RowsError::DoubledKey { spot: spot(table, record.as_str()), record, column });
        }
    }
    Ok(())
}

/// Makes the indexes of a table anew: in a damaged database they may have values of rows that the table has no more, or not as they were.
fn rebuild_indexes(database: &Connection, table: &Table) -> Result<(), RowsError> {
    let rebuilt = database.execute_batch(&format!("REINDEX main.{}", quoted(&table.name)));
    rebuilt.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => RowsError::DamagedTable {
            table: table.name.clone(),
            what: "two of its records have values that an index has once".to_owned(),
        },
        _ => unchanged(error, table),
    })
}

/// Deletes what ANALYZE has sampled, values of columns among it.
fn forget_samples(database: &Connection, table: &str) -> rusqlite::Result<()> {
    for samples in ["sqlite_stat3", "sqlite_stat4"] {
        let exists: bool =
            database.query_row("SELECT count(*) FROM sqlite_schema WHERE name = ?1", [samples], |row| row.get(0))?;
        if exists {
            database.execute(&format!("DELETE FROM {samples} WHERE tbl = ?1 COLLATE NOCASE"), [table])?;
        }
    }
    Ok(())
}

/// Some records, and where to find them again.
#[derive(Default)]
struct Page {
    bytes: Vec<u8>,
    values: Vec<Span>,
    locators: Vec<Vec<SqlValue>>,
}

fn treat_table<T: Treatment>(
    database: &Connection,
    table: &Table,
    treater: &mut Treater<'_, T>,
    summary: &mut Summary,
    work: Work,
) -> Result<(), RewriteError<T::Refusal>> {
    let columns = table.plan.columns.len();
    let count = count(database, table).map_err(RowsError::Database)?;
    let out_of_order = || RowsError::DamagedTable {
        table: table.name.clone(),
        what: "its records are not in the order of their numbers or keys".to_owned(),
    };
    let mut changes = Changes { database, table, prepared: None };
    let mut last: Option<Vec<SqlValue>> = None;
    let mut number = 0;
    let mut out = Vec::new();
    loop {
        let page = read_page(database, table, last.as_deref())?;
        for (position, locator) in page.locators.iter().enumerate() {
            if number == count
                || !is_behind(
                    locator,
                    position.checked_sub(1).map_or(last.as_ref(), |before| page.locators.get(before)),
                )
            {
                return Err(out_of_order().into());
            }
            number += 1;
            let values = &page.values[position * columns..(position + 1) * columns];
            let span = Span {
                start: values.first().map_or(0, |first| first.start),
                end: values.last().map_or(0, |last| last.end),
            };
            out.clear();
            let at = || spot(table, named(&page.bytes, values, number, table));
            let row = RawRow { bytes: &page.bytes, span, values, number, spot: &at };
            if span.len() > room::SHORT && !room::is_there_for(span.len()) {
                return Err(RowsError::NoMemory(at()).into());
            }
            let result = treater.treat(row, &table.plan, &Encoded, &mut out, &mut Vec::new());
            let done = result.map_err(|problem| problem.at(at(), &table.plan))?;
            summary.count(done);
            if work == Work::Look {
                continue;
            }
            let mut is_there = true;
            if !done.kept {
                is_there &= changes.drop_record(locator).map_err(|error| unchanged(error, table))?;
            } else if done.changed > 0 {
                is_there &= changes.apply(row, &out, locator).map_err(|error| unchanged(error, table))?;
            }
            if !is_there {
                return Err(out_of_order().into());
            }
        }
        match page.locators.into_iter().next_back() {
            Some(locator) => last = Some(locator),
            None if number < count => return Err(out_of_order().into()),
            None => return Ok(()),
        }
    }
}

/// Whether a record follows the one before by its number. How other keys compare, only the database knows.
fn is_behind(locator: &[SqlValue], before: Option<&Vec<SqlValue>>) -> bool {
    match (locator, before.map(Vec::as_slice)) {
        ([SqlValue::Integer(number)], Some([SqlValue::Integer(before)])) => number > before,
        _ => true,
    }
}

/// What messages call a record: its key, or else its number.
fn named(bytes: &[u8], values: &[Span], number: u64, table: &Table) -> String {
    let key = table.plan.keys.first().map(|key| Encoded.read(values[key.position].of(bytes)));
    match key {
        Some(Ok(Value::Text(key, _))) => key.into_owned(),
        _ => number.to_string(),
    }
}

/// The same of a record that was not read whole.
fn key_of(row: &Row<'_>, table: &Table) -> String {
    let key = table.plan.keys.first().map(|key| row.get_ref(table.locator.len() + key.position));
    match key {
        Some(Ok(ValueRef::Text(text))) => String::from_utf8_lossy(text).into_owned(),
        Some(Ok(ValueRef::Integer(number))) => number.to_string(),
        _ => "without a key".to_owned(),
    }
}

fn read_page(database: &Connection, table: &Table, last: Option<&[SqlValue]>) -> Result<Page, RowsError> {
    let locator = table.locator.join(", ");
    let columns = table.plan.columns.iter().enumerate().map(|(column, name)| {
        let name = quoted(name);
        if table.reads(column) {
            return name;
        }
        // Only a text can be a sealed value, or a blob that is one, in which a byte takes two digits. What is longer than a record is none.
        let half = LONGEST_RECORD / 2;
        format!(
            "CASE typeof({name}) WHEN 'text' THEN iif(octet_length({name}) <= {LONGEST_RECORD}, {name}, NULL) \
             WHEN 'blob' THEN iif(octet_length({name}) <= {half} AND instr({name}, x'3C') + instr({name}, x'26') > 0, {name}, NULL) END"
        )
    });
    let columns: Vec<String> = columns.collect();
    let places: Vec<String> = (1..=table.locator.len()).map(|place| format!("?{place}")).collect();
    let behind = if last.is_some() { format!("WHERE ({locator}) > ({})", places.join(", ")) } else { String::new() };
    let query = format!(
        "SELECT {locator}, {} FROM main.{} {behind} ORDER BY {locator} LIMIT {RECORDS}",
        columns.join(", "),
        quoted(&table.name)
    );
    let mut statement = database.prepare(&query).map_err(RowsError::Database)?;
    let mut rows = statement.query(params_from_iter(last.unwrap_or_default())).map_err(RowsError::Database)?;
    let mut page = Page::default();
    while let Some(row) = rows.next().map_err(RowsError::Database)? {
        let found = (0..table.locator.len()).map(|place| row.get(place)).collect::<rusqlite::Result<_>>();
        page.locators.push(found.map_err(RowsError::Database)?);
        let start = page.bytes.len();
        for column in 0..columns.len() {
            let value = row.get_ref(table.locator.len() + column).map_err(RowsError::Database)?;
            // All of a record together must not take more than a record may; then its longest values hold nothing that was sealed here.
            let is_beyond =
                page.bytes.len() - start + record::length_of(value) > LONGEST_RECORD && !table.reads(column);
            let Ok(span) = record::encode(if is_beyond { ValueRef::Null } else { value }, &mut page.bytes) else {
                return Err(RowsError::NoMemory(spot(table, key_of(row, table))));
            };
            page.values.push(span);
        }
        if page.bytes.len() > BYTES {
            break;
        }
    }
    Ok(page)
}

/// Changes to the records of a table.
struct Changes<'a> {
    database: &'a Connection,
    table: &'a Table,
    /// The last update and the columns that it changes: most records change in the same ones.
    prepared: Option<(Vec<usize>, Statement<'a>)>,
}

impl Changes<'_> {
    fn condition(&self, first: usize) -> String {
        let tests = self.table.locator.iter().enumerate().map(|(place, name)| format!("{name} = ?{}", first + place));
        tests.collect::<Vec<_>>().join(" AND ")
    }

    /// Drops a record; false if there is not exactly one.
    fn drop_record(&self, locator: &[SqlValue]) -> rusqlite::Result<bool> {
        let statement = format!("DELETE FROM main.{} WHERE {}", quoted(&self.table.name), self.condition(1));
        self.database.execute(&statement, params_from_iter(locator)).map(|rows| rows == 1)
    }

    /// Writes the values of a record that are not what they were; false if there is not exactly one.
    fn apply(&mut self, before: RawRow<'_>, after: &[u8], locator: &[SqlValue]) -> rusqlite::Result<bool> {
        let mut changed = Vec::new();
        let mut values = Vec::new();
        let mut rest = after;
        for (column, span) in before.values.iter().enumerate() {
            let (now, behind) = rest.split_at(record::length(rest));
            rest = behind;
            if now != span.of(before.bytes) {
                changed.push(column);
                values.push(record::decode(now).0);
            }
        }
        if changed.is_empty() {
            return Ok(true);
        }
        if self.prepared.as_ref().is_none_or(|(columns, _)| *columns != changed) {
            let columns = &self.table.plan.columns;
            let sets = changed
                .iter()
                .enumerate()
                .map(|(place, column)| format!("{} = ?{}", quoted(&columns[*column]), place + 1));
            let sets = sets.collect::<Vec<_>>().join(", ");
            let condition = self.condition(changed.len() + 1);
            let text = format!("UPDATE main.{} SET {sets} WHERE {condition}", quoted(&self.table.name));
            self.prepared = Some((changed, self.database.prepare(&text)?));
        }
        match &mut self.prepared {
            Some((_, statement)) => Ok(statement.execute(params_from_iter(values.iter().chain(locator)))? == 1),
            None => Ok(true),
        }
    }
}
