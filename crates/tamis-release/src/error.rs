//! Why a release cannot be made.

use tamis_engine::{QualityError, SearchError};
use tamis_mechanism::MechanismError;
use tamis_privacy::ModelError;
use tamis_source::SourceError;
use tamis_table::TableError;
use tamis_transform::TransformError;

/// Anything that keeps a release from being made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// The policy cannot be read.
    #[error("cannot read the policy {name}: {reason}; give the path of a policy, or write one with `tamis init DATA`")]
    ReadPolicy {
        /// The file.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// The policy is malformed.
    #[error("the policy {name}, line {line}, column {column}: {reason}")]
    Policy {
        /// The file.
        name: String,
        /// Where, from 1.
        line: usize,
        /// Where in the line, from 1.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// Something in the policy or the arguments makes no sense.
    #[error("{0}")]
    Setting(String),
    /// A file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A hierarchy file.
    #[error("the hierarchy {name} of `{column}`: {reason}")]
    Hierarchy {
        /// The file or builder.
        name: String,
        /// The column.
        column: String,
        /// What is wrong.
        reason: tamis_table::HierarchyError,
    },
    /// A requirement.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Fewer new rows than any class must have.
    #[error(
        "the models cannot hold: {rows} new rows where every class needs {k}; gather more rows before applying the manifest"
    )]
    TooFewRows {
        /// The least class size.
        k: u64,
        /// The rows there are.
        rows: u64,
    },
    /// A quality setting.
    #[error(transparent)]
    Quality(#[from] QualityError),
    /// The search found nothing.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A transformation.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// A randomized mechanism.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// A manifest that does not fit what is there.
    #[error("the manifest {name} cannot be used: {reason}")]
    Manifest {
        /// The file.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl ReleaseError {
    /// Whether the question was understood and answered "no", as opposed to being bad input.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Search(SearchError::NoSolution { .. } | SearchError::TimeOut) | Self::TooFewRows { .. } => true,
            Self::Transform(error) => error.is_refusal(),
            _ => false,
        }
    }
}
