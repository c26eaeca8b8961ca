//! How much of a document is held in memory at once.

/// Longest record in bytes, before and after it is treated: one that were longer once sealed is refused as well, since nobody could
/// open it again. Also the longest statement, string or comment of a dump outside its rows. Sealing makes a value longer by a third and
/// some 150 bytes, so that about 6 MB can be sealed, in XML as in tables.
pub const LONGEST_RECORD: usize = 8 << 20;

/// About how many values are treated together: a value of a few bytes has some 180 once it is sealed, whatever it had before.
pub(crate) const MANY_VALUES: usize = 1 << 13;

/// Most columns of a table.
pub const MOST_COLUMNS: usize = 1 << 16;
