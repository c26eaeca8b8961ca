//! What can be wrong with files of totals, said so that the user can mend it.

use tamis_cells::TableError;
use tamis_source::SourceError;
use tamis_table::HierarchyError;

/// A table of totals that cannot be read, or that cannot be true.
#[derive(Debug, thiserror::Error)]
pub enum TotalsError {
    /// A file that is no table.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A hierarchy of level columns that is none.
    #[error("the hierarchy `{file}`: {reason}")]
    Hierarchy {
        /// The file.
        file: String,
        /// What is wrong.
        reason: HierarchyError,
    },
    /// Cells and equations that contradict each other.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Anything else that is wrong, as a sentence with its place.
    #[error("{0}")]
    Invalid(String),
}

/// An error that is a sentence.
pub(crate) fn invalid(sentence: impl Into<String>) -> TotalsError {
    TotalsError::Invalid(sentence.into())
}
