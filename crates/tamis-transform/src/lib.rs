//! Operations that lead to a table that can be released, beside generalizing and suppressing: splitting it into tables that cannot
//! be joined, permuting, noise, swapping, microaggregation, condensation, synthetic rows, coding, sampling, pseudonyms.
//!
//! A [`Step`] is one such operation with its parameters, as a policy or the command line gives it; a file in `kinds/` each.
//! [`Step::apply`] turns a table into one or more tables. Steps open no files and know no privacy models.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Step, kinds::sample::Sample};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["39", "50", "39", "28"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let step = Step::Sample(Sample { rows: Some(2), share: None });
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! assert_eq!(output.tables[0].table.rows(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chosen_columns;
mod columns;
mod error;
pub mod figures;
pub mod grouping;
mod groups;
pub mod kinds;
mod numbers;
mod replace;
mod step;
mod transformation;
mod unit_normal;

pub use chosen_columns::chosen_columns;
pub use error::TransformError;
pub use numbers::{Numbers, builder_like};
pub use replace::{column_of_codes, replace_columns};
pub use step::Step;
pub use transformation::{Files, Input, NoFiles, Output, OutputTable, Stage, Transformation};
