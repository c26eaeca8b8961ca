//! The data model under every Tamis release: dictionary-coded columns, generalization hierarchies and frequency sets.
//!
//! A [`Table`] holds each column as small integers ([`Code`]) into a dictionary of the distinct texts, so that everything
//! to its right works on integers. A [`Hierarchy`] is read once and bound to a column as arrays `code -> label` per level
//! ([`Recoder`]), which makes generalizing one lookup. A [`FrequencySet`] keeps the distinct quasi-identifier tuples with
//! counts; the search never sees a row.
//!
//! This crate opens no files: reading and writing live in `tamis-source`.
//!
//! ```
//! use tamis_table::{ColumnBuilder, Table};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["39", "50", "39"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! assert_eq!(table.rows(), 3);
//! assert_eq!(table.column("age")?.dictionary().len(), 2);
//! # Ok::<(), tamis_table::TableError>(())
//! ```

mod column;
mod dictionary;
mod error;
mod exact_number;
mod frequency;
pub mod hierarchy;
mod sealed;
mod table;
mod value;

pub use column::{Code, Codes, Column, ColumnBuilder};
pub use dictionary::{Dictionary, Interner};
pub use error::{HierarchyError, TableError};
pub use exact_number::ExactNumber;
pub use frequency::{
    Attribute, Entities, FrequencySet, FrequencySpec, Joint, Members, MissingPolicy, Sensitive, TupleColumn,
    TupleOfRow, number_tuples,
};
pub use hierarchy::{Builder, Hierarchy, HierarchyRow, Recoder};
pub use sealed::SEALED;
pub use table::Table;
pub use value::{DataType, Rival, brief_number, compare_values, number_in, thousands_or_decimals, value_order};
