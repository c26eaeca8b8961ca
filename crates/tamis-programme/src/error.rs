//! What can be wrong with a programme.

use crate::NamedConflict;
use std::fmt;
use tamis_appointments::AppointmentError;
use tamis_appointments::laboratory::LaboratoryError;
use tamis_source::SourceError;
use tamis_source::database::DatabaseError;
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
    /// Parameters that make no population.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// A database that cannot be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// What is wrong with one of several tables.
    #[error("`{table}`: {reason}")]
    At {
        /// The table.
        table: String,
        /// What is wrong with it.
        reason: Box<ProgrammeError>,
    },
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
    /// What is wrong with this table.
    pub(crate) fn at(table: impl fmt::Display, reason: impl Into<ProgrammeError>) -> Self {
        Self::At { table: table.to_string(), reason: Box::new(reason.into()) }
    }

    /// Whether the question was understood and the answer is no: the conditions cannot be met.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NoSchedule(_) | Self::Refused(_) => true,
            Self::Appointment(error) => matches!(error, AppointmentError::Infeasible(_)),
            Self::At { reason, .. } => reason.is_refusal(),
            _ => false,
        }
    }
}
