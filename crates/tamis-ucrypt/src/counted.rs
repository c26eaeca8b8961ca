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

/// The first names of a list, and how many more there are.
///
/// ```
/// assert_eq!(tamis_ucrypt::first_few(["a", "b"], 2), "a, b");
/// assert_eq!(tamis_ucrypt::first_few(["a", "b", "c", "d"], 2), "a, b and 2 more");
/// ```
pub fn first_few(names: impl IntoIterator<Item = impl AsRef<str>>, most: usize) -> String {
    let mut names = names.into_iter();
    let mut told = String::new();
    for (number, name) in names.by_ref().take(most).enumerate() {
        told.push_str(if number == 0 { "" } else { ", " });
        told.push_str(name.as_ref());
    }
    match names.count() {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}
