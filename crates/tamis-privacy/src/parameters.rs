//! The parameters of a requirement, as written in a policy.

use crate::{ModelError, SensitiveFacts, TableFacts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A parameter's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// True or false; no model takes one yet, so that it can be said which parameter it was given for.
    Truth(bool),
    /// A text.
    Text(String),
    /// Several values; no model takes them yet either.
    List(Vec<Value>),
    /// Named values, as of the rule that selects a subset.
    Table(BTreeMap<String, Value>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "\"{value}\""),
            Self::Truth(value) => write!(f, "{value}"),
            Self::List(_) => f.write_str("a list"),
            Self::Table(_) => f.write_str("a table"),
        }
    }
}

/// The named parameters of one requirement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Parameters(pub BTreeMap<String, Value>);

impl<const N: usize> From<[(&str, Value); N]> for Parameters {
    fn from(pairs: [(&str, Value); N]) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl Parameters {
    /// The value of `parameter`, if it was given.
    pub fn get(&self, parameter: &str) -> Option<&Value> {
        self.0.get(parameter)
    }

    /// A number in `least..=most`.
    pub(crate) fn number(
        &self,
        kind: &'static str,
        parameter: &'static str,
        meaning: &'static str,
        (least, most): (f64, f64),
    ) -> Result<f64, ModelError> {
        let value = self.get(parameter).ok_or(ModelError::MissingParameter { kind, parameter, meaning })?;
        let number = match value {
            Value::Integer(value) => *value as f64,
            Value::Number(value) => *value,
            Value::Truth(_) | Value::Text(_) | Value::List(_) | Value::Table(_) => f64::NAN,
        };
        if number >= least && number <= most {
            return Ok(number);
        }
        let expected = if least == f64::MIN_POSITIVE {
            "a number above 0".to_owned()
        } else if most == f64::MAX {
            format!("a number of at least {least}")
        } else {
            format!("a number between {least} and {most}")
        };
        Err(ModelError::BadParameter { kind, parameter, found: value.to_string(), expected })
    }

    /// A whole number of at least `least`.
    pub(crate) fn whole(
        &self,
        kind: &'static str,
        parameter: &'static str,
        meaning: &'static str,
        least: u64,
    ) -> Result<u64, ModelError> {
        let value = self.get(parameter).ok_or(ModelError::MissingParameter { kind, parameter, meaning })?;
        let whole = match value {
            Value::Integer(value) => u64::try_from(*value).ok(),
            Value::Number(value) if value.fract() == 0.0 && *value >= 0.0 && *value < 1e15 => Some(*value as u64),
            _ => None,
        };
        whole.filter(|&whole| whole >= least).ok_or_else(|| ModelError::BadParameter {
            kind,
            parameter,
            found: value.to_string(),
            expected: format!("a whole number of at least {least}"),
        })
    }

    /// The sensitive attributes a requirement speaks of: the one it names, or all of them.
    pub(crate) fn sensitive<'f>(
        &self,
        kind: &'static str,
        facts: &'f TableFacts,
    ) -> Result<Vec<&'f SensitiveFacts>, ModelError> {
        if facts.sensitive.is_empty() {
            return Err(ModelError::NoSensitiveAttribute { kind });
        }
        let Some(value) = self.get("attribute") else { return Ok(facts.sensitive.iter().collect()) };
        let Value::Text(name) = value else {
            return Err(ModelError::BadParameter {
                kind,
                parameter: "attribute",
                found: value.to_string(),
                expected: "the name of a column".to_owned(),
            });
        };
        let known = || facts.sensitive.iter().map(|s| format!("`{}`", s.name)).collect::<Vec<_>>().join(", ");
        facts
            .sensitive
            .iter()
            .find(|sensitive| sensitive.name == *name)
            .map(|sensitive| vec![sensitive])
            .ok_or_else(|| ModelError::UnknownAttribute { kind, attribute: name.clone(), known: known() })
    }
}
