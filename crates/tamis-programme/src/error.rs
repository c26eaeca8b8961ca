//! What can be wrong with a programme.

use crate::NamedConflict;
use tamis_appointments::AppointmentError;
use tamis_source::SourceError;
use tamis_table::TableError;

/// Why a programme cannot be scheduled or written.
#[derive(Debug, thiserror::Error)]
pub enum ProgrammeError {
    /// A file that cannot be read or written.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A table without the column asked for.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Numbers that make no problem, or conditions that cannot be met.
    #[error(transparent)]
    Appointment(#[from] AppointmentError),
    /// Conditions that cannot be met, with the names of those concerned.
    #[error("{0}")]
    NoSchedule(Box<NamedConflict>),
    /// What was asked for is understood but cannot be had.
    #[error("{0}")]
    Refused(String),
    /// Something the sentence says, with its place.
    #[error("{0}")]
    Invalid(String),
}

impl ProgrammeError {
    /// Whether the question was understood and the answer is no: the conditions cannot be met.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::NoSchedule(_) | Self::Refused(_) | Self::Appointment(AppointmentError::Infeasible(_)))
    }
}
