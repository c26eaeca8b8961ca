//! How much of a document is held in memory at once.

/// About how many values are treated together: a value of a few bytes has some 180 once it is sealed, whatever it had before.
pub(crate) const MANY_VALUES: usize = 1 << 13;

/// Most columns of a table.
pub const MOST_COLUMNS: usize = 1 << 16;
