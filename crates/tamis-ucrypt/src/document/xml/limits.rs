//! How much of a document may be in one place: what keeps memory bounded whatever the document is.

/// Longest token in bytes of UTF-8: a text between two tags, a tag with its attributes, a comment, a processing instruction.
/// Also the most that may stand before the root element.
pub const LONGEST_TOKEN: usize = 8 << 20;

pub use crate::document::LONGEST_RECORD;

/// Deepest nesting of elements, not counting those around sealed values.
pub const DEEPEST: usize = 1_000;

/// Most attributes of one element.
pub const MOST_ATTRIBUTES: usize = 1_000;

/// Most namespace declarations in force at one place.
pub const MOST_NAMESPACES: usize = 256;

/// Most bytes of names and namespaces that are in force at one place.
pub const LONGEST_SCOPE: usize = 1 << 20;

/// Most bytes of the path that a sealed value outside selected fields is called by.
pub const LONGEST_PATH: usize = 512;

/// Most selected fields and sealed values in one record, and most records inside one record.
pub const MOST_FIELDS: usize = 1 << 16;
