//! What CSV files, SQL dumps and SQLite databases share: tables of records whose columns have names.
//!
//! # How a value stood
//! A CSV field can stand in quotation marks or bare, and an SQL value can be a string or a number; a sealed value is always text.
//! So that opening gives back what was there, a value that stands unlike texts of its kind of document (a CSV field in needless
//! quotes, a number in SQL) is sealed as such ([`Content::Unusual`](crate::document::Content::Unusual)), which its cell
//! authenticates. Nothing is written bare that is not read back as the same text or as the number that it spells.

mod append;
mod bare_literal;
mod blob;
mod error;
mod form;
mod hidden;
mod limits;
mod marks;
mod namesakes;
mod plan;
mod selector;
mod summary;
mod treat;

pub use super::charset::{Charset, UnknownCharset};
pub(crate) use append::append;
pub(crate) use bare_literal::BareLiteral;
pub(crate) use blob::{begins_blob, blob_text, bytea_text};
pub use error::{RewriteError, RowsError, Spot, Wanted};
pub(crate) use form::{Form, Sink, Stood, Unread, Value};
pub(crate) use limits::MANY_VALUES;
pub use limits::MOST_COLUMNS;
pub(crate) use marks::{Found, Marks};
pub(crate) use namesakes::{Namesake, folded, namesakes, seen};
pub(crate) use plan::Plan;
pub use selector::{Column, Columns};
pub use summary::Summary;
pub(crate) use treat::{RawRow, Span, Treater, shown_key};

/// Whether records may share a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keys {
    /// They may: what is sealed must open even if somebody doubled a record.
    #[default]
    Any,
    /// They may not: the cells of two records with one key could be swapped unnoticed, so none are made.
    Unique,
}
