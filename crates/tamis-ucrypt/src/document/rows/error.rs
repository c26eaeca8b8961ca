//! What is wrong with a table.

use std::fmt;
use std::io;

use crate::counted;
use crate::shown::shown;

/// Where in a document something is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A line of a text, counted from one.
    Line(u64),
    /// A record of a table in a database.
    Record {
        /// The table.
        table: String,
        /// The value of the record key.
        record: String,
    },
}

impl Spot {
    /// What to do about bytes that are no text here: databases know their encoding, other documents do not say theirs.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Line(_) => "; if it is in another encoding, name that with --encoding",
            Self::Record { .. } => "",
        }
    }
}

impl Spot {
    /// The place of a record, with its key.
    fn with(&self, key: &str) -> String {
        match self {
            Self::Line(_) => format!("{self}, record {}", shown(key)),
            Self::Record { .. } => self.to_string(),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            // Keys stand as they are, the beginning of a long one too.
            Self::Record { table, record } if record.len() > 400 => {
                write!(f, "table {table}, record {}", shown(record))
            }
            Self::Record { table, record } => write!(f, "table {table}, record {record}"),
        }
    }
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// It tells records apart.
    Key,
    /// It is to be sealed.
    Field,
}

impl Wanted {
    fn role(self) -> &'static str {
        match self {
            Self::Key => ", which tells the records apart,",
            Self::Field => "",
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::Key => "",
            Self::Field => "; if it is not meant here, name the fields that are (--field)",
        }
    }
}

/// The first columns of a table, and of long names their beginnings.
fn listed(columns: &[String]) -> String {
    const MOST: usize = 30;
    if columns.is_empty() {
        return "none that the policy names: is its first line a header?".to_owned();
    }
    let more = if columns.len() > MOST { ", ..." } else { "" };
    format!("{}{more}", columns.iter().take(MOST).map(|name| shown(name)).collect::<Vec<_>>().join(", "))
}

