//! Documents that are not well formed, or made to hurt. Long ones are made while they are read.

use std::io::{self, Read};

use super::super::limits::{LONGEST_RECORD, LONGEST_TOKEN};
use super::*;

/// A beginning, then a part many times, then an end. Counts what was read of it.
struct Long<'a> {
    head: &'a [u8],
    part: &'a [u8],
    times: usize,
    tail: &'a [u8],
    at: usize,
}

impl<'a> Long<'a> {
    fn new(head: &'a str, part: &'a str, times: usize, tail: &'a str) -> Self {
        Self { head: head.as_bytes(), part: part.as_bytes(), times, tail: tail.as_bytes(), at: 0 }
    }
}

impl Read for Long<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let middle = self.part.len() * self.times;
        let mut read = 0;
        while read < into.len() {
            let rest = if self.at < self.head.len() {
                &self.head[self.at..]
            } else if self.at < self.head.len() + middle {
                &self.part[(self.at - self.head.len()) % self.part.len()..]
            } else {
                self.tail.get(self.at - self.head.len() - middle..).unwrap_or_default()
            };
            if rest.is_empty() {
                break;
            }
            let length = rest.len().min(into.len() - read);
            into[read..read + length].copy_from_slice(&rest[..length]);
            read += length;
            self.at += length;
        }
        Ok(read)
    }
}

/// The problem of a long document, of which no more may be read than the limits need.
fn long(head: &str, part: &str, times: usize, tail: &str) -> Problem {
    let mut input = Long::new(head, part, times, tail);
    let (.., problem) = refused(&mut input, &selectors(&["a"]));
    assert!(input.at < 3 * LONGEST_TOKEN, "{} bytes were read", input.at);
    problem
}

const MANY: usize = 300 << 20;

#[test]
fn entity_bombs_and_external_entities_are_refused_with_their_document_type() {
    for document in [
        "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>",
        "<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><r/>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY x SYSTEM \"http://example.org/\">]><r>&x;</r>",
        "<r><!DOCTYPE r></r>",
        "<r><p id='1'><!DOCTYPE r></p></r>",
        "<!doctype html><r/>",
    ] {
        assert_eq!(problem(document), Problem::DocumentType, "{document}");
    }
}

#[test]
fn unknown_entities_are_refused_inside_and_outside_records() {
    for document in ["<r>&nbsp;</r>", "<r><p id='1'>&nbsp;</p></r>", "<r a='&nbsp;'/>", "<r><p id='1' a='&nbsp;'/></r>"]
    {
        assert_eq!(problem(document), Problem::UnknownEntity("nbsp".into()), "{document}");
    }
    for document in
        ["<r>a & b</r>", "<r><p id='1'>a & b</p></r>", "<r><p id='1'>&</p></r>", "<r>&#xZ;</r>", "<r>&amp</r>"]
    {
        assert_eq!(problem(document), Problem::Reference, "{document}");
    }
}

#[test]
fn five_million_levels_are_refused() {
    let times = 5_000_000;
    assert_eq!(long("", "<a>", times, ""), Problem::Deep);
    assert_eq!(long("<r><p id='1'>", "<a>", times, ""), Problem::Deep);
    assert_eq!(long("<r><p id='1'>", "<a><a></a>", times, ""), Problem::Deep);
    let deep = |levels: usize| format!("<r><p id='1'>{}{}</p></r>", "<b>".repeat(levels), "</b>".repeat(levels));
    assert_eq!(seen(&deep(998), &selectors(&["a"])), []);
    assert_eq!(problem(&deep(999)), Problem::Deep);
}

#[test]
fn eighty_thousand_attributes_are_refused() {
    let many = (0..80_000).map(|number| format!(" a{number}=''")).collect::<Vec<_>>().concat();
    for document in
        [format!("<r{many}/>"), format!("<r><p id='1'{many}/></r>"), format!("<r><p id='1'><b{many}></b></p></r>")]
    {
        assert_eq!(problem(&document), Problem::ManyAttributes);
    }
}

