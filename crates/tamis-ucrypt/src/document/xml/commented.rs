//! Comments that hold a record or a field: what somebody took out of the document in this way is still readable in it.

use memchr::memmem;

use super::error::Position;
use super::name;
use super::plan::Selectors;
use crate::document::{Readable, ReadablePlace};

/// The comments of a part of a document that hold the start tag of an element which is a record or a field. `is_left` tells whether a comment
/// stays in the document: one inside a field that is sealed does not.
pub(super) fn commented<'a>(
    part: &'a str,
    position: Position,
    selectors: &'a Selectors,
    is_left: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = ReadablePlace> + 'a {
    comments(part).filter_map(move |(at, comment)| {
        let name = named_in(comment, selectors).filter(|_| is_left(comment))?;
        let position = position.after(&part.as_bytes()[..at]);
        let place = format!("{position}: a comment that holds an element {name:?}");
        Some(ReadablePlace { order: (position.line, position.column), kind: Readable::Comments, place })
    })
}

/// The comments of a text, with their places.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text.as_bytes()[from..];
            let start = from + memmem::find(rest, b"<!--")?;
            // Inside a section it is a text.
            let section = memmem::rfind(&text.as_bytes()[..start], b"<![CDATA[");
            if let Some(section) = section
                && memmem::find(&text.as_bytes()[section..start], b"]]>").is_none()
            {
                from = start + 4;
                continue;
            }
            let length = memmem::find(&text.as_bytes()[start + 4..], b"-->")? + 7;
            from = start + length;
            return Some((start, &text[start..from]));
        }
    })
}

/// The first element in a comment that is called like a record or a field, whatever its prefix.
fn named_in<'a>(comment: &'a str, selectors: &Selectors) -> Option<&'a str> {
    let ends = |character: char| character.is_whitespace() || matches!(character, '>' | '/');
    let tags = comment[1..].split('<').skip(1);
    tags.map(|rest| name::parts(rest.split(ends).next().unwrap_or_default()).1)
        .find(|local| selectors.names_element(local))
}

#[cfg(test)]
mod tests {
    use super::super::selector::{Field, Namespaces, Path, Selector};
    use super::*;

    #[test]
    fn a_comment_with_a_record_or_a_field_is_found_and_others_are_not() {
        let none = Namespaces::new();
        let field = |path: &str| Field { name: path.into(), path: Path::relative(path, &none).unwrap() };
        let selector = Selector {
            table: "t".into(),
            record: Path::absolute("/r/p", &none).unwrap(),
            key: None,
            fields: vec![field("a/b"), field("c/@d"), field("@e")],
        };
        let selectors = Selectors::new("UCRYPT", [selector]).unwrap();
        let found = |text: &str| {
            commented(text, Position::START, &selectors, |_| true).map(|place| place.place).collect::<Vec<_>>()
        };
        for (text, name) in [
            ("<!-- <p id='5'/> -->", "p"),
            ("\n<!--<x:b>y</x:b>-->", "b"),
            ("<!-- z <c d='1' -->", "c"),
            ("<![CDATA[]]><!--<p>-->", "p"),
        ] {
            let expected = format!("a comment that holds an element {name:?}");
            assert!(
                matches!(found(text).as_slice(), [place] if place.ends_with(&expected)),
                "{text}: {:?}",
                found(text)
            );
        }
        for text in
            ["<!-- p < b -->", "<!-- <pp> <a> </p> -->", "<p/><!-- x -->", "<![CDATA[<!-- <p> -->]]>", "<!-- <p>"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
