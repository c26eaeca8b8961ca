//! Opens the files Tamis works on: tables and hierarchies as delimited text, compressed or not, in and out.
//!
//! This is the only crate that opens data files. [`read_table`] streams a file into the coded columns of a
//! [`Table`](tamis_table::Table), finding out by itself how the file is written; [`write_table`] writes coded columns back.
//! [`read_hierarchy`] and [`write_hierarchy`] do the same for the lines of a hierarchy. Whatever is written goes through
//! [`AtomicFile`] and appears whole or not at all. What is wrong with a file is a [`SourceError`]: a sentence with the place
//! and the remedy. What the values mean is not decided here. Tables that live in a [`database`] are reached there.
//!
//! ```
//! use tamis_source::{ReadOptions, read_table_from};
//!
//! let text = "name;age\n\"Lovelace; Ada\";36\nBob;\n";
//! let table = read_table_from(text.as_bytes(), "people.csv", &ReadOptions::default())?;
//! assert_eq!(table.columns()[0].text(0), "Lovelace; Ada");
//! assert_eq!(table.columns()[1].text(1), "");
//! # Ok::<(), tamis_source::SourceError>(())
//! ```

mod atomic_file;
mod compression;
pub mod database;
mod detect;
mod encoding;
mod error;
mod line_of_row;
mod options;
mod quoting;
mod read_hierarchy;
mod read_table;
mod records;
mod shown_path;
mod text_stream;
mod write_hierarchy;
mod write_table;

pub use atomic_file::{AtomicFile, ensure_no_database, ensure_writable};
pub use compression::Compression;
pub use detect::{Format, detect, detect_encoded, detect_from};
pub use encoding::Encoding;
pub use error::SourceError;
pub use line_of_row::{line_of_row, line_of_row_in};
pub use options::{ColumnFilter, Progress, ReadOptions};
pub use read_hierarchy::{parse_hierarchy, read_hierarchy, read_hierarchy_in};
pub use read_table::{read_table, read_table_from};
pub use shown_path::{passwords_in, shown, without_passwords};
pub use write_hierarchy::{hierarchy_to_string, write_hierarchy};
pub use write_table::{OutputColumn, WriteOptions, is_tsv, write_private_table, write_table, write_table_to};
