//! What can go wrong with a file, said so that the user can mend it.

use crate::Compression;
use std::io;
use tamis_table::TableError;

/// A file that cannot be read or written, or whose content is not a table.
///
/// Every message is one sentence that names the place, what was found there and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file cannot be opened.
    #[error("cannot open `{name}`: {reason}; check that the file exists and may be read")]
    Open {
        /// The file.
        name: String,
        /// What the operating system says.
        reason: io::Error,
    },
    /// The file was opened but reading it failed.
    #[error("cannot read `{name}`: {reason}; check that it is a file and that its disk is well")]
    Read {
        /// The file.
        name: String,
        /// What the operating system says.
        reason: io::Error,
    },
    /// The file starts like a compressed one but cannot be decompressed.
    #[error("`{name}` is damaged {compression} data: {reason}; fetch or compress the file again")]
    Damaged {
        /// The file.
        name: String,
        /// What it is compressed with.
        compression: Compression,
        /// What the decompressor says.
        reason: io::Error,
    },
    /// A table without a header.
    #[error("`{name}` is empty; expected a header line and at least one row")]
    Empty {
        /// The file.
        name: String,
    },
    /// A table without rows.
    #[error("`{name}` ends after its header in line {line}; expected at least one row below it")]
    NoRows {
        /// The file.
        name: String,
        /// Where the header is.
        line: u64,
    },
    /// Two columns with one name.
    #[error("`{name}`, line {line}: columns {first} and {second} are both called `{column}`; rename one of them")]
    DuplicateHeader {
        /// The file.
        name: String,
        /// Where the header is.
        line: u64,
        /// The repeated name.
        column: String,
        /// Position of the first, from 1.
        first: usize,
        /// Position of the second, from 1.
        second: usize,
    },
    /// A column without a name.
    #[error("`{name}`, line {line}: column {position} has no name; give it one in the header")]
    EmptyHeader {
        /// The file.
        name: String,
        /// Where the header is.
        line: u64,
        /// Position of the column, from 1.
        position: usize,
    },
    /// A line with more or fewer fields than the header.
    #[error(
        "`{name}`, line {line}: found {} where the header has {expected}; mend the line, quote values that contain `{}`, or name another delimiter",
        count(*.found, "field"), visible(*.delimiter)
    )]
    Ragged {
        /// The file.
        name: String,
        /// Where the line starts.
        line: u64,
        /// Its number of fields.
        found: usize,
        /// The header's number of fields.
        expected: usize,
        /// What separates the fields.
        delimiter: u8,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "`{name}`, line {line}, column {column} ({field}), byte {offset}: found the byte 0x{byte:02X}, which is not UTF-8; {remedy}"
    )]
    NotUtf8 {
        /// The file.
        name: String,
        /// Where the field starts.
        line: u64,
        /// Position of the column, from 1.
        column: usize,
        /// What the column is called.
        field: String,
        /// Position of the first bad byte in the field, from 1.
        offset: usize,
        /// That byte.
        byte: u8,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A file in UTF-16.
    #[error("`{name}` is written in UTF-16 (it starts with the bytes {mark}); save it as UTF-8")]
    Utf16 {
        /// The file.
        name: String,
        /// The byte order mark found.
        mark: &'static str,
    },
    /// A quoted field that goes on to the end of the file.
    #[error(
        "`{name}`, line {line}, column {column}: a quote ({quote}) is opened and never closed; close it, or quote the value and double the quote if it belongs to the value",
        quote = char::from(*.quote)
    )]
    OpenQuote {
        /// The file.
        name: String,
        /// Where the field starts.
        line: u64,
        /// Position of the field in its line, from 1.
        column: usize,
        /// The quote character.
        quote: u8,
    },
    /// A column was asked for that the file does not have.
    #[error("`{name}` has no column `{column}`; its columns are {}", list(.known))]
    UnknownColumn {
        /// The file.
        name: String,
        /// The name asked for.
        column: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A selection of columns that keeps none.
    #[error("the selection keeps no column of `{name}`; keep at least one of {}", list(.known))]
    NoColumns {
        /// The file.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A delimiter and quote that cannot be told from each other or from the text.
    #[error(
        "the delimiter `{}` and the quote `{}` cannot be used together; choose two different ASCII characters that are not line breaks",
        visible(*.delimiter), visible(*.quote)
    )]
    UnusableDelimiter {
        /// The delimiter.
        delimiter: u8,
        /// The quote character.
        quote: u8,
    },
    /// The name of an encoding that is not known.
    #[error("there is no encoding `{found}`; the encodings are `utf-8` and `latin-1`")]
    UnknownEncoding {
        /// The name given.
        found: String,
    },
    /// More values than a table can hold.
    #[error("`{name}`: {reason}")]
    Table {
        /// The file.
        name: String,
        /// What the table says.
        reason: Box<TableError>,
    },
    /// Output that cannot be written.
    #[error("cannot write `{name}`: {reason}; choose a place with enough space where you may create files")]
    Write {
        /// The file.
        name: String,
        /// What the operating system says.
        reason: io::Error,
    },
    /// Output below a directory that does not exist.
    #[error("cannot write `{name}`: there is no directory `{directory}`; create it or choose another path")]
    NoDirectory {
        /// The file.
        name: String,
        /// Where it was to be.
        directory: String,
    },
    /// Output to a database.
    #[error("the output is the address of a database (`{address}`), and databases are not written to; name a file")]
    Database {
        /// How its address begins.
        address: String,
    },
    /// Output onto something that is not a file.
    #[error("cannot write `{name}`: it is {found} and not a file; choose another path")]
    NotAFile {
        /// The path.
        name: String,
        /// What is there.
        found: &'static str,
    },
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// A delimiter as a person would name it.
fn visible(byte: u8) -> String {
    match byte {
        b'\t' => "tab".to_owned(),
        b'!'..=b'~' => char::from(byte).to_string(),
        _ => format!("0x{byte:02X}"),
    }
}
