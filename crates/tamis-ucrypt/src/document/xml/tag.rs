//! Start tags: their name and attributes.

use std::ops::Range;

use memchr::memchr;
use quick_xml::events::BytesStart;

use super::error::{Fault, Problem};
use super::limits::MOST_ATTRIBUTES;
use super::name;
use super::scope::Scope;
use super::text::{check_references, is_space, unescaped};
use crate::shown::plain;

/// Up to this many attributes are compared each with each other; more are sorted first.
const FEW: usize = 8;

/// An attribute, by places in the text of its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    /// Without the quotes.
    pub(super) value: Range<usize>,
    pub(super) quote: u8,
}

/// Bytes of the name at the beginning of a tag.
pub(super) fn name_length(tag: &str) -> usize {
    tag.bytes().position(is_space).unwrap_or(tag.len())
}

/// Reads and checks the attributes of a tag, which is given without its angle brackets and slash.
pub(super) fn attributes(tag: &str, into: &mut Vec<Attribute>) -> Result<(), Fault> {
    into.clear();
    let length = name_length(tag);
    if length == tag.len() {
        return Ok(());
    }
    let place = |part: &str| part.as_ptr() as usize - tag.as_ptr() as usize;
    let start = BytesStart::from_content(tag, length);
    let mut behind = length;
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|_| Fault::new(behind, Problem::Attribute))?;
        let name = attribute.key.0;
        let value = match &attribute.value {
            std::borrow::Cow::Borrowed(value) => *value,
            std::borrow::Cow::Owned(_) => return Err(Fault::new(behind, Problem::Attribute)),
        };
        let (name_at, value_at) = (place(name), place(value));
        if !is_space(tag.as_bytes()[name_at - 1]) {
            return Err(Fault::new(name_at, Problem::Attribute));
        }
        if let Some(at) = memchr(b'<', value.as_bytes()) {
            return Err(Fault::new(value_at + at, Problem::LessThan));
        }
        check_references(value).map_err(|fault| fault.shifted(value_at))?;
        if into.len() == MOST_ATTRIBUTES {
            return Err(Fault::new(name_at, Problem::ManyAttributes));
        }
        let value = value_at..value_at + value.len();
        behind = value.end + 1;
        into.push(Attribute { name: name_at..name_at + name.len(), quote: tag.as_bytes()[value.start - 1], value });
    }
    check_unique(into, |attribute| &tag[attribute.name.clone()]).map_err(|repeated| {
        Fault::new(repeated.name.start, Problem::RepeatedAttribute(plain(&tag[repeated.name.clone()])))
    })
}

/// Takes the namespace declarations of a tag into force, then checks that all its prefixes are declared and that no attribute
/// stands there twice under two prefixes of one namespace.
pub(super) fn declare(tag: &str, attributes: &[Attribute], scope: &mut Scope) -> Result<(), Fault> {
    let mut prefixed = 0;
    for attribute in attributes {
        let at = attribute.name.start;
        let (prefix, local) = name::split(&tag[attribute.name.clone()]).map_err(|problem| Fault::new(at, problem))?;
        let declared = match (prefix, local) {
            ("xmlns", prefix) => prefix,
            ("", "xmlns") => "",
            _ => {
                prefixed += usize::from(!prefix.is_empty());
                continue;
            }
        };
        let namespace = unescaped(&tag[attribute.value.clone()]);
        scope.declare(declared, &namespace).map_err(|problem| Fault::new(at, problem))?;
    }
    if prefixed == 0 {
        return Ok(());
    }
    let mut expanded = Vec::with_capacity(prefixed);
    for attribute in attributes {
        let at = attribute.name.start;
        let (prefix, local) = name::parts(&tag[attribute.name.clone()]);
        if !prefix.is_empty() && prefix != "xmlns" {
            expanded.push((scope.resolve(prefix).map_err(|problem| Fault::new(at, problem))?, local, at));
        }
    }
    check_unique(&expanded, |(namespace, local, _)| (*namespace, *local))
        .map_err(|(_, local, at)| Fault::new(*at, Problem::RepeatedAttribute(plain(local))))
}

/// Returns the second of two items with the same key.
fn check_unique<T, K: Ord>(items: &[T], key: impl Fn(&T) -> K) -> Result<(), &T> {
    if items.len() <= FEW {
        let again = (1..items.len()).find(|at| items[..*at].iter().any(|item| key(item) == key(&items[*at])));
        return again.map_or(Ok(()), |at| Err(&items[at]));
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|at| key(&items[*at]));
    let again = order.windows(2).find(|pair| key(&items[pair[0]]) == key(&items[pair[1]]));
    again.map_or(Ok(()), |pair| Err(&items[pair[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tag: &str) -> Result<Vec<(&str, &str, u8)>, Problem> {
        let mut found = Vec::new();
        attributes(tag, &mut found).map_err(|fault| fault.problem)?;
        Ok(found.iter().map(|one| (&tag[one.name.clone()], &tag[one.value.clone()], one.quote)).collect())
    }

    fn many(numbers: Range<usize>) -> String {
        numbers.map(|number| format!(" b{number}=''")).collect::<Vec<_>>().concat()
    }

    #[test]
    fn attributes_are_found_with_their_quotes() {
        assert_eq!(read("a"), Ok(vec![]));
        assert_eq!(read("a  "), Ok(vec![]));
        assert_eq!(
            read("a b = \"1\"\n c='2>\"&lt;' d=\"\" "),
            Ok(vec![("b", "1", b'"'), ("c", "2>\"&lt;", b'\''), ("d", "", b'"')])
        );
    }

    #[test]
    fn attributes_that_are_none_are_refused() {
        for tag in ["a b", "a b=", "a b=c", "a b='c", "a b='c'd='e'", "a ='c'", "a b='c' /", "a b=c'd'"] {
            let mut found = Vec::new();
            let read = attributes(tag, &mut found).and_then(|()| declare(tag, &found, &mut Scope::default()));
            assert!(read.is_err(), "{tag}");
        }
        assert_eq!(read("a b='<'"), Err(Problem::LessThan));
        assert_eq!(read("a b='&nbsp;'"), Err(Problem::UnknownEntity("nbsp".into())));
        assert_eq!(read("a b='&'"), Err(Problem::Reference));
    }

    #[test]
    fn no_attribute_stands_twice_however_many_there_are() {
        for count in [2, 8, 9, 1000] {
            let tag = format!("a{}", many(1..count));
            assert!(read(&format!("{tag} c=''")).is_ok());
            assert_eq!(read(&format!("{tag} b1=''")), Err(Problem::RepeatedAttribute("b1".into())));
        }
        assert_eq!(read(&format!("a{}", many(0..MOST_ATTRIBUTES + 1))), Err(Problem::ManyAttributes));
    }

    #[test]
    fn no_attribute_stands_twice_under_two_prefixes() {
        let declared = |tag: &str| {
            let mut found = Vec::new();
            attributes(tag, &mut found)?;
            declare(tag, &found, &mut Scope::default())
        };
        assert!(declared("a xmlns:p='u' xmlns:q='v' p:b='' q:b='' b=''").is_ok());
        let twice = declared("a xmlns:p='u' xmlns:q='u' p:b='' q:b=''").unwrap_err();
        assert_eq!(twice.problem, Problem::RepeatedAttribute("b".into()));
        assert_eq!(declared("a p:b=''").unwrap_err().problem, Problem::Prefix("p".into()));
    }
}
