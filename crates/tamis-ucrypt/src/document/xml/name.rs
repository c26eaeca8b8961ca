//! Names of elements and attributes.

use super::error::Problem;
use crate::document::rows::folded;
use crate::shown::plain;
use crate::xml_text::is_simple_name;

/// The namespace that the prefix `xml` always has.
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace of namespace declarations.
pub(super) const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The namespace of attributes that tell programs how to read an element: `xsi:nil`.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A name with its namespace: what two documents that use different prefixes have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpandedName {
    /// The namespace; empty if there is none.
    pub namespace: String,
    /// The name without its prefix.
    pub local: String,
}

/// Splits a name into prefix (empty if there is none) and local part, and checks both.
pub(super) fn split(name: &str) -> Result<(&str, &str), Problem> {
    match parts(name) {
        ("", local) if is_simple_name(local) && local.len() == name.len() => Ok(("", local)),
        (prefix, local) if is_simple_name(prefix) && is_simple_name(local) => Ok((prefix, local)),
        _ => Err(Problem::Name(plain(name))),
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

/// Whether a person takes two names for the same: they differ in the case of their letters, or in how accents are written.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    // Lengths differ mostly, which is seen first.
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    // Folding takes longer than reading the element; most names already begin otherwise.
    let begins_alike = match (one.bytes().next(), other.bytes().next()) {
        (Some(one), Some(other)) => !one.is_ascii() || !other.is_ascii() || one.eq_ignore_ascii_case(&other),
        _ => false,
    };
    begins_alike && !(one.is_ascii() && other.is_ascii()) && folded(one) == folded(other)
}

/// Whether a namespace may have been meant where another one is: the same, or none on one side, which is a slip that documents have.
pub(super) fn may_be_meant(one: &str, other: &str) -> bool {
    one.is_empty() || other.is_empty() || one == other || one == XML || other == XML
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
    fn names_look_alike_whatever_one_of_them_hides() {
        for (one, other) in [("dis", "DIS"), ("dis", "di\u{200d}s"), ("ｄis", "dis"), ("łóżko", "ŁÓŻKO")] {
            assert!(is_alike(one, other) && is_alike(other, one), "{one} {other}");
        }
        assert!(!is_alike("dis", "dig") && !is_alike("dis", "łóżko"));
    }

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
