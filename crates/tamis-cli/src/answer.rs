//! How a command ends.

use tamis_adult::GenerateError;
use tamis_release::ReleaseError;
use tamis_table::HierarchyError;

/// Whether the question a command asks was answered yes (exit code 0) or no (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

impl Answer {
    pub(crate) fn from_bool(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }
}

/// Why a command could not ask its question (exit code 2).
#[derive(Debug)]
pub(crate) enum CommandError {
    Release(ReleaseError),
    Other(String),
}

/// What every command returns.
pub(crate) type CommandResult = Result<Answer, CommandError>;

impl CommandError {
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Release(error) if error.is_refusal())
    }
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Release(error) => error.fmt(f),
            Self::Other(sentence) => f.write_str(sentence),
        }
    }
}

impl<E: Into<ReleaseError>> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self::Release(error.into())
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
