//! Which table a statement fills, and what its columns are.

use std::sync::Arc;

use hashbrown::HashMap;
use sqlparser::ast::{
    ColumnDef, ColumnOption, ColumnOptionDef, CopySource, CopyTarget, Ident, ObjectName, Statement, TableObject,
};
use sqlparser::parser::Parser;

use super::Dialect;
use super::created::Created;
use super::lex::{Text, Token};
use crate::document::header;
use crate::document::rows::{Charset, Columns, Plan, RowsError, Spot};

/// Longest part of a statement that is read by the parser.
const LONGEST_PARSED: usize = 128 << 10;

/// Most tokens of it, each of which takes the parser about 500 bytes of memory.
const MOST_TOKENS: usize = 1 << 15;

/// Deepest parentheses in it: the time that the parser takes grows with the square of the depth.
const DEEPEST: usize = 64;

/// Bytes that all tables and statement heads together may take in memory: hundreds of thousands of columns.
const MOST_MEMORY: usize = 16 << 20;

/// Bytes that a table takes beside its columns, whether it was created or is filled: names, maps, and what the allocator adds to each.
const TABLE_MEMORY: usize = 700;

/// A table that statements fill.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) plan: Arc<Plan>,
    /// Whether a selector names it.
    pub(super) selected: bool,
    /// Whether it holds the headers of data keys.
    pub(super) keys: bool,
    /// Records so far.
    pub(super) records: u64,
}

/// What a COPY statement brings.
pub(super) enum Copied {
    /// Rows of this table, in the text format.
    Rows(usize),
    /// Rows in another form.
    Unread,
    /// No rows here: they are in a file, or go out.
    Nothing,
}

/// A table that the dump creates to hold the headers of data keys.
pub(super) struct KeyTable(pub(super) String);

