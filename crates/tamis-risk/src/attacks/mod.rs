//! The attacks of the literature, to be tried on a table before somebody else does.
//!
//! Each file is one attack: what it does, where it comes from, what its success proves, what it costs. An attack is a function from
//! tables to a [`Report`]: how many people it was tried on, how many it exposes, and one [`Finding`] per person or group with a sentence
//! about why.
//!
//! ```
//! use tamis_risk::attacks::homogeneity;
//! use tamis_table::{ColumnBuilder, Table};
//!
//! let column = |name: &str, values: [&str; 4]| {
//!     let mut builder = ColumnBuilder::new(name);
//!     values.iter().try_for_each(|value| builder.push(value)).map(|()| builder.finish())
//! };
//! let released = Table::new(vec![
//!     column("zip", ["053**", "053**", "054**", "054**"])?,
//!     column("problem", ["flu", "obesity", "flu", "flu"])?,
//! ])?;
//! let report = homogeneity::attack(&released, &["zip"], "problem", 1.0, usize::MAX)?;
//! assert_eq!((report.people, report.at_risk), (4, 2));
//! assert_eq!(report.findings[0].sentence, "Both people with zip = 054** have problem = flu.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod background;
mod classes;
mod combine;
pub mod complementary;
pub mod downcoding;
mod error;
mod fit;
mod handing;
pub mod homogeneity;
mod labels;
pub mod linkage;
pub mod membership;
pub mod minimality;
mod refusal;
mod report;
pub mod similarity;
pub mod skewness;
pub mod unsorted;
mod vocabulary;

pub use error::AttackError;
pub use labels::Labels;
pub use report::{Fields, Finding, Report};

use std::collections::BTreeMap;

/// The hierarchies an attacker has, by column.
pub type LabelsByColumn = BTreeMap<String, Labels>;