/// Why a table cannot be read or written. No message holds a value of a column that a policy names.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The document cannot be read.
    #[error("the document cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The result cannot be written.
    #[error("the result cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The document is in UTF-16, or no text.
    #[error(
        "{0}: there are zero bytes; binary files are not read, nor UTF-16 but in XML documents and CSV files with a byte order mark: save the file as UTF-8"
    )]
    ZeroBytes(Spot),
    /// There is nothing at all.
    #[error("the file is empty; its first line must name the columns")]
    NoHeader,
    /// A delimiter that could not be told from other parts of the file.
    #[error("the delimiter must not be a quotation mark, a line break, a zero byte or outside ASCII")]
    Delimiter,
    /// A quotation mark, a comment or the like is opened and not closed.
    #[error("{spot}: {what} begins here and never ends")]
    Unclosed {
        /// Where it is opened.
        spot: Spot,
        /// What is.
        what: &'static str,
    },
    /// Text between a closing quotation mark and the next delimiter.
    #[error("{spot}: there is text behind the closing quotation mark of field {field}")]
    BehindQuote {
        /// The line.
        spot: Spot,
        /// The field, counted from one.
        field: usize,
    },
    /// A record with more or fewer values than the table has columns.
    #[error(
        "{spot}: the record has {}, and the table has {}",
        counted(*.found as u64, "value", "values"),
        counted(*.columns as u64, "column", "columns")
    )]
    Ragged {
        /// The line.
        spot: Spot,
        /// Values of the record; of one that is too long, as many as were read.
        found: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// Too many columns.
    #[error("{0}: there are more than 65536 columns")]
    TooManyColumns(Spot),
    /// A record longer than [`LONGEST_RECORD`](crate::document::LONGEST_RECORD).
    #[error("{0}: the record or statement is longer than 8 MiB, or would be")]
    RecordTooLong(Spot),
    /// A record that this process cannot take.
    #[error("{0}: there is not enough memory for the record; let the process have more of it (ulimit -v)")]
    NoMemory(Spot),
    /// The document is in another encoding than what would be written into it.
    #[error(
        "{0}: this is not text in UTF-8, in which what was sealed would be written; name the encoding of the document with --encoding (utf-8 if it is that all the same)"
    )]
    Mixed(Spot),
    /// A column that a policy names is not there.
    #[error("there is no column {column}{} in {table}, which has {}{}", .wanted.role(), listed(.columns), .wanted.remedy())]
    NoColumn {
        /// The column.
        column: String,
        /// What it is there for.
        wanted: Wanted,
        /// The table, or what there is instead of a name.
        table: String,
        /// What the selectors call the table.
        selected: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A column that a policy names is there twice.
    #[error("there is more than one column {column} in {table}")]
    DoubledColumn {
        /// The column.
        column: String,
        /// The table.
        table: String,
    },
    /// Two selectors name one column.
    #[error("column {column} of {table} is selected twice, so it is not clear whose it is")]
    SelectedTwice {
        /// The column.
        column: String,
        /// The table.
        table: String,
    },
    /// The record key is to be sealed.
    #[error(
        "column {column} of {table} is the record key and cannot be sealed: nobody could tell where its cells belong"
    )]
    SealedKey {
        /// The column.
        column: String,
        /// The table.
        table: String,
    },
    /// A record without a key.
    #[error("{spot}: the record key {column} is empty")]
    NoKey {
        /// Where.
        spot: Spot,
        /// The column.
        column: String,
    },
    /// Two records with one key, where that would let their cells be swapped.
    #[error(
        "{}: another record has the same key{}; a sealed value would open in both",
        .spot.with(.record), .column.as_ref().map_or_else(String::new, |column| format!(" in column {column}"))
    )]
    DoubledKey {
        /// The second of them.
        spot: Spot,
        /// Its key.
        record: String,
        /// The column, if it is known.
        column: Option<String>,
    },
    /// Bytes that are no text.
    #[error("{spot}: the value of column {column} is not text in {charset}{}", spot.remedy())]
    NotText {
        /// Where.
        spot: Spot,
        /// The column.
        column: String,
        /// The character set that was expected.
        charset: &'static str,
    },
    /// Bytes that stand in a dump as they are.
    #[error(
        "{spot}: the value of column {column} is binary; write the dump with hexadecimal digits for such values (mysqldump --hex-blob)"
    )]
    Binary {
        /// Where.
        spot: Spot,
        /// The column.
        column: String,
    },
    /// Text that the character set of the document does not have.
    #[error("{spot}: the value of column {column} has characters that {charset} does not have")]
    NotInCharset {
        /// Where.
        spot: Spot,
        /// The column.
        column: String,
        /// The character set of the document.
        charset: &'static str,
    },
    /// A value that is computed.
    #[error("{spot}: the value of column {column} of {table} is not a plain text, number or NULL and cannot be sealed")]
    Expression {
        /// Where.
        spot: Spot,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// A sealed value that was cut off or edited.
    #[error("{spot}: the field {} of record {} is a damaged sealed value: {reason}", shown(.field), shown(.record))]
    Broken {
        /// Where.
        spot: Spot,
        /// The value of the record key.
        record: String,
        /// The field, or the column if nobody selected it.
        field: String,
        /// What is wrong with it.
        reason: crate::cell::MarkerError,
    },
    /// A statement that changes a selected table in a way that cannot be followed.
    #[error("{spot}: {what}")]
    Statement {
        /// Where.
        spot: Spot,
        /// What it is.
        what: String,
    },
    /// The columns of a table are not known.
    #[error(
        "{spot}: the columns of table {table} are not known: no column names here, and no CREATE TABLE before that could be read{}",
        .charset.map_or_else(String::new, |name| format!("; a statement is not text in {name}: if it is in another encoding, name that with --encoding"))
    )]
    UnknownColumns {
        /// Where.
        spot: Spot,
        /// The table.
        table: String,
        /// The character set, if a statement before is not in it.
        charset: Option<&'static str>,
    },
    /// Two tables that one selector could mean.
    #[error("{selector} could be {first} or {second}: name the table with its schema, as in source = \"{first}\"")]
    AmbiguousTable {
        /// The name in the selector.
        selector: String,
        /// A table.
        first: String,
        /// Another.
        second: String,
    },
    /// What the database says.
    #[error("the database refuses: {0}")]
    Database(#[source] rusqlite::Error),
    /// A change that the database refuses.
    #[error(
        "the database refuses to change table {table}: {source}; one of its keys, indexes, checks or computed columns cannot take a sealed value, or needs \
         what the program has that made it: drop that first, or name another column"
    )]
    Unchanged {
        /// The table.
        table: String,
        /// What the database says.
        source: rusqlite::Error,
    },
    /// A database that cannot be written anew.
    #[error(
        "the database refuses to be copied: {0}; one of its indexes needs what the program has that made it, such as a collation or a function: drop that \
         index first"
    )]
    Uncopied(#[source] rusqlite::Error),
    /// A table whose pages are not what SQLite writes.
    #[error(
        "table {table} is damaged: {what}; go back to a copy of the database, or let `sqlite3` save what it can (.recover)"
    )]
    DamagedTable {
        /// The table.
        table: String,
        /// What shows it.
        what: String,
    },
    /// Another program has not finished writing to the database that is to be replaced.
    #[error(
        "{0} is in use, or was not closed: a log of changes stands beside it; close the programs that use it first"
    )]
    InUse(String),
    /// A table that cannot be rewritten.
    #[error("table {table} {reason}")]
    Table {
        /// The table.
        table: String,
        /// Why not.
        reason: &'static str,
    },
    /// A column of another table that has the values of one that is to be sealed.
    #[error(
        "column {} of table {} refers to {}, which is to be sealed, by a foreign key, and would keep its values readable; name it as a field of the policy, \
         too, and seal all records and both fields in one run (--all), or drop the foreign key and the column first",
        shown(.column), shown(.table), shown(.sealed)
    )]
    Referring {
        /// The other table.
        table: String,
        /// Its column.
        column: String,
        /// The one that is to be sealed.
        sealed: String,
    },
    /// The headers of data keys are damaged.
    #[error(transparent)]
    Header(#[from] crate::document::header::HeaderError),
}

/// Why a document could not be rewritten.
#[derive(Debug)]
pub enum RewriteError<R> {
    /// The document is at fault.
    Rows(RowsError),
    /// The treatment refused a value.
    Refused(Spot, R),
}

impl<R> From<RowsError> for RewriteError<R> {
    fn from(error: RowsError) -> Self {
        Self::Rows(error)
    }
}

impl<R: fmt::Display> fmt::Display for RewriteError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(error) => error.fmt(f),
            Self::Refused(spot, refusal) => write!(f, "{spot}: {refusal}"),
        }
    }
}

impl<R: std::error::Error + 'static> std::error::Error for RewriteError<R> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rows(error) => error.source(),
            Self::Refused(_, refusal) => Some(refusal),
        }
    }
}
