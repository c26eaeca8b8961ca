//! What can be wrong with a transformation, said so that the user can mend it.

use tamis_table::TableError;

/// A transformation that makes no sense, or not for this table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransformError {
    /// A column is not there, or a table cannot be put together.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A parameter out of its range.
    #[error("`{kind}`: `{parameter}` is {found}; expected {expected}")]
    BadParameter {
        /// The transformation.
        kind: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value found.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A column whose values the transformation cannot work with.
    #[error("`{kind}` works on numbers; row {row} of `{column}` is `{found}`{hint}")]
    NotANumber {
        /// The transformation.
        kind: &'static str,
        /// The column.
        column: String,
        /// The row, from 1.
        row: usize,
        /// What stands there.
        found: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A requirement that no outcome can meet, as too few rows.
    #[error("`{kind}` cannot be done: {reason}")]
    Impossible {
        /// The transformation.
        kind: &'static str,
        /// Why.
        reason: String,
    },
    /// A table, or the tables of a transformation together, that cannot be worked with.
    #[error("`{kind}`: {reason}")]
    BadTable {
        /// The transformation.
        kind: &'static str,
        /// What is wrong and what to do.
        reason: String,
    },
    /// A file that a transformation needs.
    #[error("{0}")]
    File(String),
}

impl TransformError {
    /// A parameter that is not what it should be.
    pub(crate) fn parameter(
        kind: &'static str,
        parameter: &'static str,
        found: String,
        expected: impl Into<String>,
    ) -> Self {
        Self::BadParameter { kind, parameter, found, expected: expected.into() }
    }

    /// Whether the question was understood and answered "no", as opposed to being bad input.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Impossible { .. })
    }
}
