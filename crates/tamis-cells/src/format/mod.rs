//! Files of cells and equations: JSON, and the JJ format of peers.
//!
//! [`read`] looks at the content, not at the name. Both readers take time linear in the file and keep one map from ids to
//! positions.

pub mod jj;
pub mod json;
pub mod pattern;

use thiserror::Error;

use crate::table::{CellTable, TableError};

pub use pattern::read_pattern;

/// Why a file could not be read as a table or a pattern.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FormatError {
    /// A text that is not in the format.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// The line, the first is 1.
        line: usize,
        /// The column, the first is 1.
        column: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A line that is not what it should be.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, the first is 1.
        line: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// An id that no cell has, where lines are not known.
    #[error("{place}: there is no cell {id}")]
    UnknownCell {
        /// Where it is named.
        place: String,
        /// The id.
        id: String,
    },
    /// The table cannot be true.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Neither one format nor another.
    #[error("{name} is neither JSON (which starts with {{) nor JJ (whose first line is 0)")]
    Unknown {
        /// What the file is called.
        name: String,
    },
}

/// The formats that [`read`] tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// See [`json`].
    Json,
    /// See [`jj`].
    Jj,
}

impl Format {
    /// What the content looks like: JSON starts with a brace, JJ with a line of its own that says 0.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let start = text_of(bytes).trim_ascii_start();
        match start.first()? {
            b'{' => Some(Self::Json),
            _ if start.split(|byte| *byte == b'\n').next().is_some_and(|line| line.trim_ascii() == b"0") => {
                Some(Self::Jj)
            }
            _ => None,
        }
    }
}

/// Reads a table from JSON or JJ, whichever it is; `name` is what a message calls a file that is neither.
///
/// ```
/// let jj = "0\n3\n0 2 2 u 0 9 1 1 0\n1 3 3 s 0 9 0 0 0\n2 5 5 z 0 9 0 0 0\n1\n0 3 : 0 (1) 1 (1) 2 (-1)\n";
/// let table = tamis_cells::format::read(jj.as_bytes(), "sum.jj").unwrap();
/// assert_eq!(table.cells().len(), 3);
/// ```
pub fn read(bytes: &[u8], name: &str) -> Result<CellTable, FormatError> {
    match Format::detect(bytes) {
        Some(Format::Json) => json::read(bytes),
        Some(Format::Jj) => jj::read(bytes),
        None => Err(FormatError::Unknown { name: name.to_owned() }),
    }
}

/// The bytes behind a byte order mark, which editors on Windows put first.
fn text_of(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
