//! How a command ends.

use tamis_adult::GenerateError;
use tamis_appointments::AppointmentError;
use tamis_appointments::laboratory::LaboratoryError;
use tamis_appointments::vector::VectorError;
use tamis_engine::{QualityError, SearchError};
use tamis_mechanism::MechanismError;
use tamis_privacy::ModelError;
use tamis_programme::ProgrammeError;
use tamis_release::ReleaseError;
use tamis_source::SourceError;
use tamis_source::database::DatabaseError;
use tamis_table::{HierarchyError, TableError};
use tamis_transform::TransformError;
use tamis_ucrypt::audit::AuditError;
use tamis_ucrypt::key::{KeyError, ShareError};
use tamis_ucrypt::operation::OperationError;
use tamis_ucrypt::policy::PolicyError;

/// Whether the question a command asks was answered yes (exit code 0) or no (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// No, since a share of sealed fields is refused (4).
    ShareRefused,
    /// Done but for sealed values that do not open, which are left as they are (5).
    CellsLeft,
}

impl Answer {
    pub(crate) fn from_bool(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }
}

/// Why a command could not ask its question (exit code 2, of sealed fields also 3, 4 and 5).
#[derive(Debug)]
pub(crate) enum CommandError {
    Release(ReleaseError),
    Programme(ProgrammeError),
    /// The answer is no, with what is known about it for the JSON document.
    No {
        sentence: String,
        fields: serde_json::Value,
    },
    /// Sealed fields: the only commands that tell failures apart by more than one exit code.
    Sealed(OperationError),
    Other(String),
}

/// What every command returns.
pub(crate) type CommandResult = Result<Answer, CommandError>;

impl CommandError {
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::Release(error) => error.is_refusal(),
            Self::Programme(error) => error.is_refusal(),
            Self::No { .. } => true,
            Self::Sealed(_) | Self::Other(_) => false,
        }
    }

    /// How the program ends.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Sealed(error) => error.exit().code(),
            _ if self.is_refusal() => 1,
            _ => 2,
        }
    }
}

impl CommandError {
    /// The error as a JSON document, with the people and slots that cannot be reconciled if that is the reason.
    pub(crate) fn document(&self) -> serde_json::Value {
        let mut document = serde_json::json!({ "error": self.to_string() });
        match self {
            Self::Programme(ProgrammeError::NoSchedule(conflict)) => document["conflict"] = serde_json::json!(conflict),
            Self::Programme(ProgrammeError::Appointment(AppointmentError::Infeasible(conflict))) => {
                let numbers = |positions: &[usize]| positions.iter().map(|position| position + 1).collect::<Vec<_>>();
                document["conflict"] = serde_json::json!({
                    "people": conflict.people,
                    "places": conflict.places,
                    "frequencies": numbers(&conflict.units),
                    "slots": numbers(&conflict.slots),
                    "proved": conflict.is_proved,
                    "detail": conflict.reason,
                });
            }
            Self::No { fields, .. } => {
                for (name, value) in fields.as_object().into_iter().flatten() {
                    document[name] = value.clone();
                }
            }
            _ => {}
        }
        document
    }
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Release(error) => error.fmt(f),
            Self::Programme(error) => error.fmt(f),
            Self::Sealed(error) => error.fmt(f),
            Self::No { sentence, .. } | Self::Other(sentence) => f.write_str(sentence),
        }
    }
}

/// Which kind of error of the command line an error of another crate becomes.
macro_rules! becomes {
    ($kind:ident($target:ident): $($error:ty),+) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::$kind($target::from(error))
            }
        })+
    };
}

becomes!(Release(ReleaseError): ReleaseError, SourceError, TableError, ModelError, QualityError, SearchError, TransformError, MechanismError);
becomes!(Sealed(OperationError): OperationError, PolicyError, KeyError, ShareError, AuditError);
becomes!(Programme(ProgrammeError): ProgrammeError, AppointmentError, DatabaseError, LaboratoryError);

impl From<VectorError> for CommandError {
    fn from(error: VectorError) -> Self {
        sentence(error.to_string())
    }
}

/// An error that is a sentence.
pub(crate) fn sentence(text: impl Into<String>) -> CommandError {
    CommandError::Other(text.into())
}

/// Errors of other crates as sentences about a file or column.
pub(crate) trait AtPlace<T> {
    fn at(self, place: &str) -> Result<T, CommandError>;
}

impl<T> AtPlace<T> for Result<T, HierarchyError> {
    fn at(self, place: &str) -> Result<T, CommandError> {
        self.map_err(|error| sentence(format!("the hierarchy {place}: {error}")))
    }
}

impl<T> AtPlace<T> for Result<T, GenerateError> {
    fn at(self, place: &str) -> Result<T, CommandError> {
        self.map_err(|error| sentence(format!("{place}: {error}")))
    }
}
