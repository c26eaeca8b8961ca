//! The walk through known tokens is the walk of quick-xml.

use proptest::prelude::*;

use super::super::token::{Measured, Token, next};
use super::super::walk::{Surroundings, Walker};
use super::*;

/// The tokens of one element, if the text is that and nothing else.
fn measured(text: &str) -> Option<Vec<Measured>> {
    let (mut tokens, mut at, mut depth) = (Vec::new(), 0, 0);
    while at < text.len() {
        let (token, length) = next(&text.as_bytes()[at..], true).ok()??;
        at += length;
        tokens.push((token, u32::try_from(length).unwrap()));
        depth += i32::from(token == Token::Start) - i32::from(token == Token::End);
        if depth == 0 {
            return Some(tokens).filter(|_| at == text.len());
        }
    }
    None
}

/// Walks both ways, and tells whether there was anything to compare and nothing wrong.
fn walks(text: &str) -> bool {
    let Some(tokens) = measured(text) else { return false };
    let selectors = selectors_of(&[("t", "/p", "@id", &["a", "a/b", "@c"])]);
    let (mut one, mut other) = (Walker::new(&selectors), Walker::new(&selectors));
    let result = one.tokens(text, &tokens, &Surroundings::none());
    assert_eq!(result, other.element(text, &Surroundings::none()), "{text}");
    assert_eq!(result.is_ok().then_some(&one.finds), result.is_ok().then_some(&other.finds), "{text}");
    assert_eq!(result.is_ok().then_some(&one.records), result.is_ok().then_some(&other.records), "{text}");
    result.is_ok()
}

#[test]
fn both_walks_take_the_same_elements() {
    let cell = "<UCRYPT v='1'>AA==</UCRYPT>";
    for inner in [
        "",
        "text &amp; more",
        "<a>x</a><a><b/>y</a>",
        "<!-- c --><?pi d?><![CDATA[]]>]]&gt;",
        &format!("<a>{cell}</a><a> {cell} </a>"),
        &format!("<a>{cell}</a><a>{cell}</a><a>{cell} and {cell}</a><b>{cell}</b>"),
        &format!("<a>{cell}<![CDATA[x]]></a><a>{cell}</a>"),
    ] {
        assert!(walks(&format!("<p id='1' c='2'>{inner}</p>")), "{inner}");
    }
    assert!(walks("<p id='1'/>"));
}

proptest! {
    #[test]
    fn both_walks_are_the_same(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<a>", "</a>", "<b c='1'>", "</b>", "<a/>", "x", " ", "&amp;", "&#9;", "&x;", "& ", "&", "]]", ">", "]]>", "<!--", "-->", "--", "-",
            "<![CDATA[", "<?p ", "?>", "<?xml ", "<UCRYPT v='1'>", "<UCRYPT>", "AA==", "</UCRYPT>", "<a xmlns='u'>", "<n:a>", "</n:a>", "ż",
        ]), 0..14),
    ) {
        walks(&format!("<p id='1'>{}</p>", parts.concat()));
    }
}
