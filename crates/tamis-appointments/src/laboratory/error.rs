//! What can be wrong with the parameters of a generator or an experiment.

use crate::AppointmentError;
use crate::vector::VectorError;

/// Why nothing was generated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LaboratoryError {
    /// A parameter outside its range.
    #[error("{parameter} is {found}; {expected}")]
    Parameter {
        /// What it is called.
        parameter: &'static str,
        /// What was given.
        found: String,
        /// What is expected, as a sentence.
        expected: String,
    },
    /// The generated problem cannot be scheduled.
    #[error(transparent)]
    Appointment(#[from] AppointmentError),
    /// The system gives no threads.
    #[error("the experiment cannot start its threads: {0}; try --threads 1")]
    Threads(String),
    /// The vectors of the schedules cannot be compared.
    #[error(transparent)]
    Vector(#[from] VectorError),
}

impl LaboratoryError {
    /// A parameter outside its range.
    pub(super) fn parameter(
        parameter: &'static str,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Parameter { parameter, found: found.to_string(), expected: expected.into() }
    }
}

/// More people than this are not made up: their table would not fit the memory of a desk computer.
const MOST_GENERATED: u64 = 100_000_000;

/// Refuses numbers of people that nobody wants or that no memory holds.
pub(super) fn check_people(people: u64) -> Result<(), LaboratoryError> {
    if (1..=MOST_GENERATED).contains(&people) {
        return Ok(());
    }
    Err(LaboratoryError::parameter("the number of people", people, "give 1 to 100,000,000"))
}
