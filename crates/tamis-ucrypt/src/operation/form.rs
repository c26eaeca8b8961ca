//! What kind of document a file is.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::of_file::OfFile as _;
use super::{OperationError, Progress};
use crate::document::csv::Decoded;
use crate::document::rows::Charset;
use crate::document::sql::Dialect;

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// XML.
    Xml,
    /// Delimited text.
    Csv,
    /// An SQL dump.
    Sql,
    /// An SQLite database.
    Sqlite,
}

impl Kind {
    /// The kind that the name of a file says.
    ///
    /// ```
    /// use tamis_ucrypt::operation::Kind;
    /// assert_eq!(Kind::of("patients.XML".as_ref()), Some(Kind::Xml));
    /// assert_eq!(Kind::of("patients.sqlite3".as_ref()), Some(Kind::Sqlite));
    /// assert_eq!(Kind::of("patients".as_ref()), None);
    /// ```
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "xml" => Some(Self::Xml),
            "csv" | "tsv" => Some(Self::Csv),
            "sql" => Some(Self::Sql),
            "db" | "sqlite" | "sqlite3" => Some(Self::Sqlite),
            _ => None,
        }
    }

    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xml => "XML",
            Self::Csv => "CSV",
            Self::Sql => "SQL",
            Self::Sqlite => "SQLite",
        }
    }
}

/// How a document is written.
#[derive(Debug, Clone)]
pub struct Form {
    /// What it is.
    pub kind: Kind,
    /// CSV: what stands between fields.
    pub delimiter: u8,
    /// CSV and SQL: how text is written as bytes.
    pub charset: Charset,
    /// SQL: the system, if the dump itself does not say.
    pub dialect: Option<Dialect>,
    /// CSV: which table of the policy the file is, if it has several.
    pub table: Option<String>,
    /// How many threads treat records, beside the one that reads and writes; not for databases.
    pub threads: usize,
    /// Who wants to know how far the reading has come; not for databases.
    pub progress: Option<Progress>,
}

/// Bytes of the first line of a CSV file that are looked at.
const HEAD: u64 = 1 << 16;

impl Form {
    /// The form of a file, by its name or as said, and by its first line.
    pub fn of(path: &Path, kind: Option<Kind>) -> Result<Self, OperationError> {
        let there = fs::metadata(path).of(path)?;
        if there.is_dir() {
            return Err(OperationError::Directory(path.to_owned()));
        }
        if !there.is_file() {
            return Err(OperationError::NotAFile(path.to_owned()));
        }
        let kind = kind.or_else(|| Kind::of(path)).ok_or_else(|| OperationError::UnknownKind(path.to_owned()))?;
        let delimiter = if kind == Kind::Csv { delimiter(path)? } else { b',' };
        Ok(Self {
            kind,
            delimiter,
            charset: Charset::default(),
            dialect: None,
            table: None,
            threads: 1,
            progress: None,
        })
    }
}

/// The delimiter of a file: the one of the usual four that its first line has most of, outside quotation marks.
fn delimiter(path: &Path) -> Result<u8, OperationError> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv")) {
        return Ok(b'\t');
    }
    let mut line = Vec::new();
    let file = File::open(path).of(path)?;
    let file = Decoded::open(file, Charset::default()).of(path)?;
    BufReader::new(file.take(HEAD)).read_until(b'\n', &mut line).of(path)?;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut is_quoted = false;
    for byte in line {
        is_quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(candidate, _)| *candidate == byte && !is_quoted) {
            *count += 1;
        }
    }
    // The first of those with equally many.
    let best = counts.iter().rev().max_by_key(|(_, count)| *count);
    Ok(best.map_or(b',', |(candidate, _)| *candidate))
}
