//! What the columns are called.

use crate::ProgrammeError;
use tamis_source::database::{Identifier, Value};

/// The names of the columns that the tool reads and writes, other than those of the quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Tells people apart.
    pub key: String,
    /// Takes the appointment by lot.
    pub random: String,
    /// Takes the appointment by Tamis.
    pub intelligent: String,
    /// Names a slot.
    pub resource: String,
    /// How many people a slot takes.
    pub capacity: String,
}

impl Default for Layout {
    /// The names of the thesis.
    fn default() -> Self {
        let [key, random, intelligent, resource, capacity] =
            ["ID", "REC_RAND", "REC_INTELLIGENT", "RESOURCE", "CAPACITY"].map(str::to_owned);
        Self { key, random, intelligent, resource, capacity }
    }
}

/// Stands for an appointment that nobody has yet.
pub(super) const NOT_YET: i64 = -1;

/// Whether a field holds no appointment: nothing, or what generated tables hold at first.
pub(super) fn is_not_yet(field: &Value) -> bool {
    match field {
        Value::Null | Value::Integer(NOT_YET) => true,
        Value::Text(text) => text.is_empty() || *text == NOT_YET.to_string(),
        _ => false,
    }
}

/// Several names as identifiers.
pub(super) fn identifiers<const N: usize>(names: [&str; N]) -> Result<[Identifier; N], ProgrammeError> {
    let found: Vec<Identifier> = names.into_iter().map(Identifier::new).collect::<Result<_, _>>()?;
    found.try_into().map_err(|_| ProgrammeError::Invalid("a name is missing".to_owned()))
}
