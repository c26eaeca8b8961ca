//! Characters, references and escapes.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memchr;
use memchr::memmem::Finder;

use super::error::{Fault, Problem};
use crate::document::charset::Charset;
use crate::shown::plain;
use crate::xml_text::{NoReference, is_character, referenced};

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Where a text holds the end of a CDATA section.
pub(super) fn section_end(text: &[u8]) -> Option<usize> {
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("]]>"));
    FINDER.find(text)
}

/// Takes white space as XML knows it from both ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// The text of these bytes, if they are UTF-8 and nothing but characters of XML.
pub(super) fn characters(bytes: &[u8]) -> Result<&str, Fault> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| Fault::new(error.valid_up_to(), Problem::NotEncoded("UTF-8")))?;
    // Without a branch in it, this loop runs over many bytes at once.
    let control = bytes.iter().fold(0, |found, byte| found | u8::from(matches!(byte, 0..=8 | 11 | 12 | 14..=31)));
    // The first byte of U+FFFE and U+FFFF, and of few characters that anybody writes.
    if control != 0 || memchr(0xEF, bytes).is_some() {
        for (at, character) in text.char_indices() {
            if !is_character(character) {
                return Err(Fault::new(at, Problem::Character(u32::from(character))));
            }
        }
    }
    Ok(text)
}

/// Checks that `&name;` stands for a character.
pub(super) fn check_reference(name: &str) -> Result<(), Problem> {
    match referenced(name) {
        Ok(_) => Ok(()),
        Err(NoReference::Unknown) => Err(Problem::UnknownEntity(plain(name))),
        Err(NoReference::Spelling) => Err(Problem::Reference),
        Err(NoReference::Character(number)) => Err(Problem::Character(number)),
    }
}

/// Checks the references of a text or an attribute value.
pub(super) fn check_references(raw: &str) -> Result<(), Fault> {
    let mut from = 0;
    while let Some(found) = memchr(b'&', &raw.as_bytes()[from..]) {
        let at = from + found;
        from = at + 1 + reference_length(&raw[at + 1..]).map_err(|problem| Fault::new(at, problem))?;
    }
    Ok(())
}

fn reference_length(after: &str) -> Result<usize, Problem> {
    let end = after.bytes().position(|byte| matches!(byte, b';' | b'&' | b'<') || is_space(byte));
    let end = end.filter(|end| after.as_bytes()[*end] == b';').ok_or(Problem::Reference)?;
    check_reference(&after[..end])?;
    Ok(end + 1)
}

/// What a reader makes of a text whose references were checked.
pub(super) fn unescaped(raw: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'&', raw.as_bytes()) else { return Cow::Borrowed(raw) };
    let mut text = String::with_capacity(raw.len());
    text.push_str(&raw[..first]);
    let mut rest = &raw[first..];
    while let Some(after) = rest.strip_prefix('&') {
        let (name, tail) = after.split_once(';').unwrap_or((after, ""));
        text.extend(referenced(name));
        let next = memchr(b'&', tail.as_bytes()).unwrap_or(tail.len());
        text.push_str(&tail[..next]);
        rest = &tail[next..];
    }
    Cow::Owned(text)
}

/// Where a text stands, which says what must be escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    /// Between tags.
    Element,
    /// In an attribute value between these quotes.
    Attribute(u8),
}

/// Appends a text in its one canonical form: what a reader would lose otherwise is escaped, and nothing else.
/// False if there is a character that XML cannot express at all.
#[must_use]
pub(super) fn escape(text: &str, site: Site, charset: &Charset, out: &mut String) -> bool {
    let has_all = charset.has_all();
    let mut copied = 0;
    for (at, character) in text.char_indices() {
        let escaped = match (character, site) {
            ('&', _) => "&amp;",
            ('<', _) => "&lt;",
            ('>', _) => "&gt;",
            ('\r', _) => "&#13;",
            ('"', Site::Attribute(_)) => "&quot;",
            ('\'', Site::Attribute(b'\'')) => "&apos;",
            ('\n', Site::Attribute(_)) => "&#10;",
            ('\t', Site::Attribute(_)) => "&#9;",
            _ if !is_character(character) => return false,
            _ if has_all || character.is_ascii() || charset.has(character) => continue,
            _ => "",
        };
        out.push_str(&text[copied..at]);
        if escaped.is_empty() {
            push_number(character, out);
        } else {
            out.push_str(escaped);
        }
        copied = at + character.len_utf8();
    }
    out.push_str(&text[copied..]);
    true
}

