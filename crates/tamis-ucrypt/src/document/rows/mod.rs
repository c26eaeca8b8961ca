//! What CSV files, SQL dumps and SQLite databases share: tables of records whose columns have names.
//!
//! # How a value stood
//! A CSV field can stand in quotation marks or bare, and an SQL value can be a string or a number; a sealed value is always text.
//! So that opening gives back what was there, the marker keeps that one bit in its own spelling, which XML leaves free: attributes
//! in quotation marks say that the value stood as values of that kind of document do, bare in CSV ([`Stood::Bare`]) and in
//! quotes in SQL ([`Stood::Quoted`]); attributes in apostrophes say that it stood the other way. The bit
//! is not authenticated and needs not be: it decides how the opened text is quoted and never what it is, and nothing is written bare
//! that is not read back as the same text or as the number that it spells.

mod bare_literal;
mod charset;
mod error;
mod limits;
mod marks;
mod plan;
mod selector;
mod summary;
mod treat;
mod unique;

pub(crate) use bare_literal::BareLiteral;
pub use charset::Charset;
pub use error::{RewriteError, RowsError, Spot};
pub use limits::{LONGEST_RECORD, MOST_COLUMNS};
pub use marks::Stood;
pub(crate) use marks::{Found, Marks};
pub(crate) use plan::Plan;
pub use selector::{Column, Columns};
pub use summary::{Compared, Summary};
pub(crate) use treat::{Form, RawRow, Span, Treater, Unread, Value};
pub(crate) use unique::{KeyHasher, SeenKey, UniqueKeys};

/// Whether records may share a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keys {
    /// They may: what is sealed must open even if somebody doubled a record.
    #[default]
    Any,
    /// They may not: the cells of two records with one key could be swapped unnoticed, so none are made.
    Unique,
}
