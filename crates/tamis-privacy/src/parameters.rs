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
    /// Several values, such as the names of columns.
    List(Vec<Value>),
    /// Named values, such as bounds per sensitive value, or the rule that selects a subset.
    Table(BTreeMap<String, Value>),
}

impl Value {
    /// The number it is.
    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Truth(_) | Self::Text(_) | Self::List(_) | Self::Table(_) => None,
        }
    }

    /// The text it is, numbers as they are written.
    fn as_text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Integer(value) => Some(value.to_string()),
            Self::Number(value) => Some(value.to_string()),
            Self::Truth(_) | Self::List(_) | Self::Table(_) => None,
        }
    }
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
            // The largest doubles have 309 digits, which nobody reads.
            Self::Number(value) if *value != 0.0 && !(1e-5..1e16).contains(&value.abs()) && value.is_finite() => {
                write!(f, "{value:e}")
            }
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "\"{value}\""),
            Self::Truth(value) => write!(f, "{value}"),
            Self::List(_) => f.write_str("a list"),
            Self::Table(_) => f.write_str("a table"),
        }
    }
}

impl From<Vec<Value>> for Value {
    fn from(values: Vec<Value>) -> Self {
        Self::List(values)
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Value {
    fn from(pairs: [(&str, Value); N]) -> Self {
        Self::Table(Parameters::from(pairs).0)
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
        let number = value.as_number().unwrap_or(f64::NAN);
        if number >= least && number <= most {
            return Ok(number);
        }
        let expected = if least == f64::MIN_POSITIVE && most == f64::MAX {
            "a number above 0".to_owned()
        } else if least == f64::MIN_POSITIVE {
            format!("a number above 0 and at most {most}")
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

    /// A number in `least..=most` that may be left out.
    pub(crate) fn optional_number(
        &self,
        kind: &'static str,
        parameter: &'static str,
        range: (f64, f64),
    ) -> Result<Option<f64>, ModelError> {
        self.get(parameter).map(|_| self.number(kind, parameter, "", range)).transpose()
    }

    /// A text or several, such as column names; none if left out. Numbers are taken as they are written.
    pub(crate) fn texts(&self, kind: &'static str, parameter: &'static str) -> Result<Option<Vec<String>>, ModelError> {
        let Some(value) = self.get(parameter) else { return Ok(None) };
        let values = match value {
            Value::List(values) => values.as_slice(),
            single => std::slice::from_ref(single),
        };
        let texts: Option<Vec<String>> = values.iter().map(Value::as_text).collect();
        texts.filter(|texts| !texts.is_empty()).map(Some).ok_or_else(|| ModelError::BadParameter {
            kind,
            parameter,
            found: value.to_string(),
            expected: "a text or a list of texts".to_owned(),
        })
    }

    /// Shares between 0 and 1 by name, such as `{ AIDS = 0.2 }`; none if left out.
    pub(crate) fn shares(
        &self,
        kind: &'static str,
        parameter: &'static str,
    ) -> Result<Option<BTreeMap<String, f64>>, ModelError> {
        let Some(value) = self.get(parameter) else { return Ok(None) };
        let bad = |found: String| ModelError::BadParameter {
            kind,
            parameter,
            found,
            expected: "shares between 0 and 1 by value, such as { flu = 0.5 }".to_owned(),
        };
        let Value::Table(table) = value else { return Err(bad(value.to_string())) };
        let share = |(name, value): (&String, &Value)| {
            let share = value.as_number().filter(|share| (0.0..=1.0).contains(share));
            share.map(|share| (name.clone(), share)).ok_or_else(|| bad(format!("{value} for \"{name}\"")))
        };
        if table.is_empty() {
            return Err(bad("empty".to_owned()));
        }
        table.iter().map(share).collect::<Result<_, _>>().map(Some)
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
