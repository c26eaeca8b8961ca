//! Names of elements and attributes.

use super::error::{Problem, shown};

/// The namespace that the prefix `xml` always has.
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of namespace declarations.
pub(super) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A name with its namespace: what two documents that use different prefixes have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpandedName {
    /// The namespace; empty if there is none.
    pub namespace: String,
    /// The name without its prefix.
    pub local: String,
}

// Productions 4 and 4a of XML 1.0, without the colon.
fn starts_name(character: char) -> bool {
    matches!(character, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn continues_name(character: char) -> bool {
    starts_name(character)
        || matches!(character, '0'..='9' | '-' | '.' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}

/// Whether this is a name without a colon.
pub(super) fn is_simple(name: &str) -> bool {
    let Some(first) = name.chars().next() else { return false };
    starts_name(first)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80)
        && (name.is_ascii() || name.chars().all(continues_name))
}

/// Splits a name into prefix (empty if there is none) and local part, and checks both.
pub(super) fn split(name: &str) -> Result<(&str, &str), Problem> {
    match parts(name) {
        ("", local) if is_simple(local) && local.len() == name.len() => Ok(("", local)),
        (prefix, local) if is_simple(prefix) && is_simple(local) => Ok((prefix, local)),
        _ => Err(Problem::Name(shown(name))),
    }
}

/// Splits a name at its first colon.
pub(super) fn parts(name: &str) -> (&str, &str) {
    // Names are too short for anything cleverer to pay.
    match name.bytes().position(|byte| byte == b':') {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => ("", name),
    }
}

/// Whether two names or namespaces are the same. Most are empty, and the C library takes some eighty nanoseconds to compare two
/// empty strings that point nowhere: its masked load from there is suppressed in microcode.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

/// The first eight bytes of a name as a number: enough to tell most names apart without comparing them.
pub(super) fn print(name: &str) -> u64 {
    let bytes = name.as_bytes();
    match bytes.first_chunk::<8>() {
        Some(first) => u64::from_le_bytes(*first),
        None => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_recommendation() {
        for name in ["a", "_", "łóżko", "a-b.c_1", "a·", "日本"] {
            assert_eq!(split(name), Ok(("", name)));
        }
        assert_eq!(split("hl7:patient"), Ok(("hl7", "patient")));
        for name in ["", "1a", "-a", "a b", "a=b", ":a", "a:", "a:b:c", "a/b", "·a", "a×b", "\u{2190}"] {
            assert!(split(name).is_err(), "{name}");
        }
    }
}
