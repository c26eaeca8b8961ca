//! Where in a document a value stands.

use std::fmt;

use super::{rows, xml};

/// Where a value stands, for messages. Those of one document compare as they follow each other in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// In a file of records or in a database.
    Row(rows::Spot),
    /// In an XML document.
    Character(xml::Position),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(spot) => spot.fmt(f),
            Self::Character(position) => position.fmt(f),
        }
    }
}
