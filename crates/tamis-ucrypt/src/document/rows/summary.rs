//! What a rewriting did.

use super::treat::Treated;
use super::{RowsError, Spot};
use crate::document::Compared;

/// What was found in a document, and what was done to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Records read.
    pub records: u64,
    /// Records that the treatment did not keep.
    pub dropped: u64,
    /// Values that were sealed when they were read.
    pub sealed: u64,
    /// Sealed values that were cut off or edited, and left so.
    pub damaged: u64,
    /// Values that the treatment changed.
    pub changed: u64,
    /// Tables that a selector names and that the document does not hold.
    pub absent: Vec<String>,
    /// Whether every key was compared with every other, if they were to be unique: so many are, and the others only with them.
    pub compared: Compared,
    /// Where the document is not in its character set, if it was looked at.
    pub(crate) other_charset: Option<Spot>,
    /// Whether a text with characters beyond ASCII was written.
    pub(crate) wrote_beyond_ascii: bool,
}

impl Summary {
    pub(crate) fn count(&mut self, record: Treated) {
        self.records += 1;
        self.dropped += u64::from(!record.kept);
        self.sealed += record.sealed;
        self.damaged += record.damaged;
        self.changed += record.changed;
        self.wrote_beyond_ascii |= record.wrote_beyond_ascii;
    }

    /// Refuses a document in which two character sets would be mixed: what was written is in the one that was named, or in UTF-8 if none
    /// was, and something else is not.
    pub(crate) fn unmixed(self) -> Result<Self, RowsError> {
        match self.other_charset {
            Some(spot) if self.wrote_beyond_ascii => Err(RowsError::Mixed(spot)),
            _ => Ok(self),
        }
    }

    pub(crate) fn add(&mut self, other: &Summary) {
        self.records += other.records;
        self.dropped += other.dropped;
        self.sealed += other.sealed;
        self.damaged += other.damaged;
        self.wrote_beyond_ascii |= other.wrote_beyond_ascii;
        if self.other_charset.is_none() {
            self.other_charset.clone_from(&other.other_charset);
        }
        self.changed += other.changed;
    }
}
