//! Documents as streams of records and fields.
//!
//! Every kind of document is rewritten in one pass: what no [`Treatment`] changes is copied byte for byte, whatever its size is.

mod at;
mod batch;
mod charset;
pub mod csv;
pub mod header;
mod limits;
mod readable;
mod room;
pub mod rows;
pub mod sql;
pub mod sqlite;
mod unique_keys;
pub mod xml;

pub use crate::cell::Place;
pub use at::At;
pub use batch::good_threads;
pub use limits::LONGEST_RECORD;
pub(crate) use readable::ReadablePlaces;
pub use readable::{Readable, ReadablePlace, StillReadable, UnknownReadable};
pub use unique_keys::Compared;
pub(crate) use unique_keys::{KeyHasher, SeenKey, UniqueKeys};

use crate::cell::{Marker, MarkerError};

/// What stands in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content<'a> {
    /// Text, as a reader of the document gets it: without escapes and quotes.
    Text(&'a str),
    /// Text that stands unlike other texts of its kind of document: a number in SQL, a CSV field in needless quotes.
    Unusual(&'a str),
    /// Text, or NULL if there is none, that is spelled unlike its kind of document spells it as a rule: `E'it\'s'` or `null` in SQL.
    Spelled {
        /// What it means.
        text: Option<&'a str>,
        /// How it stands.
        spelling: &'a str,
    },
    /// XML that escaping its text again would not give byte for byte: child elements, comments, CDATA, references.
    Fragment(&'a str),
    /// No value at all: NULL in SQL.
    Null,
    /// A sealed value, in whatever form the document can hold it.
    Sealed(Marker),
}

/// What a field becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It stays as it is, byte for byte.
    Keep,
    /// It becomes this text.
    Text(String),
    /// It becomes this text and stands as [`Content::Unusual`] did; documents that know no such thing take it as text.
    Unusual(String),
    /// It becomes this text, or NULL, spelled like this where that means the same; elsewhere it is spelled as usual.
    Spelled {
        /// What it means.
        text: Option<String>,
        /// How it stood.
        spelling: String,
    },
    /// It becomes this XML; documents of other kinds take it as text.
    Fragment(String),
    /// It loses its value.
    Null,
    /// It becomes this sealed value.
    Sealed(Marker),
}

impl Outcome {
    /// Whether it is written without characters beyond ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        match self {
            Self::Keep | Self::Null | Self::Sealed(_) => true,
            Self::Text(text) | Self::Unusual(text) | Self::Fragment(text) => text.is_ascii(),
            Self::Spelled { text, spelling } => text.as_ref().is_none_or(|text| text.is_ascii()) && spelling.is_ascii(),
        }
    }

    /// About how many bytes it takes, tags and escapes aside.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Keep | Self::Null => 0,
            Self::Text(text) | Self::Unusual(text) | Self::Fragment(text) => text.len(),
            Self::Spelled { text, spelling } => text.as_ref().map_or(0, String::len).max(spelling.len()),
            Self::Sealed(marker) => marker.body.len(),
        }
    }
}

/// What is done to the fields of a document. Called from several threads at once.
pub trait Treatment: Sync {
    /// Why a field was refused.
    type Refusal: Send;

    /// Decides what becomes of a field that a selector names, or that holds a sealed value.
    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Self::Refusal>;

    /// Whether the value at this place must be readable. One that is computed, or no text, is refused where it must, and stays elsewhere.
    fn needs(&self, place: Place<'_>) -> bool {
        let _ = place;
        false
    }

    /// Whether a sealed value that was cut off or edited is left as it is. As a rule it is an error.
    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        let _ = (at, place, damage);
        false
    }

    /// Whether a sealed value that [`field`](Self::field) refused is left as it is. As a rule it ends the work.
    fn leaves_refused(
        &self,
        at: At,
        place: Place<'_>,
        content: &Content<'_>,
        refusal: Self::Refusal,
    ) -> Result<(), Self::Refusal> {
        let _ = (at, place, content);
        Err(refusal)
    }

    /// Whether an XML document is refused if two records of a table have one key and a field is sealed in both: their cells could
    /// be exchanged unnoticed. Readers of tables are told in their options.
    fn needs_unique_keys(&self) -> bool {
        false
    }

    /// Whether the records of selected fields must have keys, also where nothing is sealed. Sealed values of a record without one are damaged.
    fn needs_keys(&self) -> bool {
        true
    }

    /// Takes note of a sealed value that stands where no record is dropped: outside the records, or in a table that nobody selected.
    fn stays(&self, marker: &Marker) {
        let _ = marker;
    }

    /// Whether places are looked for in which the value of a selected field stays readable. Those that can be sealed are then handed over as
    /// fields of their own: attributes of an element that is a field, called `name/@attribute[1]`. For others, only fields count of
    /// which [`Self::needs`] tells that they are to be sealed.
    fn looks_for_readable(&self) -> bool {
        false
    }

    /// Whether every record of every table is sealed, so that what refers to a sealed one is sealed with it.
    fn takes_every_record(&self) -> bool {
        false
    }

    /// Takes note of such a place.
    fn stays_readable(&self, place: ReadablePlace) {
        let _ = place;
    }

    /// Whether statements of a dump that may put values into a selected table, and that cannot be followed, are passed over by a treatment that
    /// does not look for readable places. As a rule they are errors.
    fn passes_statements(&self) -> bool {
        false
    }

    /// Whether a record stays in the document, given whether it holds a sealed value.
    fn keeps(&self, sealed: bool) -> bool {
        let _ = sealed;
        true
    }
}
