//! Which table a statement fills, and what its columns are.

mod define;
mod parse;
mod run;
mod sealed;
mod selected;

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use sqlparser::ast::{CopySource, CopyTarget, Ident, ObjectName, Statement, TableObject};

use super::Dialect;
use super::batch::Unsealable;
use super::created::{Created, Known, Listed};
use super::descent::Descent;
use super::words::{Name, Words};
use super::writes::hashed;
use crate::document::Readable;
use crate::document::header;
use crate::document::rows::{Charset, Column, Columns, Namesake, Plan, RowsError, Spot, namesakes};
use crate::shown::shown;
use sealed::Telling;
use selected::means;

/// Bytes that all tables and statement heads together may take in memory: hundreds of thousands of columns.
const MOST_MEMORY: usize = 16 << 20;

/// Bytes that a table takes beside its columns, whether it was created or is filled: names, maps, and what the allocator adds to each.
const TABLE_MEMORY: usize = 880;

/// A table that statements fill.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "facts of one table that do not exclude each other")]
pub(super) struct Table {
    pub(super) plan: Arc<Plan>,
    /// The first of the selectors that are meant for its rows.
    pub(super) selector: Option<usize>,
    /// Whether it holds the headers of data keys.
    pub(super) keys: bool,
    /// Whether its rows are the schema of an SQLite database.
    pub(super) is_schema: bool,
    /// Whether its rows hold samples of the values of others.
    pub(super) is_sampled: bool,
    /// Records so far.
    pub(super) records: u64,
    name: Name,
    /// Whether the columns of the plan have the names that the dump gives them.
    is_described: bool,
    /// Where its first rows are.
    first: Spot,
}

/// What a COPY statement brings.
pub(super) enum Copied {
    /// Rows of this table, in the text format.
    Rows(usize),
    /// Rows in another form, and why that is wrong if it is.
    Unread(Option<Unsealable>),
    /// No rows here: they are in a file, or go out; and what is wrong with that if something is.
    Nothing(Option<Unsealable>),
}

/// A table that the dump creates to hold the headers of data keys.
pub(super) struct KeyTable(pub(super) String);

/// The tables of a dump.
pub(super) struct Tables<'s> {
    dialect: Dialect,
    charset: Charset,
    selectors: &'s [Columns],
    created: Created,
    /// Whose rows are rows of other tables.
    descent: Descent,
    all: Vec<Table>,
    heads: HashMap<Vec<u8>, usize>,
    /// For every selector the table that it turned out to mean.
    found: Vec<Option<String>>,
    /// For every selector whether a part of its table has rows.
    has_part: Vec<bool>,
    /// Routines that put into a table what they are called with, and its selector.
    writers: HashMap<u64, usize>,
    /// The same of any routine, if there are too many.
    any_writes: Option<usize>,
    /// The names of routines that are called with something.
    routines: HashSet<u64>,
    /// Whether the dump defines routines at all.
    has_routine: bool,
    /// Whether it defines operators or the like, which call routines without their names.
    has_operator: bool,
    /// Tables with rows that were not read, by the last parts of their names.
    filled: HashMap<String, Vec<Name>>,
    /// What would tell which values the rows of a table have, if that is a part of a selected one.
    telling: Vec<Telling>,
    /// Views that give columns other names, perhaps.
    renaming: HashSet<u64>,
    /// What shows only once all is read: columns that look like sealed ones, and rows that may be of others.
    unsealable: Vec<Unsealable>,
    /// About how many bytes all this takes.
    memory: usize,
    /// Whether a statement could not be read, as it is not in the character set.
    has_other_charset: bool,
}

impl<'s> Tables<'s> {
    pub(super) fn new(dialect: Dialect, charset: Charset, selectors: &'s [Columns]) -> Self {
        let found = vec![None; selectors.len()];
        Self {
            dialect,
            charset,
            selectors,
            created: Created::default(),
            descent: Descent::default(),
            all: Vec::new(),
            heads: HashMap::new(),
            found,
            has_part: vec![false; selectors.len()],
            writers: HashMap::new(),
            any_writes: None,
            routines: HashSet::new(),
            has_routine: false,
            has_operator: false,
            filled: HashMap::new(),
            telling: Vec::new(),
            renaming: HashSet::new(),
            unsealable: Vec::new(),
            memory: 0,
            has_other_charset: false,
        }
    }

