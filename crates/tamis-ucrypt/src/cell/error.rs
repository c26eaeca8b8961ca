//! Why a cell was not sealed or opened, and where it is.

use super::Place;
use super::UnknownCipher;
use crate::exit::Exit;
use crate::shown::shown;

/// A cell that cannot be sealed or opened. Exit code 5.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {}, field {} of table {}: {refusal}", shown(.record), shown(.field), shown(.table))]
pub struct CellError {
    /// The table of the cell.
    pub table: String,
    /// The record of the cell.
    pub record: String,
    /// The field of the cell.
    pub field: String,
    /// What is wrong.
    pub refusal: Refusal,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No version in the marker.
    #[error("the cell was not sealed by this format (its marker has no version), so it cannot be opened")]
    Foreign,
    /// A version of the format that is not known.
    #[error("the cell has version {0:?} of the format; this program knows version 1")]
    Version(String),
    /// A cipher that is not known.
    #[error("the cell cannot be opened: {0}")]
    Cipher(#[from] UnknownCipher),
    /// A binding that is not known.
    #[error("the cell is bound to {0:?}; rf, f and n are known")]
    Binding(String),
    /// An attribute that is not known, and that nothing authenticates.
    #[error("the marker has the unknown attribute {0:?}, which nothing vouches for; the cell stays closed")]
    UnknownAttribute(String),
    /// The data key is not there.
    #[error("there is no data key {kid:?} of policy {policy:?}, epoch {epoch:?} to open it with")]
    NoKey {
        /// The data key.
        kid: String,
        /// Its policy.
        policy: String,
        /// Its epoch.
        epoch: String,
    },
    /// The data key is there, and the policy does not open it.
    #[error(
        "data key {kid:?} of policy {policy:?}, epoch {epoch} does not open with this policy file: it was wrapped for another key of the policy, or its header was edited"
    )]
    ClosedKey {
        /// The data key.
        kid: String,
        /// Its policy.
        policy: String,
        /// The epoch in which it was born.
        epoch: u32,
    },
    /// The text of the marker is broken.
    #[error(transparent)]
    Marker(#[from] super::MarkerError),
    /// The body is not base64.
    #[error("the sealed value is cut off or edited: it is not padded base64")]
    NotBase64,
    /// The body is too short.
    #[error("the sealed value is cut off: {0} bytes are too few")]
    TooShort(usize),
    /// The tag is wrong.
    #[error(
        "the cell does not authenticate: it was edited, or moved here from another record or field, or sealed with another key"
    )]
    NotAuthentic,
    /// The tag is wrong, and the policy names no field here.
    #[error(
        "the cell does not authenticate here, where the policy names no field: if it did when the cell was sealed, the cell opens once `policy amend` names that field again; otherwise it was edited, or moved here"
    )]
    NoSuchField,
    /// The tag is wrong, and the cell opens elsewhere.
    #[error(
        "the cell does not authenticate here: it belongs to record {}, field {} of table {}, from where it was moved or copied",
        shown(.record), shown(.field), shown(.table)
    )]
    Moved {
        /// The table that it belongs to.
        table: String,
        /// The record.
        record: String,
        /// The field.
        field: String,
    },
    /// The plaintext has no known form.
    #[error("the cell is authentic, but what it holds has an unknown form")]
    Form,
    /// The key of the cell is the key of others too.
    #[error("the cell is bound to {0:?} only: its key opens other cells as well and cannot be granted")]
    SharedKey(String),
    /// Two records have one key.
    #[error("another record has the same key; a sealed value would open in both")]
    TwoRecords,
    /// A cell that no data key of its document belongs to.
    #[error("the cell names a data key that the document does not have; it was edited, or comes from another document")]
    Orphan,
    /// A sealed value inside.
    #[error(
        "the field holds a sealed value inside its own, which would be out of sight; open it first, or seal either the inner or the outer field"
    )]
    Nested,
    /// A readable value that looks like a cell.
    #[error(
        "the field looks like a sealed value and is none ({0}), so that it would stay readable; mend it, or write it without the tag of a sealed value"
    )]
    Disguise(&'static str),
    /// The value is too long for the cipher.
    #[error("the value is too long to be sealed")]
    TooLong,
}

impl CellError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        Exit::CellRefused
    }
}

impl Refusal {
    pub(crate) fn at(self, place: Place<'_>) -> CellError {
        CellError {
            table: place.table.to_owned(),
            record: place.record.to_owned(),
            field: place.field.to_owned(),
            refusal: self,
        }
    }
}