/// The tables of a dump.
pub(super) struct Tables<'s> {
    dialect: Dialect,
    charset: Charset,
    selectors: &'s [Columns],
    created: Created,
    all: Vec<Table>,
    heads: HashMap<Vec<u8>, usize>,
    /// For every selector the table that it turned out to mean.
    found: Vec<Option<String>>,
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
            all: Vec::new(),
            heads: HashMap::new(),
            found,
            memory: 0,
            has_other_charset: false,
        }
    }

    pub(super) fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
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
        if values != columns && entry.selected {
            return Err(RowsError::Ragged { spot: spot(), found: values, columns });
        }
        if values != columns {
            // Nobody selected it, so it is enough that its values can be told apart.
            let columns = (1..=values).map(|number| format!("column {number}")).collect();
            let plan = Plan::new(entry.plan.name.clone(), columns, &[], true)?;
            entry.plan = Arc::new(Plan { drops: entry.plan.drops, ..plan });
        }
        entry.records += 1;
        Ok(entry.records)
    }

    /// The tables of selectors that nothing was found for.
    pub(super) fn absent(&self) -> Vec<String> {
        let unfound = self.selectors.iter().zip(&self.found).filter(|(_, found)| found.is_none());
        unfound.map(|(selector, _)| selector.source.clone()).collect()
    }

    /// Whether a name in a statement, behind these bytes of it, is that of a selected table. One without its schema may be in any.
    pub(super) fn selects(&self, before: &[u8], name: &[u8]) -> bool {
        let schema = schema_before(before);
        self.selectors.iter().any(|selector| {
            let (schemas, table) = selector.source.rsplit_once('.').unwrap_or(("", &selector.source));
            let wanted = schemas.rsplit('.').next().filter(|wanted| !wanted.is_empty());
            let is_in = wanted.is_none_or(|wanted| schema.is_none_or(|schema| is_called(schema, wanted)));
            is_in && is_called(name, table)
        })
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
        let table = match self.parse(&text) {
            Some(Statement::Insert(insert)) => match insert.table {
                TableObject::TableName(name) => Some((parts(&name), insert.columns.iter().map(last).collect())),
                _ => None,
            },
            _ => None,
        };
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
        let CopySource::Table { table_name, columns } = source else { return Ok(Copied::Nothing) };
        if to || target != CopyTarget::Stdin {
            return Ok(Copied::Nothing);
        }
        let columns = columns.iter().map(|column| column.value.clone()).collect();
        let table = self.resolve(Some((parts(&table_name), columns)), spot)?;
        if options.is_empty() && legacy_options.is_empty() {
            return Ok(Copied::Rows(table));
        }
        if self.all[table].selected {
            let what = "rows of COPY can be sealed only in its text format without options".into();
            return Err(RowsError::Statement { spot: spot.clone(), what });
        }
        Ok(Copied::Unread)
    }

    /// Forgets which tables statements fill.
    pub(super) fn forget_heads(&mut self) {
        self.heads.clear();
    }

    /// Forgets the columns of tables that a statement names and may give others, or another order.
    pub(super) fn alter(&mut self, statement: &[u8]) {
        let text = Text { bytes: statement, ended: true, dialect: self.dialect };
        let mut words: Vec<&[u8]> = Vec::new();
        let mut at = 0;
        while let Ok(Some((token, end))) = text.token(at) {
            if matches!(token, Token::Word | Token::Quoted(_)) {
                words.push(&statement[at..end]);
            }
            at = end;
        }
        if gives_other_columns(&words) {
            for word in words {
                self.created.forget(word);
            }
        }
    }

    /// Takes note of a CREATE TABLE statement. What cannot be read is not noted; a statement that needs it will say so.
    pub(super) fn create(&mut self, statement: &[u8], spot: &Spot) -> Result<Option<KeyTable>, RowsError> {
        let Some((columns_end, computed, partial)) = self.column_list(statement) else { return Ok(None) };
        let Some(Statement::CreateTable(table)) = self.parse(&statement[..columns_end]) else { return Ok(None) };
        let name = parts(&table.name);
        if computed && self.selectors.iter().any(|selector| means(&selector.source, &name)) {
            let what = format!("table {} is filled by a query, so its values cannot be sealed", name.join("."));
            return Err(RowsError::Statement { spot: spot.clone(), what });
        }
        if is_keys(&name) {
            return Ok(Some(KeyTable(table.name.to_string())));
        }
        if !partial {
            let names = table.columns.iter().map(|column| column.name.value.len() + 64);
            self.take(names.sum::<usize>() + TABLE_MEMORY, spot)?;
            // SQLite leaves computed columns out of the rows of a dump; others write DEFAULT for them, or name the columns.
            let is_left_out = |column: &&ColumnDef| {
                let is_computed = |option: &ColumnOptionDef| matches!(option.option, ColumnOption::Generated { .. });
                matches!(self.dialect, Dialect::Standard | Dialect::Sqlite) && column.options.iter().any(is_computed)
            };
            let columns = table.columns.iter().filter(|column| !is_left_out(column));
            let columns = columns.map(|column| column.name.value.clone()).collect();
            self.created.insert(name, columns);
        }
        Ok(None)
    }

    /// Where the list of columns ends, whether a query follows, and whether there are columns that it does not list.
    fn column_list(&self, statement: &[u8]) -> Option<(usize, bool, bool)> {
        let text = Text { bytes: statement, ended: true, dialect: self.dialect };
        let (mut at, mut end, mut computed, mut partial) = (0, None, false, false);
        while let Ok(Some((token, next))) = text.token(at) {
            if token == Token::Byte(b'(') && end.is_none() {
                at = text.tuple(at, |_, _| {}).ok()?;
                end = Some(at);
                continue;
            }
            let word = &statement[at..next];
            computed |= token == Token::Word && word.eq_ignore_ascii_case(b"select");
            partial |= token == Token::Word
                && [&b"inherits"[..], b"like", b"of"].iter().any(|end| word.eq_ignore_ascii_case(end));
            at = next;
        }
        Some((end?, computed, partial))
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

    fn parse(&mut self, text: &[u8]) -> Option<Statement> {
        if text.len() > LONGEST_PARSED || !is_modest(text, self.dialect) {
            return None;
        }
        let Some(text) = self.charset.decode(text) else {
            self.has_other_charset = true;
            return None;
        };
        // A dump that does not say what it is for may still be for one of them.
        let dialects: &[Dialect] = match self.dialect {
            Dialect::Standard => &[Dialect::Standard, Dialect::Sqlite, Dialect::PostgreSql, Dialect::MySql],
            ref known => std::slice::from_ref(known),
        };
        dialects.iter().find_map(|dialect| {
            let mut statements = Parser::parse_sql(dialect.parser(), &text).ok()?;
            statements.pop().filter(|_| statements.is_empty())
        })
    }

    fn resolve(&mut self, table: Option<(Vec<String>, Vec<String>)>, spot: &Spot) -> Result<usize, RowsError> {
        let Some((name, mut columns)) = table else {
            if !self.selectors.is_empty() {
                let what = "it is not clear which table this INSERT statement fills".into();
                return Err(RowsError::Statement { spot: spot.clone(), what });
            }
            return self.push("a table", Vec::new(), &[], false);
        };
        let written = name.join(".");
        let mut selectors = Vec::new();
        for (selector, found) in self.selectors.iter().zip(&mut self.found) {
            if !means(&selector.source, &name) {
                continue;
            }
            match found {
                Some(first) if !first.eq_ignore_ascii_case(&written) && !selector.source.contains('.') => {
                    let (selector, first) = (selector.source.clone(), first.clone());
                    return Err(RowsError::AmbiguousTable { selector, first, second: written });
                }
                _ => *found = Some(written.clone()),
            }
            selectors.push(selector);
        }
        if columns.is_empty() {
            columns = self.created.columns(&name).map(<[String]>::to_vec).unwrap_or_default();
        }
        if columns.is_empty() && !selectors.is_empty() {
            let charset = self.has_other_charset.then(|| self.charset.name());
            return Err(RowsError::UnknownColumns { spot: spot.clone(), table: written, charset });
        }
        self.take(columns.iter().map(|column| column.len() + 128).sum::<usize>() + TABLE_MEMORY, spot)?;
        self.push(&written, columns, &selectors, is_keys(&name))
    }

    fn push(
        &mut self,
        name: &str,
        columns: Vec<String>,
        selectors: &[&Columns],
        keys: bool,
    ) -> Result<usize, RowsError> {
        let mut plan = Plan::new(name.to_owned(), columns, selectors, true)?;
        // A filter over selected tables leaves the tables alone that they refer to.
        plan.drops = self.selectors.is_empty() || !selectors.is_empty();
        self.all.push(Table { plan: Arc::new(plan), selected: !selectors.is_empty(), keys, records: 0 });
        Ok(self.all.len() - 1)
    }
}

