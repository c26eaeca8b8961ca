//! Why an attack cannot be tried.

use tamis_table::TableError;

/// What keeps an attack from being tried; not that it fails.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum AttackError {
    /// A column that is not there.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Tables or parameters that do not go together.
    #[error("{0}")]
    Setting(String),
    /// More private tables to think through than can be.
    #[error(
        "{what} could have come about in more than {limit} ways, too many to think through; try the attack on fewer rows or columns, or on coarser values"
    )]
    TooManyWays {
        /// The part of the release that is too large.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// No private table leads to the release.
    #[error(
        "no private table would have been released like this: {0}; give the hierarchies and the requirement that the release was made with"
    )]
    Impossible(String),
}

/// An error that is a sentence about parameters.
pub(crate) fn setting(sentence: impl Into<String>) -> AttackError {
    AttackError::Setting(sentence.into())
}