/// Appends `&#...;`.
pub(super) fn push_number(character: char, out: &mut String) {
    out.push_str("&#");
    out.push_str(&u32::from(character).to_string());
    out.push(';');
}

/// Whether escaping `text` gives `raw`.
pub(super) fn is_canonical(raw: &str, text: &str, site: Site, charset: &Charset) -> bool {
    let mut again = String::with_capacity(raw.len());
    escape(text, site, charset, &mut again) && again == raw
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn references_are_found_where_they_go_wrong() {
        assert_eq!(check_references("a&amp;b&#10;c"), Ok(()));
        assert_eq!(check_references("ab & c"), Err(Fault::new(3, Problem::Reference)));
        assert_eq!(check_references("&amp;&lt"), Err(Fault::new(5, Problem::Reference)));
        assert_eq!(check_references("&a&amp;"), Err(Fault::new(0, Problem::Reference)));
        assert_eq!(check_references("&nbsp;"), Err(Fault::new(0, Problem::UnknownEntity("nbsp".into()))));
        assert_eq!(check_references("a&#8;"), Err(Fault::new(1, Problem::Character(8))));
    }

    #[test]
    fn characters_that_xml_does_not_have_are_named() {
        assert_eq!(characters("zażółć\t\r\n\u{7F}\u{FFFD}😀".as_bytes()), Ok("zażółć\t\r\n\u{7F}\u{FFFD}😀"));
        assert_eq!(characters(b"ab\x00"), Err(Fault::new(2, Problem::Character(0))));
        assert_eq!(characters(b"\x1B[0m"), Err(Fault::new(0, Problem::Character(0x1B))));
        assert_eq!(characters("a\u{FFFF}".as_bytes()), Err(Fault::new(1, Problem::Character(0xFFFF))));
        assert_eq!(characters(b"ab\xFFc"), Err(Fault::new(2, Problem::NotEncoded("UTF-8"))));
    }

    #[test]
    fn characters_outside_the_encoding_become_references() {
        let latin = Charset::named("ISO-8859-2").unwrap();
        let mut out = String::new();
        assert!(escape("ą € \"", Site::Element, &latin, &mut out));
        assert_eq!(out, "ą &#8364; \"");
        assert!(is_canonical("ą &#8364; \"", &unescaped("ą &#8364; \""), Site::Element, &latin));
    }

    proptest! {
        #[test]
        fn what_is_escaped_reads_as_it_was(text in "(?s)[&<>\"'\\r\\n\\t a-zż€😀]{0,30}", quote in "['\"]", label in "UTF-8|ISO-8859-2|US-ASCII") {
            let charset = Charset::named(&label).unwrap();
            for site in [Site::Element, Site::Attribute(quote.as_bytes()[0])] {
                let mut raw = String::new();
                prop_assert!(escape(&text, site, &charset, &mut raw));
                prop_assert!(check_references(&raw).is_ok());
                prop_assert!(!raw.contains(['<', '>', '\r']));
                prop_assert!(raw.chars().all(|character| charset.has(character)));
                if let Site::Attribute(quote) = site {
                    prop_assert!(!raw.contains(['\t', '\n', char::from(quote)]));
                }
                let read = unescaped(&raw);
                prop_assert_eq!(read.as_ref(), text.as_str());
                prop_assert!(is_canonical(&raw, &text, site, &charset));
            }
        }
    }
}
