//! Delimited text: a line of column names, then one record after another.
//!
//! Fields may stand in quotation marks, with quotation marks in them doubled, and then hold delimiters and line breaks. Lines end
//! with LF, CRLF or CR; empty lines are no records. There is no NULL: an empty field is the empty text, quoted or not, and a NULL
//! that was sealed in a database is written as an empty field. A quotation mark inside a bare field is an ordinary character.
//!
//! A file that begins with the byte order mark of UTF-16 is read and written in UTF-16.
//!
//! Whatever is not treated keeps its bytes. A value that is sealed and opened again keeps them as well, quotes included: see
//! [how a value stood](crate::document::rows#how-a-value-stood). What is sealed stands in quotation
//! marks, since it holds some:
//!
//! ```
//! use tamis_ucrypt::cell::{Attributes, Marker};
//! use tamis_ucrypt::document::csv::{self, Options};
//! use tamis_ucrypt::document::rows::{Column, Columns};
//! use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};
//!
//! struct Hide;
//!
//! impl Treatment for Hide {
//!     type Refusal = std::convert::Infallible;
//!     fn field(&self, place: Place<'_>, _: &Content<'_>) -> Result<Outcome, Self::Refusal> {
//!         if place.record != "5" {
//!             return Ok(Outcome::Keep);
//!         }
//!         let attributes = Attributes { cipher: "szyfr1".into(), ..Attributes::default() };
//!         Ok(Outcome::Sealed(Marker { attributes: attributes.into(), body: "MBJKLO".into() }))
//!     }
//! }
//!
//! let patients = Columns {
//!     source: String::new(),
//!     table: "patients".into(),
//!     key: "Id".into(),
//!     columns: ["Miasto", "Choroba"].map(|name| Column { column: name.into(), field: name.into(), required: true }).into(),
//!     element: "UCRYPT".into(),
//! };
//! let text = "Id,Miasto,Choroba\n4,Opole,Grypa\n5,Opole,\"AIDS\"\n";
//! let mut sealed = Vec::new();
//! csv::rewrite(text.as_bytes(), &mut sealed, &Options::default(), &[patients], &Hide)?;
//! assert_eq!(
//!     String::from_utf8_lossy(&sealed),
//!     "Id,Miasto,Choroba\n4,Opole,Grypa\n\
//!      5,\"<UCRYPT cipher=\"\"szyfr1\"\">MBJKLO</UCRYPT>\",\"<UCRYPT cipher=\"\"szyfr1\"\">MBJKLO</UCRYPT>\"\n"
//! );
//! # Ok::<(), tamis_ucrypt::document::rows::RewriteError<std::convert::Infallible>>(())
//! ```

mod field;
mod header;
mod rewrite;
mod scan;
mod wide;

pub(crate) use rewrite::column_names;
pub use rewrite::{Options, rewrite};
pub(crate) use wide::Decoded;