#[test]
fn a_token_of_three_hundred_megabytes_is_refused() {
    for (head, part) in [
        ("<r>", "x"),
        ("<r><p id='1'><a>", "x"),
        ("<r a='", "x"),
        ("<r><p id='1' a='", "x"),
        ("<r><!--", "x"),
        ("<!--", "x"),
        ("<r><?a ", "x"),
        ("<?a ", "x"),
        ("<r><![CDATA[", "]"),
        ("<r><p id='1'><![CDATA[", "x"),
        ("<", "x"),
        ("<r></", "x"),
        ("<r>", " "),
        ("", " "),
        ("<r a='", "\u{17C}"),
    ] {
        assert_eq!(long(head, part, MANY / part.len(), "<"), Problem::LongToken, "{head}");
    }
}

#[test]
fn what_is_long_but_within_the_limits_passes() {
    let text = "x".repeat(LONGEST_TOKEN - 20);
    let document = format!("<r><b>{text}</b><!--{text}--><p id='1' a='{text}'/></r>");
    assert_eq!(seen(&document, &selectors(&["a"])), []);
}

#[test]
fn a_long_record_and_a_long_prolog_are_refused() {
    assert_eq!(long("<r><p id='1'>", "<b>xyz</b>", MANY / 10, "</p></r>"), Problem::LongRecord);
    assert_eq!(long("<r><p id='1'>", "<b/>", LONGEST_RECORD / 4, "</p></r>"), Problem::LongRecord);
    assert_eq!(long("", "<!-- c -->", MANY / 10, "<r/>"), Problem::LongProlog);
    assert_eq!(long("<r><p id='1'>", "<a/>", 100_000, "</p></r>"), Problem::ManyFields);
}

#[test]
fn names_and_namespaces_in_force_are_limited() {
    let long = format!("<{}>", "n".repeat(3 << 18));
    assert_eq!(problem(&format!("<r>{long}{long}")), Problem::LargeScope);
    let declared = (0..300).map(|number| format!(" xmlns:n{number}='u'")).collect::<Vec<_>>().concat();
    assert_eq!(problem(&format!("<r{declared}/>")), Problem::LargeScope);
}

#[test]
fn there_is_one_root_and_nothing_beside_it() {
    assert_eq!(problem("<r/><r/>"), Problem::SecondRoot("r".into()));
    assert_eq!(problem("<r></r>\n<q a='1'>"), Problem::SecondRoot("q a='1'".into()));
    for document in
        ["<r/>junk", "<r/>&amp;", "<r/><![CDATA[x]]>", "junk<r/>", "<![CDATA[x]]><r/>", "\u{FEFF}\u{FEFF}<r/>"]
    {
        assert_eq!(problem(document), Problem::OutsideRoot, "{document}");
    }
    for document in ["", " \n", "<!-- c -->", "<?xml version='1.0'?>"] {
        assert_eq!(problem(document), Problem::NoRoot, "{document}");
    }
    assert_eq!(problem("<r/></r>"), Problem::UnmatchedEnd("r".into()));
    assert_eq!(problem("</r>"), Problem::UnmatchedEnd("r".into()));
}

#[test]
fn everything_that_is_opened_is_closed() {
    assert_eq!(problem("<r>"), Problem::Unclosed("r".into()));
    assert_eq!(problem("<r><b>text"), Problem::Unclosed("b".into()));
    assert_eq!(problem("<r><p id='1'><a>"), Problem::Unclosed("a".into()));
    assert_eq!(problem("<r><p id='1'>x</p>"), Problem::Unclosed("r".into()));
    for document in
        ["<", "<r", "<r a='", "<r><!-- ", "<r><![CDATA[ ]]", "<r><?a ", "<r></r", "<r><p id='1'><", "<r><p id='1'></p"]
    {
        assert_eq!(problem(document), Problem::CutOff, "{document}");
    }
}

