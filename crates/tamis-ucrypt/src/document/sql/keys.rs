//! The headers of data keys in a dump: a block of its own before everything else, or the table of the database that was dumped.

use std::fmt::Write as _;
use std::io::Read;

use super::batch::{Batch, Piece, Row};
use super::copy_row::CopyValues;
use super::literal::Literals;
use super::scan::Scanner;
use super::{Dialect, Options};
use crate::document::header::{HeaderError, KeyHeader, KeyHeaders, TABLE, TABLE_COLUMNS};
use crate::document::rows::{Form, RowsError, Value};

const BLOCK_START: &str =
    "-- ucrypt_keys: the data keys of the sealed values below, wrapped for the holders of their policies\n";
const BLOCK_END: &str = "-- ucrypt_keys: end\n";

/// Where the headers of a dump are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Home {
    /// In a block before everything else; this is also where they go if there are none yet.
    #[default]
    Block,
    /// In a table that the dump creates.
    Table,
}

/// What to do with the headers of a dump.
#[derive(Debug, Clone, Copy)]
pub enum Headers<'a> {
    /// They stay as they are.
    Keep,
    /// These take their place.
    Replace(&'a KeyHeaders, Home),
}

/// What a first look at a dump tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The system that it is for.
    pub dialect: Dialect,
    /// The headers of its data keys.
    pub headers: KeyHeaders,
    /// Where they are.
    pub home: Home,
}

/// Reads a dump for the headers of its data keys, wherever they are: opening needs them before the first row.
pub fn survey(input: impl Read, options: &Options) -> Result<Survey, RowsError> {
    let mut scanner = Scanner::new(input, options, &[]);
    let (headers, home) = read_headers(&mut scanner, options)?;
    Ok(Survey { dialect: scanner.dialect(), headers, home })
}

fn read_headers(scanner: &mut Scanner<'_, impl Read>, options: &Options) -> Result<(KeyHeaders, Home), RowsError> {
    let (mut headers, mut home) = (KeyHeaders::default(), Home::Block);
    while let Some(batch) = scanner.next()? {
        let dialect = scanner.dialect();
        for piece in &batch.pieces {
            match piece {
                Piece::KeyBlock(span) => {
                    let block = span.of(&batch.bytes);
                    // Without its first line, it is a dump like any other. No block is looked for in it, so this ends here.
                    let inner = block.get(BLOCK_START.len()..).unwrap_or_default();
                    let options = Options { dialect: Some(dialect), ..options.clone() };
                    let (inside, _) = read_headers(&mut Scanner::in_block(&mut &*inner, &options), &options)?;
                    for header in inside.as_slice() {
                        headers.add(header.clone())?;
                    }
                }
                Piece::KeyTable(_) => home = Home::Table,
                Piece::Row(row) if row.key => {
                    headers.add(header(&batch, row, &Literals { dialect, charset: options.charset })?)?;
                }
                Piece::Line(row) if row.key => {
                    headers.add(header(&batch, row, &CopyValues { charset: options.charset })?)?;
                }
                _ => {}
            }
        }
    }
    Ok((headers, home))
}

fn header<F: Form>(batch: &Batch, row: &Row, form: &F) -> Result<KeyHeader, HeaderError> {
    let plan = &batch.plans[row.plan as usize];
    let values = batch.values_of(row);
    let mut parts: [Option<String>; 5] = Default::default();
    for (name, part) in TABLE_COLUMNS.iter().zip(&mut parts) {
        let column = plan.columns.iter().position(|column| column.eq_ignore_ascii_case(name));
        // A table whose columns are not known has those that this program creates.
        let column = column.or_else(|| {
            let unnamed = plan.columns.first().is_some_and(|first| first == "column 1");
            TABLE_COLUMNS.iter().position(|known| known == name).filter(|_| unnamed && plan.columns.len() == 5)
        });
        let value = column.and_then(|column| form.read(values[column].of(&batch.bytes)).ok());
        if let Some(Value::Text(text, _)) = value {
            *part = Some(text.into_owned());
        }
    }
    let [kid, pol, ep, born, dk] = &parts;
    let part = |name, value: &'_ Option<String>| value.clone().ok_or(HeaderError::Part(name));
    KeyHeader::new(&part("pol", pol)?, &part("ep", ep)?, &part("kid", kid)?, born.as_deref(), &part("dk", dk)?)
}

/// Whether a dump begins with a block of headers.
pub(super) enum KeyBlock {
    None,
    /// It does, and this is its length.
    Ends(usize),
    /// It does, and its end is not in sight.
    Open,
}

impl KeyBlock {
    pub(super) fn at(bytes: &[u8]) -> Self {
        if !bytes.starts_with(BLOCK_START.as_bytes()) {
            return Self::None;
        }
        let end = memchr::memmem::find(bytes, BLOCK_END.as_bytes());
        end.map_or(Self::Open, |at| Self::Ends(at + BLOCK_END.len()))
    }
}

/// The block of some headers. Its statements are understood by every system; none of their values needs an escape.
pub(super) fn block(headers: &KeyHeaders) -> String {
    if headers.as_slice().is_empty() {
        return String::new();
    }
    format!(
        "{BLOCK_START}CREATE TABLE IF NOT EXISTS {TABLE} (kid VARCHAR(16) NOT NULL, pol VARCHAR(64) NOT NULL, ep INTEGER NOT NULL, \
         born VARCHAR(64), dk TEXT NOT NULL, PRIMARY KEY (pol, kid));\n{}{BLOCK_END}",
        rows(TABLE, headers)
    )
}

/// Statements that put headers into a table of this name.
pub(super) fn rows(table: &str, headers: &KeyHeaders) -> String {
    let mut text = String::new();
    for header in headers.as_slice() {
        let born = header.born().map_or_else(|| "NULL".to_owned(), |born| format!("'{born}'"));
        let (kid, pol, ep, dk) = (header.kid(), header.pol(), header.ep(), header.dk());
        let columns = TABLE_COLUMNS.join(", ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "INSERT INTO {table} ({columns}) VALUES ('{kid}', '{pol}', {ep}, {born}, '{dk}');");
    }
    text
}