    pub(super) fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The words of a statement.
    pub(super) fn words<'t>(&self, statement: &'t [u8]) -> Words<'t> {
        Words::new(statement, self.dialect, self.charset)
    }

    pub(super) fn get(&self, table: usize) -> &Table {
        &self.all[table]
    }

    /// The number of the next record of a table that has so many values, from one.
    pub(super) fn next_record(
        &mut self,
        table: usize,
        values: usize,
        spot: impl FnOnce() -> Spot,
    ) -> Result<u64, RowsError> {
        let entry = &mut self.all[table];
        let columns = entry.plan.columns.len();
        if values != columns && entry.selector.is_some() {
            return Err(RowsError::Ragged { spot: spot(), found: values, columns });
        }
        if values != columns {
            // Nobody selected it, so it is enough that its values can be told apart.
            let columns = (1..=values).map(|number| format!("column {number}")).collect();
            let plan = Plan::new(entry.plan.name.clone(), columns, &[], true)?;
            entry.plan = Arc::new(Plan { drops: entry.plan.drops, ..plan });
            entry.is_described = false;
        }
        entry.records += 1;
        Ok(entry.records)
    }

    /// The tables of selectors that nothing was found for.
    pub(super) fn absent(&self) -> Vec<String> {
        self.unfound().map(|selector| selector.source.clone()).collect()
    }

    fn unfound(&self) -> impl Iterator<Item = &'s Columns> + '_ {
        let found = self.found.iter().zip(&self.has_part).map(|(found, has_part)| found.is_some() || *has_part);
        self.selectors.iter().zip(found).filter(|(_, is_found)| !is_found).map(|(selector, _)| selector)
    }

    /// The table of an INSERT statement, from everything up to VALUES; `skip` is a part that the parser does not know.
    pub(super) fn insert(
        &mut self,
        head: &[u8],
        skip: std::ops::Range<usize>,
        spot: &Spot,
    ) -> Result<usize, RowsError> {
        if let Some(known) = self.heads.get(head) {
            return Ok(*known);
        }
        let mut text = Vec::with_capacity(head.len() + 8);
        text.extend_from_slice(&head[..skip.start]);
        text.extend_from_slice(&head[skip.end..]);
        text.extend_from_slice(b" (NULL)");
        let table = filled(self.parse(&text));
        let otherwise = self.parse_unexecuted(&text);
        if otherwise.is_some() && filled(otherwise) != table {
            let what = "a comment that not every server executes changes which columns these rows have".into();
            self.unsealable.push(Unsealable { spot: spot.clone(), kind: Readable::Statements, what });
        }
        let table = self.resolve(table, spot)?;
        self.take(head.len() + 64, spot)?;
        self.heads.insert(head.to_vec(), table);
        Ok(table)
    }

    /// The table of a COPY statement.
    pub(super) fn copy(&mut self, statement: &[u8], spot: &Spot) -> Result<Copied, RowsError> {
        let Some(Statement::Copy { source, to, target, options, legacy_options, .. }) = self.parse(statement) else {
            return Err(RowsError::Statement { spot: spot.clone(), what: "this COPY statement cannot be read".into() });
        };
        let CopySource::Table { table_name, columns } = source else {
            let calls = (!self.calls_nothing(statement)).then(|| self.may_fill_any("this statement", spot)).flatten();
            return Ok(Copied::Nothing(calls));
        };
        if to || target != CopyTarget::Stdin {
            let selector = self.selectors_of(&parts(&table_name)).first().copied();
            if !to {
                self.note_filled(parts(&table_name), spot)?;
            }
            // What a program prints may stand in its call.
            let is_called = !to && matches!(target, CopyTarget::Program { .. });
            let filled = selector.filter(|_| is_called);
            return Ok(Copied::Nothing(filled.map(|selector| self.may_fill(selector, "this statement", spot.clone()))));
        }
        let columns = columns.iter().map(|column| column.value.clone()).collect();
        let table = self.resolve(Some((parts(&table_name), columns)), spot)?;
        if options.is_empty() && legacy_options.is_empty() {
            return Ok(Copied::Rows(table));
        }
        self.note_filled(self.all[table].name.clone(), spot)?;
        let unsealable = self.all[table].selector.map(|_| Unsealable {
            spot: spot.clone(),
            kind: Readable::Statements,
            what: format!(
                "rows of COPY for {} can be sealed only in its text format without options",
                self.all[table].plan.name
            ),
        });
        Ok(Copied::Unread(unsealable))
    }

    /// Forgets which tables statements fill.
    pub(super) fn forget_heads(&mut self) {
        self.heads.clear();
    }

    /// Counts memory, which a dump of ever new tables must not fill.
    fn take(&mut self, bytes: usize, spot: &Spot) -> Result<(), RowsError> {
        self.memory += bytes;
        if self.memory > MOST_MEMORY {
            let what = "the dump has too many different tables and columns".into();
            return Err(RowsError::Statement { spot: spot.clone(), what });
        }
        Ok(())
    }

    fn resolve(&mut self, table: Option<(Vec<String>, Vec<String>)>, spot: &Spot) -> Result<usize, RowsError> {
        let Some((name, mut columns)) = table else {
            if !self.selectors.is_empty() {
                let what = "it is not clear which table this INSERT statement fills".into();
                return Err(RowsError::Statement { spot: spot.clone(), what });
            }
            return self.push(vec!["a table".to_owned()], Vec::new(), &[], spot);
        };
        let written = name.join(".");
        let direct = self.named_by(&name);
        for &position in &direct {
            let source = &self.selectors[position].source;
            match &mut self.found[position] {
                Some(first) if !first.eq_ignore_ascii_case(&written) && !source.contains('.') => {
                    let (selector, first) = (source.clone(), first.clone());
                    return Err(RowsError::AmbiguousTable { selector, first, second: written });
                }
                found => *found = Some(written.clone()),
            }
        }
        let mut selectors: Vec<Columns> = direct.iter().map(|position| self.selectors[*position].clone()).collect();
        for position in self.descent.selectors(&name).into_iter().filter(|position| !direct.contains(position)) {
            let whole = &self.selectors[position];
            self.has_part[position] = true;
            // What the policy says of the part itself comes first.
            let is_named = |column: &Column| {
                let mut named = selectors.iter().flat_map(|selector| &selector.columns);
                named.any(|known| known.column.eq_ignore_ascii_case(&column.column))
            };
            let columns: Vec<Column> = whole.columns.iter().filter(|column| !is_named(column)).cloned().collect();
            if !columns.is_empty() {
                selectors.push(Columns { columns, ..whole.clone() });
            }
        }
        if columns.is_empty() {
            let why = match self.created.columns(&name) {
                Known::Columns(Listed::InOrder(known)) => {
                    columns.clone_from(known);
                    None
                }
                Known::Columns(Listed::Inherited) => Some("it inherits some, and they may stand elsewhere than first"),
                Known::Several => Some("several tables that this name may mean have others"),
                Known::Nothing => None,
            };
            if let (Some(why), false) = (why, selectors.is_empty()) {
                let what = format!(
                    "the order of the columns of {written} is not known, as {why}; write the dump with the names of the columns \
                     (pg_dump --column-inserts, mysqldump --complete-insert)"
                );
                return Err(RowsError::Statement { spot: spot.clone(), what });
            }
        }
        if !selectors.is_empty()
            && self.renaming.contains(&hashed(name.last().map(String::as_bytes).unwrap_or_default()))
        {
            let what = format!("rows are put into the view {written}, whose columns may be others in its tables");
            self.unsealable.push(Unsealable { spot: spot.clone(), kind: Readable::Statements, what });
        }
        if columns.is_empty() && !selectors.is_empty() {
            let charset = self.has_other_charset.then(|| self.charset.name());
            return Err(RowsError::UnknownColumns { spot: spot.clone(), table: written, charset });
        }
        self.take(columns.iter().map(|column| column.len() + 128).sum::<usize>() + TABLE_MEMORY, spot)?;
        self.push(name, columns, &selectors.iter().collect::<Vec<_>>(), spot)
    }

    fn push(
        &mut self,
        name: Name,
        columns: Vec<String>,
        selectors: &[&Columns],
        spot: &Spot,
    ) -> Result<usize, RowsError> {
        let is_described = !columns.is_empty();
        let mut plan = Plan::new(name.join("."), columns, selectors, true)?;
        // A filter over selected tables leaves the tables alone that they refer to.
        plan.drops = self.selectors.is_empty() || !selectors.is_empty();
        for Namesake { column, sealed, .. } in namesakes(&plan, selectors) {
            let what = format!("column {} of {}, beside {}", shown(column), plan.name, shown(sealed));
            if !self.unsealable.iter().any(|known| known.what == what) {
                self.unsealable.push(Unsealable { spot: spot.clone(), kind: Readable::Namesakes, what });
            }
        }
        let (selector, keys) = (self.selectors_of(&name).first().copied(), is_keys(&name));
        let is_schema = ["sqlite_schema", "sqlite_master"].iter().any(|schema| means(schema, &name));
        let is_sampled = ["sqlite_stat3", "sqlite_stat4"].iter().any(|samples| means(samples, &name));
        let (plan, first) = (Arc::new(plan), spot.clone());
        self.all.push(Table { plan, selector, keys, is_schema, is_sampled, records: 0, name, is_described, first });
        Ok(self.all.len() - 1)
    }
}

/// The table and the columns that an INSERT statement fills.
fn filled(statement: Option<Statement>) -> Option<(Name, Vec<String>)> {
    let Some(Statement::Insert(insert)) = statement else { return None };
    match insert.table {
        TableObject::TableName(name) => Some((parts(&name), insert.columns.iter().map(last).collect())),
        _ => None,
    }
}

fn is_keys(name: &[String]) -> bool {
    name.last().is_some_and(|last| last.eq_ignore_ascii_case(header::TABLE))
}

fn parts(name: &ObjectName) -> Vec<String> {
    name.0.iter().map(|part| part.as_ident().map_or_else(|| part.to_string(), ident)).collect()
}

fn ident(ident: &Ident) -> String {
    ident.value.clone()
}

fn last(name: &ObjectName) -> String {
    parts(name).pop().unwrap_or_default()
}
