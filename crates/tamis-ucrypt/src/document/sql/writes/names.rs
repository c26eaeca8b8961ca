//! Names that are remembered in little room.

use crate::document::sql::lex::is_word;

/// Most names of which each is known; with more, every name counts.
const MOST: usize = 12;

/// Names of variables, and of what a query calls its parts, that hold values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Noted {
    names: [u64; MOST],
    count: usize,
}

impl Noted {
    pub(super) fn add(&mut self, name: u64) {
        if self.has(name) {
            return;
        }
        if let Some(place) = self.names.get_mut(self.count) {
            *place = name;
        }
        self.count = (self.count + 1).min(MOST + 1);
    }

    pub(super) fn has(&self, name: u64) -> bool {
        self.count > MOST || self.names[..self.count].contains(&name)
    }
}

/// A number for a name, whatever the case of its letters and whether it is in quotes.
pub(in crate::document::sql) fn hashed(written: &[u8]) -> u64 {
    // FNV-1a. Two names of one number are taken for one, which tells of too much rather than of too little.
    let plain = written.iter().filter(|byte| !matches!(byte, b'"' | b'`' | b'[' | b']'));
    plain.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Whether the name behind these bytes, with its schema or without, is that of a table or the like, so that no arguments follow it.
pub(in crate::document::sql) fn names_a_thing(before: &[u8]) -> bool {
    const KINDS: [&str; 9] = ["table", "references", "index", "exists", "key", "view", "into", "only", "constraint"];
    let mut before = before;
    while let Some(rest) = before.trim_ascii_end().strip_suffix(b".") {
        let rest = rest.strip_suffix(b"\"").or_else(|| rest.strip_suffix(b"`")).unwrap_or(rest);
        before = &rest[..rest.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1)];
        before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"`")).unwrap_or(before);
    }
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"*/").unwrap_or(before).trim_ascii_end();
    let word = &before[before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1)..];
    KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_names_than_are_known_are_all_names() {
        let mut noted = Noted::default();
        for name in 0..MOST as u64 {
            noted.add(name);
            noted.add(name);
        }
        assert!(noted.has(3) && !noted.has(99));
        noted.add(77);
        assert!(noted.has(77) && noted.has(99));
    }

    #[test]
    fn what_stands_behind_the_word_table_is_no_call() {
        assert_eq!(hashed(b"\"F\""), hashed(b"f"));
        for (before, is_thing) in [
            ("CREATE TABLE ", true),
            ("CREATE TABLE /*!32312 IF NOT EXISTS*/ ", true),
            ("REFERENCES \"s\".", true),
            ("SELECT ", false),
            ("SELECT s.", false),
            ("", false),
        ] {
            assert_eq!(names_a_thing(before.as_bytes()), is_thing, "{before}");
        }
    }
}
