//! Comments and instructions that hold a record or a field: what somebody took out of the document in this way is still readable in it.

use memchr::memmem;

use super::error::{Position, Positions};
use super::name;
use super::plan::Selectors;
use super::token::{self, Token};
use crate::document::{Readable, ReadablePlace};

/// The comments and instructions of a part of a document that hold a tag of an element which is a record or a field, or an attribute which is one. One inside a field
/// that is sealed does not stay: `out` is what the part becomes, if that is not the same.
pub(super) fn commented<'a>(
    part: &'a str,
    position: Position,
    selectors: &'a Selectors,
    out: Option<&'a str>,
) -> impl Iterator<Item = ReadablePlace> + 'a {
    let positions = Positions::new(part.as_bytes(), position);
    let named = move |text: &'a str| {
        notes(text).filter_map(move |note| named_in(note.text, selectors).map(|name| (note, name)))
    };
    // Those that stay are in the same order as they were.
    let mut left = out.map(|out| named(out).map(|(note, _)| note.text).peekable());
    let mut is_left = move |note: &str| left.as_mut().is_none_or(|left| left.next_if(|left| *left == note).is_some());
    named(part).filter(move |(note, _)| is_left(note.text)).map(move |(note, name)| {
        let position = positions.of(note.at);
        let place = format!("{position}: {} that holds an element {name:?}", note.kind);
        ReadablePlace { order: (position.line, position.column), kind: Readable::Comments, place }
    })
}

/// A comment or an instruction.
pub(super) struct Note<'t> {
    at: usize,
    text: &'t str,
    pub(super) kind: &'static str,
}

/// The comments and instructions of a text that was found to be well formed: wherever their first signs are in no other one and in no section,
/// they begin one.
pub(super) fn notes(text: &str) -> impl Iterator<Item = Note<'_>> {
    let mut signs = ["<!", "<?"].map(|sign| memmem::find_iter(text.as_bytes(), sign).peekable());
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            for sign in &mut signs {
                while sign.next_if(|at| *at < from).is_some() {}
            }
            let at = signs.iter_mut().filter_map(|sign| sign.peek().copied()).min()?;
            let (token, length) = token::next(&text.as_bytes()[at..], true).ok()??;
            from = at + length;
            let kind = match token {
                Token::Comment => "a comment",
                Token::Instruction => "a processing instruction",
                _ => continue,
            };
            return Some(Note { at, text: &text[at..from], kind });
        }
    })
}

/// What a bracket that begins a tag may be written as where nobody reads tags.
const BRACKETS: [&str; 5] = ["<", "&lt;", "&#60;", "&#x3c;", "&#x3C;"];

/// The first name in a comment or an instruction by which it may hold a record or a field, whatever its prefix: that of a tag, at the start also
/// without its bracket, or that of an attribute.
fn named_in<'a>(note: &'a str, selectors: &Selectors) -> Option<&'a str> {
    let is_comment = note.starts_with("<!");
    let inner = if is_comment { &note[4..note.len() - 3] } else { &note[2..note.len() - 2] };
    let tags = BRACKETS.iter().flat_map(|bracket| inner.match_indices(bracket)).filter_map(|(at, bracket)| {
        let (before, behind) = (&inner[..at], &inner[at + bracket.len()..]);
        tag_name(before, behind)
    });
    // `<!--p id="5"/-->`, `<?p id="5"?>`
    let (first, behind) = name_at(inner);
    let is_tag = if is_comment { behind.contains(['>', '=']) } else { !behind.trim().is_empty() };
    let first = is_tag.then_some(first);
    let element = tags.chain(first).map(|name| name::parts(name).1).find(|local| selectors.names_element(local));
    element.or_else(|| attributes(inner).filter(|_| is_comment).find(|local| selectors.names_field(local)))
}

