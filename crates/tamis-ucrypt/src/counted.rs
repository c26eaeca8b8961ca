//! Numbers of things in sentences.

/// A number of things, in words.
///
/// ```
/// assert_eq!(tamis_ucrypt::counted(1, "cell", "cells"), "1 cell");
/// assert_eq!(tamis_ucrypt::counted(0, "cell", "cells"), "0 cells");
/// ```
pub fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
