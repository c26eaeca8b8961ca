//! How much of a document is held in memory at once.

/// Longest record, in bytes, as it stands in the document before and after: a record that were longer once sealed is refused
/// as well, since nobody could open it again.
pub const LONGEST_RECORD: usize = 16 << 20;

/// Longest value that is handed to a treatment or that it may give back, in bytes as it stands in the document.
pub const LONGEST_VALUE: usize = 8 << 20;

/// Most columns of a table.
pub const MOST_COLUMNS: usize = 1 << 16;