/// The name at the start of a text, and what stands behind it.
fn name_at(text: &str) -> (&str, &str) {
    let ends = |character: char| character.is_whitespace() || matches!(character, '<' | '>' | '/' | '&' | '=');
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// The name of a tag, given what stands before and behind its bracket: an end tag counts where a text ends, and blanks before the name only
/// where a tag ends behind it, as in no sum or comparison.
fn tag_name<'a>(before: &str, behind: &'a str) -> Option<&'a str> {
    let inner = behind.trim_start();
    let (name, rest) = name_at(inner.strip_prefix('/').unwrap_or(inner).trim_start());
    let is_end = inner.starts_with('/');
    let holds_text = before.trim_end().chars().next_back().is_some_and(|last| last != '>');
    let is_blank = inner.len() < behind.len();
    let is_closed = [">", "/", "&gt;"].iter().any(|end| rest.trim_start().starts_with(end));
    ((!is_end || holds_text) && (!is_blank || is_closed)).then_some(name)
}

/// The names of what looks like attributes: a name, an equals sign, a quotation mark.
fn attributes(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('=').filter_map(|(at, _)| {
        let is_quoted = text[at + 1..].trim_start().starts_with(['"', '\'']);
        let ends = |sign: char| sign.is_whitespace() || matches!(sign, '"' | '\'' | '=');
        let name = text[..at].trim_end().rsplit(ends).next().unwrap_or_default();
        is_quoted.then(|| name::parts(name).1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::selector::{Field, Namespaces, Path, Selector};
    use super::*;

    #[test]
    fn a_comment_or_instruction_with_a_record_or_a_field_is_found_and_others_are_not() {
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
            commented(text, Position::START, &selectors, None).map(|place| place.place).collect::<Vec<_>>()
        };
        for (text, name) in [
            ("<!-- <p id='5'/> -->", "p"),
            ("\n<!--<x:b>y</x:b>-->", "b"),
            ("<!-- z <c d='1' -->", "c"),
            ("<![CDATA[]]><!--<p>-->", "p"),
            // What begins inside another one begins nothing.
            ("<!-- <![CDATA[ --><!--<p>-->", "p"),
            ("<?a <![CDATA[ ?><!--<p>-->", "p"),
            ("<?a <!-- ?><!--<p>-->", "p"),
            ("<![CDATA[<!-- <?a ]]><!--<p>--><?z <z>?>", "p"),
            ("<!--b>y</b-->", "b"),
            ("<!--p id='5'/-->", "p"),
            ("<!-- y</b> -->", "b"),
            ("<!-- < b > -->", "b"),
            ("<!-- &lt;x:b&gt;y -->", "b"),
            ("<!-- &#60;p id='5'/> -->", "p"),
            ("<!-- e = 'y' -->", "e"),
        ] {
            let expected = format!("a comment that holds an element {name:?}");
            assert!(
                matches!(found(text).as_slice(), [place] if place.ends_with(&expected)),
                "{text}: {:?}",
                found(text)
            );
        }
        for text in ["<?p id='5'?>", "<?old <p id='5'/>?>", "<!-- <?a --><?b c <p>?>", "<![CDATA[<?]]><?p <n:p>?>"] {
            let place = "a processing instruction that holds an element \"p\"";
            assert!(matches!(found(text).as_slice(), [found] if found.ends_with(place)), "{text}");
        }
        for text in [
            "<!-- p < b -->",
            "<!--p-->",
            "<!--b is given below-->",
            "<?z e='1'?>",
            "<!-- <pp> <a> </p> -->",
            "<p/><!-- x -->",
            "<![CDATA[<!-- <p> --><?a <p>?>]]>",
            "<!-- <p>",
            "<?p?>",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        let places = found("<r><!-- <p> -->\n<?a?> <!-- x --><?b <c>?></r>\n\n<!-- <b/> -->");
        assert_eq!(
            places,
            [
                "line 1, column 4: a comment that holds an element \"p\"",
                "line 2, column 17: a processing instruction that holds an element \"c\"",
                "line 4, column 1: a comment that holds an element \"b\"",
            ]
        );
        let (part, out) = ("<a><!-- <p>1 --></a><!-- <p>2 -->", "<a>x</a><!-- <p>2 -->");
        assert_eq!(commented(part, Position::START, &selectors, Some(out)).count(), 1);
    }
}
