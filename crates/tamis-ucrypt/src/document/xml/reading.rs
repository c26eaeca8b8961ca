//! What a reader of XML makes of the content of an element: sections are text, and comments and instructions are nothing.

use memchr::memmem;
use zeroize::Zeroizing;

use super::text::{is_space, unescaped};
use super::token::{self, Token};

/// Stands for a child element among the text around it.
const CHILD: char = '\u{FFFC}';

/// The text of an element that was walked over.
pub(super) struct OwnText {
    /// Without that of child elements.
    pub(super) text: Zeroizing<String>,
    pub(super) has_children: bool,
}

impl OwnText {
    /// Reads the content of an element.
    pub(super) fn of(raw: &str) -> Self {
        // As long as what it is read from, so that nothing is left behind where it grew.
        let mut text = Zeroizing::new(String::with_capacity(raw.len()));
        let mut has_children = false;
        let mut depth = 0_usize;
        for (token, part) in tokens(raw) {
            match token {
                Token::Text if depth == 0 => text.push_str(&unescaped(&line_ends(part))),
                Token::CData if depth == 0 => text.push_str(&line_ends(section(part))),
                Token::Start | Token::Empty => {
                    if depth == 0 {
                        has_children = true;
                        text.push(CHILD);
                    }
                    depth += usize::from(token == Token::Start);
                }
                Token::End => depth = depth.saturating_sub(1),
                Token::Text | Token::CData | Token::Comment | Token::Instruction => {}
            }
        }
        Self { text, has_children }
    }
}

/// The text of an element without child elements, given its content as raw XML.
pub(crate) fn text_of(raw: &str) -> Option<Zeroizing<String>> {
    let OwnText { text, has_children } = OwnText::of(raw);
    (!has_children).then_some(text)
}

/// The value of an attribute as a reader gets it, given as raw XML: line ends and tabs are blanks.
pub(crate) fn value_of(raw: &str) -> Zeroizing<String> {
    let blanks = Zeroizing::new(line_ends(raw).replace(['\n', '\t'], " "));
    Zeroizing::new(unescaped(&blanks).into_owned())
}

/// Content without comments and instructions, its sections as text. Tags and texts are as they were.
pub(super) fn joined(raw: &str) -> String {
    let mut whole = String::with_capacity(raw.len());
    for (token, part) in tokens(raw) {
        match token {
            Token::Comment | Token::Instruction => {}
            Token::CData => {
                whole.push_str(&section(part).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
            }
            Token::Text | Token::Start | Token::Empty | Token::End => whole.push_str(part),
        }
    }
    whole
}

/// Whether content has comments, instructions or sections.
pub(super) fn is_split(raw: &str) -> bool {
    memmem::find(raw.as_bytes(), b"<!").is_some() || memmem::find(raw.as_bytes(), b"<?").is_some()
}

/// Whether a reader finds nothing in it but white space.
pub(super) fn is_blank(raw: &str) -> bool {
    tokens(raw).all(|(token, part)| match token {
        Token::Text => unescaped(part).bytes().all(is_space),
        Token::CData => section(part).bytes().all(is_space),
        Token::Comment | Token::Instruction => true,
        Token::Start | Token::Empty | Token::End => false,
    })
}

fn tokens(raw: &str) -> impl Iterator<Item = (Token, &str)> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let (token, length) = token::next(rest.as_bytes(), true).ok()??;
        let (part, behind) = rest.split_at(length);
        rest = behind;
        Some((token, part))
    })
}

fn section(token: &str) -> &str {
    token.strip_prefix("<![CDATA[").and_then(|inner| inner.strip_suffix("]]>")).unwrap_or_default()
}

/// Every line end is a line feed for a reader, unless it is written as a reference.
fn line_ends(raw: &str) -> std::borrow::Cow<'_, str> {
    if raw.contains('\r') { raw.replace("\r\n", "\n").replace('\r', "\n").into() } else { raw.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_a_reader_gets() {
        for (raw, text) in [
            ("", ""),
            ("a &lt; b", "a < b"),
            ("a<![CDATA[ < &lt; ]]>b", "a < &lt; b"),
            ("<!-- a -->b<?c d?>e", "be"),
            ("a\r\nb\rc&#13;<![CDATA[\r]]>", "a\nb\nc\r\n"),
            ("a > b", "a > b"),
        ] {
            assert_eq!(text_of(raw).unwrap().as_str(), text, "{raw}");
        }
        assert!(text_of("a<b/>").is_none());
        assert_eq!(OwnText::of("a<b>c<d/>e</b>f<g/>").text.as_str(), "a\u{FFFC}f\u{FFFC}");
        assert_eq!(value_of("a\r\n\tb&#10;&quot;").as_str(), "a  b\n\"");
    }

    #[test]
    fn what_is_joined_reads_as_before() {
        assert_eq!(joined("<a b='<!'>x<!-- <c> -->y<![CDATA[<&>]]></a>"), "<a b='<!'>xy&lt;&amp;&gt;</a>");
        assert!(is_blank(" <!-- a -->\n<?b c?><![CDATA[ ]]>&#32;") && !is_blank("<![CDATA[a]]>") && !is_blank("<a/>"));
    }
}
