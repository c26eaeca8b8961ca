//! Records whose keys are the lines of a file.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::OperationError;
use super::of_file::OfFile as _;
use crate::document::KeyHasher;

/// Most keys that are remembered: 8 MiB.
const MOST: usize = 1 << 19;

/// Most lines, empty ones among them.
const MOST_LINES: u32 = 1 << 26;

/// Longest key.
const LONGEST: u64 = 1 << 16;

/// The keys of a file. It may be another file than was meant, one with secrets perhaps: what stands in it is never repeated.
#[derive(Debug)]
pub(super) struct KeyList {
    path: PathBuf,
    hasher: KeyHasher,
    /// In the order of their hashes. The keys themselves would take as much memory as a part of the document. A record that is not among
    /// them looks as if it were with a probability of one in thirty trillion.
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    hash: u64,
    line: u32,
    met: AtomicBool,
}

impl KeyList {
    /// Reads a file. Empty lines are nothing.
    pub(super) fn read(path: &Path) -> Result<Self, OperationError> {
        let mut file = BufReader::new(File::open(path).of(path)?);
        let mut list = Self { path: path.to_owned(), hasher: KeyHasher::default(), keys: Vec::new() };
        let mut bytes = Vec::new();
        for line in 1.. {
            let refused = |why| Err(OperationError::List { path: path.to_owned(), line, why });
            bytes.clear();
            if file.by_ref().take(LONGEST + 2).read_until(b'\n', &mut bytes).of(path)? == 0 {
                break;
            }
            if line > MOST_LINES {
                return refused("is one line too many: leave out the empty ones");
            }
            let key = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            let key = key.strip_suffix(b"\r").unwrap_or(key);
            if key.len() as u64 > LONGEST {
                return refused("is longer than 65,536 bytes");
            }
            let Ok(key) = str::from_utf8(key) else { return refused("is not UTF-8") };
            // Some editors put a byte order mark in front.
            let key = if line == 1 { key.strip_prefix('\u{feff}').unwrap_or(key) } else { key };
            if key.is_empty() {
                continue;
            }
            if list.keys.len() == MOST {
                return refused("has one key too many: choose all records, or give smaller lists one after the other");
            }
            list.keys.push(Key { hash: list.hasher.hash("", key), line, met: AtomicBool::new(false) });
        }
        list.keys.sort_unstable_by_key(|key| (key.hash, key.line));
        list.keys.dedup_by_key(|key| key.hash);
        Ok(list)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether a key is among them; it is remembered that it was met.
    pub(super) fn has(&self, key: &str) -> bool {
        let hash = self.hasher.hash("", key);
        let Ok(at) = self.keys.binary_search_by_key(&hash, |key| key.hash) else { return false };
        let met = &self.keys[at].met;
        // Writing what is there already would only slow the other threads down.
        if !met.load(Ordering::Relaxed) {
            met.store(true, Ordering::Relaxed);
        }
        true
    }

    /// The lines whose keys were not met, in words.
    pub(super) fn missed(&self) -> Option<String> {
        const NAMED: usize = 5;
        let missed = self.keys.iter().filter(|key| !key.met.load(Ordering::Relaxed));
        let mut lines: Vec<u32> = missed.map(|key| key.line).collect();
        lines.sort_unstable();
        let named: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
        let more = lines.len().saturating_sub(NAMED);
        let of = format!("of {}", self.path.display());
        match (lines.as_slice(), more) {
            ([], _) => None,
            ([line], _) => Some(format!("with the key in line {line} {of}")),
            (_, 0) => Some(format!("with the keys in lines {} {of}", named.join(", "))),
            (_, more) => Some(format!("with the keys in lines {} and {more} more {of}", named.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(content: impl AsRef<[u8]>) -> Result<KeyList, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("keys");
        std::fs::write(&path, content).unwrap();
        KeyList::read(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "keys"))
    }

    #[test]
    fn keys_are_lines_whatever_ends_them() {
        let keys = list("\u{feff}5\r\n\n7 \nZażółć\n5").unwrap();
        assert_eq!(keys.keys.len(), 3);
        for (key, is_there) in [("5", true), ("7 ", true), ("Zażółć", true), ("7", false), ("", false)] {
            assert_eq!(keys.has(key), is_there, "{key:?}");
        }
        assert_eq!(keys.missed(), None);
    }

    #[test]
    fn what_was_not_met_is_named_by_its_line() {
        let said = |content: &str, met: &[&str]| {
            let keys = list(content).unwrap();
            assert!(met.iter().all(|key| keys.has(key)));
            let path = keys.path.display().to_string();
            keys.missed().map(|said| said.replace(&path, "keys"))
        };
        assert_eq!(said("a\nb\n\nc\n", &["a", "b"]).unwrap(), "with the key in line 4 of keys");
        assert_eq!(said("a\nb\n\nc\na\n", &["b"]).unwrap(), "with the keys in lines 1, 4 of keys");
        let many = said("1\n2\n3\n4\n5\n6\n7\n8\n", &["1"]);
        assert_eq!(many.unwrap(), "with the keys in lines 2, 3, 4, 5, 6 and 2 more of keys");
    }

    #[test]
    fn what_is_no_list_is_refused_and_not_repeated() {
        for (content, sentence) in [
            (vec![b'x'; 1 << 20], "keys: line 1 is longer than 65,536 bytes"),
            (b"5\n\xff\xfe5\n".to_vec(), "keys: line 2 is not UTF-8"),
            (
                "\n".repeat(1 << 26).into_bytes().into_iter().chain(*b"5\n").collect(),
                "keys: line 67108865 is one line too many",
            ),
            ("5\n\n".repeat((1 << 19) + 1).into_bytes(), "keys: line 1048577 has one key too many"),
        ] {
            let error = list(content).unwrap_err();
            assert!(error.starts_with(sentence), "{error}");
        }
        assert!(list("5\n".repeat(1 << 19)).unwrap().has("5"));
        let longest = "x".repeat(1 << 16);
        assert!(list(format!("\r\n{longest}\r\n")).unwrap().has(&longest));
    }
}
