//! What the cells of a data key are called, where no policy says it.
//!
//! A cell names its data key, and data keys are known from the headers of the document. So the bytes in front of such a name show the
//! element, in every kind of document and every encoding that writes ASCII as it is; a guess, for whoever looks more closely to confirm.

use crate::document::xml::{self, Namespaces};
use memchr::memmem::{self, Finder};
use memchr::memrchr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// How far in front of the name of its data key an element may begin.
const REACH: usize = 1024;

/// Data keys that are looked for: a hostile document must not cost more.
const MOST_KEYS: usize = 16;

/// Names that are given. The document is read once for each of them.
const MOST_NAMES: usize = 4;

/// The names of elements that seem to hold cells of these data keys, in time linear in the length of the document.
pub fn element_names(path: &Path, kids: &[&str]) -> io::Result<Vec<String>> {
    let finders: Vec<Finder<'_>> =
        kids.iter().filter(|kid| !kid.is_empty()).take(MOST_KEYS).map(|kid| Finder::new(kid.as_bytes())).collect();
    let mut file = File::open(path)?;
    let mut names = Vec::new();
    let mut bytes = Vec::new();
    loop {
        if file.by_ref().take(1 << 20).read_to_end(&mut bytes)? == 0 {
            return Ok(names);
        }
        for finder in &finders {
            let mut last = 0;
            for at in finder.find_iter(&bytes) {
                // What is before the last one was looked at: a tag names its key once.
                if let Some(name) = name_before(&bytes[last.max(at.saturating_sub(REACH))..at])
                    && !names.contains(&name)
                {
                    names.push(name);
                    if names.len() == MOST_NAMES {
                        return Ok(names);
                    }
                }
                last = at;
            }
        }
        // An element may begin here and name its key in the next piece.
        bytes.drain(..bytes.len().saturating_sub(REACH));
    }
}

/// The name of the element whose start tag these bytes end in, if it says what a cell says.
fn name_before(bytes: &[u8]) -> Option<String> {
    let escaped = memmem::rfind(bytes, b"&lt;").map(|at| at + 4);
    let tag = &bytes[memrchr(b'<', bytes).map(|at| at + 1).max(escaped)?..];
    let tag = String::from_utf8_lossy(tag);
    let (name, attributes) = tag.split_once(char::is_whitespace)?;
    let is_cell = ["cipher=", "v=", "kid="].iter().all(|attribute| attributes.contains(attribute));
    (is_name(name) && is_cell && !attributes.contains('>')).then(|| name.to_owned())
}

/// Whether elements of XML without a prefix can be called so.
fn is_name(text: &str) -> bool {
    let path = xml::Path::relative(text, &Namespaces::new());
    // What could not be decoded is no name, though XML would take the sign that stands for it.
    !text.contains(char::REPLACEMENT_CHARACTER)
        && path.is_ok_and(|path| path.elements.iter().map(|name| name.local.as_str()).eq([text]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_element_is_the_one_that_names_the_key() {
        let cell =
            |open: &str, quote: &str| format!("x {open}SEJF cipher={quote}A{quote} v={quote}1{quote} kid={quote}");
        for (open, quote) in [("<", "\""), ("<", "\"\""), ("&lt;", "&quot;"), ("<", "'")] {
            assert_eq!(name_before(cell(open, quote).as_bytes()).as_deref(), Some("SEJF"), "{open} {quote}");
        }
        for other in ["<?ucrypt-key v=\"1\" cipher= kid=\"", "<a b=\"", "<a cipher= v= kid=>kid=", "kid=", ""] {
            assert_eq!(name_before(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn only_names_of_elements_are_guessed() {
        let found = |name: &str| name_before(format!("<{name} cipher='' v='' kid='").as_bytes());
        for name in ["SEJF", "Zażółć", "_a-b.c1"] {
            assert_eq!(found(name).as_deref(), Some(name));
        }
        for name in ["A²", "1a", "a/b", "@a", ".", "xml:a", "p:a", "\u{fffd}", "!", "a!"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn a_document_full_of_names_gives_few_guesses() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("many");
        let text: Vec<String> = (0..1000).map(|n| format!("<E{n} cipher='' v='' kid='kZ3bQ9xA'/>")).collect();
        std::fs::write(&path, text.concat()).expect("a file");
        assert_eq!(element_names(&path, &["kZ3bQ9xA"]).expect("it is read").len(), MOST_NAMES);
    }

    #[test]
    fn a_tag_that_two_pieces_of_the_file_share_is_found() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("long");
        for start in (1 << 20) - 60..(1 << 20) + 10 {
            let mut text = " ".repeat(start);
            text += "<SEJF cipher=\"A\" v=\"1\" pol=\"p\" ep=\"1\" kid=\"kZ3bQ9xA\">";
            std::fs::write(&path, text).expect("a file");
            assert_eq!(element_names(&path, &["kZ3bQ9xA"]).expect("it is read"), ["SEJF"], "{start}");
        }
    }
}
