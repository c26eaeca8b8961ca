//! From a policy file to a released table, its report and its manifest.
//!
//! A [`Policy`] says what the columns are and what must hold. [`Prepared::read`] reads and counts the table, [`solve`] finds the best
//! transformation, and [`Outcome`] holds the figures; [`write_release`] writes the table, [`report`] draws the pages and [`manifest`]
//! records what was done so that it can be verified and replayed. The command line, the web page and the Python package are thin
//! layers over this crate.
//!
//! ```
//! use tamis_release::{Bundled, Policy, Prepared, Secret, SolveOptions, solve};
//!
//! let policy = Policy::parse(tamis_release::ADULT_POLICY, "adult.toml")?;
//! let prepared = Prepared::read(&policy, &Bundled, &Secret::random()?)?;
//! let solved = solve(&policy, &prepared, &SolveOptions::default(), &mut ())?;
//! assert_eq!(solved.outcome.quality.loss, 0.1621326131666998);
//! # Ok::<(), tamis_release::ReleaseError>(())
//! ```

pub mod assess;
mod compare;
mod diagnose;
mod error;
mod facts;
mod figures;
pub mod init;
mod key_file;
mod ledger_file;
pub mod manifest;
mod mechanism;
mod outcome;
mod output;
mod policy;
mod prepare;
mod quasi;
pub mod replay;
pub mod report;
mod report_data;
mod requirement;
pub mod risk;
mod sealed;
mod secret;
mod shown_policy;
mod solve;
mod sources;
mod steps;
mod subset;
mod write_tables;

pub use compare::{CompareSettings, Compared, Setting, compare};
pub use diagnose::{Diagnosis, diagnose};
pub use error::ReleaseError;
pub use figures::NumberFigures;
pub use key_file::read_key;
pub use ledger_file::{LedgerFile, read_ledger};
pub use outcome::{
    ClassFigures, Outcome, QualityFigures, RiskFigures, RowFigures, SearchFigures, SolutionFigures, Unit, exact_number,
};
pub use output::{Written, write_release};
pub use policy::{
    Algorithm, AttributePolicy, HierarchySource, Input, Missing, ModelPolicy, OutputPolicy, Policy, QualityPolicy,
    RiskPolicy, Role, RowOrder, SearchPolicy, SuppressedRows,
};
pub use prepare::{Prepared, Requirement, bind_models, joint_columns};
pub use report_data::{compare_report, release_report};
pub use secret::Secret;
pub use solve::{SolveOptions, Solved, figures_of, score_value, solve};
pub use sources::{Bundled, Files, Sources, single_character};
pub use steps::{StepFigures, path_of_table};
pub use subset::subset_of;
pub use write_tables::write_tables;

/// The policy of the bundled Adult study: 5-anonymity of eight quasi-identifiers, occupation sensitive, any number of rows suppressed.
pub const ADULT_POLICY: &str = include_str!("adult.toml");
