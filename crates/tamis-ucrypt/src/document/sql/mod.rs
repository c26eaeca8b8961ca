//! SQL dumps: the rows of INSERT statements and of PostgreSQL's COPY, however many megabytes one statement has.
//!
//! Everything else is copied. Which table and which columns a statement fills is read by `sqlparser` from its head, or from the CREATE
//! TABLE statement before it; names are compared without regard to case if they do not fit exactly. Rows of partitions, of tables that inherit
//! and the like are rows of the table that they are a part of (`descent`). A statement that puts values into a selected table in another
//! way, wherever it stands (`writes`), is told of, because it would leave values behind that were to be sealed.
//!
//! Strings, numbers, truth values, bytes in hexadecimal and NULL can be sealed; a value that is computed cannot. A sealed value is
//! always a string. Opening makes it a number again if it was one: see [how a value stood](crate::document::rows#how-a-value-stood). Strings
//! come back byte for byte: spellings that are not the usual one of their system (`E'...'`, `N'...'`, `$$...$$`, `_utf8mb4'...'`, needless
//! escapes, the `replace(..., char(10))` and `unistr(...)` of SQLite's shell, `null`) are sealed together with what they mean. In a dump for
//! another system the value is spelled as usual there. The same goes for lines of COPY.
//!
//! A column that is not declared as text cannot take a sealed value in most systems; SQLite is the exception.
//!
//! ```
//! use tamis_ucrypt::document::rows::{Column, Columns};
//! use tamis_ucrypt::document::sql::{self, Headers, Options};
//! use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};
//!
//! struct Hush;
//!
//! impl Treatment for Hush {
//!     type Refusal = std::convert::Infallible;
//!     fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Self::Refusal> {
//!         assert_eq!((place.table, place.field), ("patients", "disease"));
//!         Ok(if *content == Content::Text("AIDS") { Outcome::Null } else { Outcome::Keep })
//!     }
//! }
//!
//! let patients = Columns {
//!     source: "pacjenci".into(),
//!     table: "patients".into(),
//!     key: "Id".into(),
//!     columns: vec![Column { column: "Choroba".into(), field: "disease".into(), required: true }],
//!     element: "UCRYPT".into(),
//! };
//! let dump = "CREATE TABLE pacjenci (Id INT, Choroba TEXT);\nINSERT INTO pacjenci VALUES (4, 'Grypa'), (5, 'AIDS');\n";
//! let mut out = Vec::new();
//! sql::rewrite(dump.as_bytes(), &mut out, &Options::default(), &[patients], Headers::Keep, &Hush)?;
//! assert_eq!(String::from_utf8_lossy(&out), dump.replace("'AIDS'", "NULL"));
//! # Ok::<(), tamis_ucrypt::document::rows::RewriteError<std::convert::Infallible>>(())
//! ```

mod batch;
mod copy_row;
mod created;
mod descent;
mod dialect;
mod escape;
mod filter;
mod keys;
mod lex;
mod literal;
mod relations;
mod rewrite;
mod scan;
mod statements;
mod string;
mod tables;
mod words;
mod write;
mod writes;

use super::rows::{Charset, Keys};
pub use dialect::Dialect;
pub use filter::{Kept, where_clause};
pub use keys::{Headers, Home, Survey, survey};
pub use rewrite::rewrite;
pub(crate) use writes::filled_by;

/// How a dump is written, and what to look for.
#[derive(Debug, Clone)]
pub struct Options {
    /// The system that the dump is for; by default, the one whose tool seems to have written it, or standard SQL.
    pub dialect: Option<Dialect>,
    /// How text is written as bytes.
    pub charset: Charset,
    /// Names of the elements around sealed values.
    pub elements: Vec<String>,
    /// Whether records may share a key.
    pub keys: Keys,
    /// How many threads treat records, beside the one that reads and writes; with 1 or 0 that one does everything. The result does not
    /// depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: None,
            charset: Charset::default(),
            elements: vec!["UCRYPT".into()],
            keys: Keys::Any,
            threads: 1,
        }
    }
}