/// Whether the parser reads a part of a statement in little memory and time.
fn is_modest(statement: &[u8], dialect: Dialect) -> bool {
    let text = Text { bytes: statement, ended: true, dialect };
    let (mut at, mut tokens, mut depth) = (0, 0, 0_usize);
    while let Ok(Some((token, next))) = text.token(at) {
        match token {
            Token::Byte(b'(' | b'[' | b'{') => depth += 1,
            Token::Byte(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        tokens += usize::from(token != Token::Gap);
        if tokens > MOST_TOKENS || depth > DEEPEST {
            return false;
        }
        at = next;
    }
    true
}

/// Whether a statement of these words may give a table other columns.
fn gives_other_columns(words: &[&[u8]]) -> bool {
    const ALWAYS: [&str; 5] = ["rename", "change", "modify", "first", "after"];
    // Behind ADD or DROP, these are no columns.
    const OTHERS: [&str; 9] =
        ["constraint", "primary", "unique", "foreign", "check", "key", "index", "generated", "table"];
    let is_one = |word: &[u8], of: &[&str]| of.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
    let next = words.iter().skip(1).map(|word| Some(*word)).chain([None]);
    words.iter().zip(next).any(|(word, next)| {
        let is_column = next.is_some_and(|next| !is_one(next, &OTHERS));
        is_one(word, &ALWAYS) || (is_one(word, &["add", "drop"]) && is_column)
    })
}

/// Whether a name as a statement writes it is this one.
fn is_called(written: &[u8], name: &str) -> bool {
    String::from_utf8_lossy(written).trim_matches(['"', '`', '[', ']']).eq_ignore_ascii_case(name)
}

/// The name before the dot with which these bytes end.
fn schema_before(bytes: &[u8]) -> Option<&[u8]> {
    // No system has longer names; one that is not found is any.
    const LONGEST_NAME: usize = 300;
    let bytes = &bytes[bytes.len().saturating_sub(LONGEST_NAME)..];
    let bytes = bytes.strip_suffix(b".")?;
    let (quote, inner) = bytes.split_last()?;
    let start = match quote {
        b'"' | b'`' => inner.iter().rposition(|byte| byte == quote)?,
        b']' => inner.iter().rposition(|byte| *byte == b'[')?,
        _ => {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
            bytes.iter().rposition(|byte| !is_part(byte)).map_or(0, |gap| gap + 1)
        }
    };
    // Behind a blank or a comment it is not looked for.
    Some(&bytes[start..]).filter(|name| !name.is_empty())
}

/// Whether a written name, with or without its schema, is that of a table.
fn means(written: &str, table: &[String]) -> bool {
    let whole = table.join(".").eq_ignore_ascii_case(written);
    let last = |name: &str| table.last().is_some_and(|last| last.eq_ignore_ascii_case(name));
    match written.rsplit_once('.') {
        None => whole || last(written),
        // A system without schemas, or a dump that leaves the usual one out, has the table all the same.
        Some((_, name)) => whole || (table.len() == 1 && last(name)),
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
