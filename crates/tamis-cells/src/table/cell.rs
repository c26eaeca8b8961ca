//! One published number and what is known about it.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::plain;

/// What a cell is called in the file it came from: a number there stays a number in every output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum CellId {
    /// A whole number, as peers' files have it.
    Number(i64),
    /// A text, for example the labels of the dimensions.
    Text(String),
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

// By hand: what is derived for untagged enums copies every value first and says of a wrong one only that nothing fits.
impl<'de> Deserialize<'de> for CellId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = CellId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id: a whole number or a text")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<CellId, E> {
                Ok(CellId::Number(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<CellId, E> {
                let whole = i64::try_from(number).map_err(|_| E::custom(format!("the id {number} is too large")))?;
                Ok(CellId::Number(whole))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<CellId, E> {
                Ok(CellId::Text(text.to_owned()))
            }

            fn visit_string<E: de::Error>(self, text: String) -> Result<CellId, E> {
                Ok(CellId::Text(text))
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}

/// What may and must happen to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Confidential: hidden, and its levels must hold against every attacker.
    Primary,
    /// May be hidden or published.
    Free,
    /// Must be published.
    Fixed,
    /// Must be hidden, but nothing is asked of what an attacker learns about it.
    Hidden,
}

/// How far from the true value an attacker's interval must reach. Zero asks nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Levels {
    /// The computed minimum is at most the value less this (lpl).
    pub lower: f64,
    /// The computed maximum is at least the value and this (upl).
    pub upper: f64,
    /// The computed interval is at least this wide (spl).
    pub sliding: f64,
}

impl Levels {
    pub(super) fn make_plain(&mut self) {
        for level in [&mut self.lower, &mut self.upper, &mut self.sliding] {
            *level = plain(*level);
        }
    }
}

/// A cell of a table: its value, what hiding it costs, what everybody knows about it beforehand.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its name in inputs and outputs.
    pub id: CellId,
    /// The true value.
    pub value: f64,
    /// What hiding it costs; never negative.
    pub weight: f64,
    /// Everybody knows that the value is at least this; may be minus infinity.
    pub lower: f64,
    /// Everybody knows that the value is at most this; may be infinity.
    pub upper: f64,
    /// What is asked for a primary cell; without meaning for others.
    pub levels: Levels,
    /// What may and must happen to it.
    pub status: Status,
}

impl Cell {
    pub(super) fn make_plain(&mut self) {
        for number in [&mut self.value, &mut self.weight, &mut self.lower, &mut self.upper] {
            *number = plain(*number);
        }
        self.levels.make_plain();
    }
}
