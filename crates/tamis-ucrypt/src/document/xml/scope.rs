//! The namespaces that are in force at one place.

use super::error::Problem;
use super::limits::{LONGEST_SCOPE, MOST_NAMESPACES};
use super::name::{XML, XMLNS, is_same};
use crate::shown::plain;

/// Prefixes and their namespaces, innermost last. The prefix of the default namespace is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scope {
    bindings: Vec<(String, String)>,
    bytes: usize,
    /// Whether every prefix counts as declared.
    is_any: bool,
}

impl Scope {
    /// The namespaces of some unknown place: every prefix is declared there.
    pub(super) fn any() -> Self {
        Self { is_any: true, ..Self::default() }
    }

    /// How many declarations are in force: what [`Scope::restore`] takes.
    pub(super) fn mark(&self) -> usize {
        self.bindings.len()
    }

    /// Ends the declarations that were made since the mark.
    pub(super) fn restore(&mut self, mark: usize) {
        for (prefix, namespace) in self.bindings.drain(mark..) {
            self.bytes -= prefix.len() + namespace.len();
        }
    }

    /// Takes over what `xmlns:prefix="namespace"` declares.
    pub(super) fn declare(&mut self, prefix: &str, namespace: &str) -> Result<(), Problem> {
        let reserved = prefix == "xmlns" || namespace == XMLNS || (prefix == "xml") != (namespace == XML);
        if reserved || (namespace.is_empty() && !prefix.is_empty()) {
            return Err(Problem::Namespace);
        }
        self.bytes += prefix.len() + namespace.len();
        if self.bindings.len() >= MOST_NAMESPACES || self.bytes > LONGEST_SCOPE {
            return Err(Problem::LargeScope);
        }
        self.bindings.push((prefix.to_owned(), namespace.to_owned()));
        Ok(())
    }

    /// The namespace of an element's prefix; empty if it has none.
    pub(super) fn resolve<'a>(&'a self, prefix: &'a str) -> Result<&'a str, Problem> {
        if let Some((_, namespace)) = self.bindings.iter().rev().find(|(bound, _)| is_same(bound, prefix)) {
            return Ok(namespace);
        }
        match prefix {
            "" => Ok(""),
            "xml" => Ok(XML),
            // Two prefixes may well have two namespaces.
            _ if self.is_any => Ok(prefix),
            _ => Err(Problem::Prefix(plain(prefix))),
        }
    }

    /// The namespace of an attribute's prefix: without one it has none, whatever the default is.
    pub(super) fn resolve_attribute<'a>(&'a self, prefix: &'a str) -> Result<&'a str, Problem> {
        if prefix.is_empty() { Ok("") } else { self.resolve(prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_declarations_hide_outer_ones_until_they_end() {
        let mut scope = Scope::default();
        scope.declare("p", "urn:a").unwrap();
        let mark = scope.mark();
        scope.declare("p", "urn:b").unwrap();
        scope.declare("", "urn:d").unwrap();
        assert_eq!(
            (scope.resolve("p"), scope.resolve(""), scope.resolve_attribute("")),
            (Ok("urn:b"), Ok("urn:d"), Ok(""))
        );
        scope.declare("", "").unwrap();
        assert_eq!(scope.resolve(""), Ok(""));
        scope.restore(mark);
        assert_eq!((scope.resolve("p"), scope.resolve("xml")), (Ok("urn:a"), Ok(XML)));
        assert_eq!(scope.resolve("q"), Err(Problem::Prefix("q".into())));
    }

    #[test]
    fn reserved_prefixes_cannot_be_bent() {
        let mut scope = Scope::default();
        for (prefix, namespace) in [("xml", "urn:a"), ("a", XML), ("xmlns", "urn:a"), ("a", XMLNS), ("a", "")] {
            assert_eq!(scope.declare(prefix, namespace), Err(Problem::Namespace));
        }
        assert_eq!(scope.declare("xml", XML), Ok(()));
    }

    #[test]
    fn declarations_are_limited_in_number_and_length() {
        let mut scope = Scope::default();
        assert_eq!(scope.declare("a", &"u".repeat(LONGEST_SCOPE)), Err(Problem::LargeScope));
        let mut scope = Scope::default();
        let refused = (0..=MOST_NAMESPACES).find_map(|_| scope.declare("a", "urn:a").err());
        assert_eq!(refused, Some(Problem::LargeScope));
    }
}
