//! What a field holds.

use super::Identifier;
use std::fmt;

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// None.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl fmt::Display for Value {
    /// As a sentence shows it; control characters are spelled out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Integer(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Text(text) => text.escape_debug().fmt(f),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}

/// What a new column is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Whole numbers.
    Integer,
    /// Text.
    Text,
    /// Whole numbers that tell the rows apart.
    Key,
}

/// A column to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewColumn {
    /// Its name.
    pub name: Identifier,
    /// What it holds.
    pub kind: ColumnType,
}

impl NewColumn {
    /// A column of this name and type.
    pub fn new(name: Identifier, kind: ColumnType) -> Self {
        Self { name, kind }
    }
}