#[test]
fn end_tags_match_and_the_first_mistake_is_named() {
    let mismatch =
        |expected: &str, found: &str| Problem::MismatchedEnd { expected: expected.into(), found: found.into() };
    assert_eq!(problem("<r></q>"), mismatch("r", "q"));
    assert_eq!(problem("<r><b></r></b>"), mismatch("b", "r"));
    let found = refused(&b"<r>\n<p id='1'>\n<a></b></p></r>"[..], &selectors(&["a"]));
    assert_eq!(found, (3, 4, mismatch("a", "b")));
    let found = refused(&b"<r>\n<p id='1'>\n<a></p></r>"[..], &selectors(&["a"]));
    assert_eq!(found, (3, 4, mismatch("a", "p")));
    assert_eq!(problem("<r xmlns:x='u' xmlns:y='u'><x:a></y:a></r>"), mismatch("x:a", "y:a"));
    assert_eq!(problem("<r></r a='1'>"), Problem::EndTag);
}

#[test]
fn control_characters_are_refused_wherever_they_are() {
    for (document, number) in [
        ("<r>\u{0}</r>", 0),
        ("<r><p id='1'><b>\u{1B}</b></p></r>", 0x1B),
        ("<r a='\u{8}'/>", 8),
        ("<r><!-- \u{B} --></r>", 0xB),
        ("<!-- \u{1} --><r/>", 1),
        ("<r><p id='\u{FFFE}'/></r>", 0xFFFE),
        ("<r>&#0;</r>", 0),
        ("<r><p id='1'>&#x1F;</p></r>", 0x1F),
    ] {
        assert_eq!(problem(document), Problem::Character(number), "{document:?}");
    }
}

#[test]
fn other_mistakes_have_their_names() {
    for (document, expected) in [
        ("<r a='1' a='2'/>", Problem::RepeatedAttribute("a".into())),
        ("<r><p id='1' id='2'/></r>", Problem::RepeatedAttribute("id".into())),
        ("<r a/>", Problem::Attribute),
        ("<r a=1/>", Problem::Attribute),
        ("<r a='1'b='2'/>", Problem::Attribute),
        ("<r><p id='1'><b a='<'/></p></r>", Problem::LessThan),
        ("<1/>", Problem::Name("1".into())),
        ("<r><p id='1'><a:b:c/></p></r>", Problem::Name("a:b:c".into())),
        ("<x:r/>", Problem::Prefix("x".into())),
        ("<r><p id='1'><x:a/></p></r>", Problem::Prefix("x".into())),
        ("<r xmlns:x=''/>", Problem::Namespace),
        ("<r>]]></r>", Problem::CDataEnd),
        ("<r><p id='1'>]]></p></r>", Problem::CDataEnd),
        ("<r><!-- a -- b --></r>", Problem::Comment),
        ("<r><p id='1'><!-- a ---></p></r>", Problem::Comment),
        ("<r><p id='1'><?xml version='1.0'?></p></r>", Problem::Declaration),
        (" <?xml version='1.0'?><r/>", Problem::Declaration),
        ("<r><?XML x?></r>", Problem::Instruction),
        ("<r><p id='1'><??></p></r>", Problem::Instruction),
        ("<r><!ELEMENT></r>", Problem::Markup),
        ("<r><p id='1'><!x></p></r>", Problem::Markup),
        ("<?xml version='1.1'?><r/>", Problem::Version("1.1".into())),
    ] {
        assert_eq!(problem(document), expected, "{document}");
    }
}

#[test]
fn the_first_mistake_counts_whoever_finds_it() {
    // The second record and the root are wrong; the threads that walk through records and the one that cuts find them.
    let filler = "<p id='0'><a>x</a></p>\n".repeat(50_000);
    let document = format!("<r>\n{filler}<p id='1'><a></b></p>{filler}</q>");
    for _ in 0..5 {
        let (line, column, problem) = refused(document.as_bytes(), &selectors(&["a"]));
        assert_eq!((line, column), (50_002, 14));
        assert!(matches!(problem, Problem::MismatchedEnd { .. }));
    }
}

#[test]
fn input_and_output_that_fail_are_errors() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    impl io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert!(matches!(Document::open(Broken), Err(XmlError::Read(_))));
    let selectors = selectors(&[]);
    let rewrite = Rewrite { selectors: &selectors, treatment: &Hide, keys: Keys::AsTheyAre, threads: 2 };
    let document = Document::open(&b"<r></r>"[..]).unwrap();
    assert!(matches!(document.rewrite(&rewrite, Broken), Err(RewriteError::Xml(XmlError::Write(_)))));
}
