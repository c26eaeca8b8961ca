//! What every kind of document is held to.

/// Longest record in bytes (XML: of UTF-8), before and after it is treated: one that were longer once sealed is refused as well, since
/// nobody could open it again. A record is held in memory until its end, because its key may come last. Sealing makes a value longer by a
/// third and some 150 bytes, so that about 6 MB can be sealed. Also the longest statement, string or comment of a dump outside its rows.
pub const LONGEST_RECORD: usize = 8 << 20;
