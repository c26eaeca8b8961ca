//! SQLite databases: chosen columns of chosen tables.
//!
//! A copy of the database is changed, under no name where the system allows that; the original is only read. The copy is packed
//! (`VACUUM`) at the end, so that no deleted or replaced value stays in its free pages; hidden row numbers stay what they are. The
//! indexes of selected tables are rebuilt from their rows, and the samples that `ANALYZE` keeps of them are deleted. Triggers do not fire and foreign keys are not checked meanwhile: nothing but
//! the values themselves changes.
//!
//! Values are sealed with their storage class: integers, reals and blobs as the literals that SQL writes them as, and they are restored
//! as what they were, see [how a value stood](crate::document::rows#how-a-value-stood). A sealed value is text, which SQLite takes in a column
//! of any declared type unless the table is STRICT; that is refused, as are computed columns, views, virtual tables, tables that a
//! full-text index is made of, and the primary key of a WITHOUT ROWID table. In a column that nobody selected, a sealed value is noticed
//! if it takes no more than its share of the longest record, 8 MiB divided by the number of columns.
//!
//! ```
//! use tamis_ucrypt::document::rows::{Column, Columns};
//! use tamis_ucrypt::document::sqlite::{self, Options};
//! use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};
//!
//! struct Hush;
//!
//! impl Treatment for Hush {
//!     type Refusal = std::convert::Infallible;
//!     fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Self::Refusal> {
//!         assert_eq!(place, Place { table: "patients", record: "5", field: "disease" });
//!         assert_eq!(*content, Content::Text("AIDS"));
//!         Ok(Outcome::Null)
//!     }
//! }
//!
//! # let directory = tempfile::tempdir()?;
//! let path = directory.path().join("patients.db");
//! let database = rusqlite::Connection::open(&path)?;
//! database.execute_batch("CREATE TABLE pacjenci (Id INTEGER, Choroba TEXT); INSERT INTO pacjenci VALUES (5, 'AIDS')")?;
//! drop(database);
//! let patients = Columns {
//!     source: "pacjenci".into(),
//!     table: "patients".into(),
//!     key: "Id".into(),
//!     columns: vec![Column { column: "Choroba".into(), field: "disease".into(), required: true }],
//!     element: "UCRYPT".into(),
//! };
//! let sealed = directory.path().join("sealed.db");
//! let file = std::fs::File::create_new(&sealed)?;
//! sqlite::rewrite(&path, &file, directory.path(), &Options::default(), &[patients], None, &Hush)?;
//! let disease: Option<String> =
//!     rusqlite::Connection::open(&sealed)?.query_row("SELECT Choroba FROM pacjenci", [], |row| row.get(0))?;
//! assert_eq!(disease, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comments;
mod copy;
mod indexes;
mod keys;
mod record;
mod rewrite;
mod table;
mod triggers;
mod words;

pub use keys::read_headers;
pub use rewrite::{Options, look, rewrite};
