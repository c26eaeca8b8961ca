//! Names of tables and columns.

use super::DatabaseError;
use std::fmt;

/// A name that any database can quote: not empty, no control characters. Blanks, quotes and letters of any script are fine.
///
/// ```
/// use tamis_source::database::Identifier;
///
/// assert!(Identifier::new("código postal").is_ok());
/// assert!(Identifier::new("two\nlines").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identifier(String);

impl Identifier {
    /// The name, if it can be one.
    pub fn new(name: &str) -> Result<Self, DatabaseError> {
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(DatabaseError::UnusableName { name: name.to_owned() });
        }
        Ok(Self(name.to_owned()))
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
