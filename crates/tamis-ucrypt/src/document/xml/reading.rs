//! What a reader of XML makes of the content of an element: sections are text, and comments and instructions are nothing.

use memchr::memmem;
use zeroize::Zeroizing;

use super::text::{is_space, unescaped};
use super::token::{self, Token};
use crate::xml_text::referenced;

/// Stands for a child element among the text around it.
const CHILD: char = '\u{FFFC}';

/// How many characters are escaped where sections are joined: more than any sealed value needs.
const MOST_ESCAPES: usize = 1 << 16;

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
                Token::Text if depth == 0 => push_text(part, &mut text),
                Token::CData if depth == 0 => push_lines(section(part), &mut text),
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
    let mut lines = Zeroizing::new(String::with_capacity(raw.len()));
    push_lines(raw, &mut lines);
    let blanks = Zeroizing::new(lines.replace(['\n', '\t'], " "));
    Zeroizing::new(unescaped(&blanks).into_owned())
}

/// Content without comments and instructions, its sections as text. Tags and texts are as they were.
///
/// Beyond [`MOST_ESCAPES`] a character that must be escaped becomes another one that no sealed value holds either.
pub(super) fn joined(raw: &str) -> Zeroizing<String> {
    let mut escapes = raw.bytes().filter(|byte| matches!(byte, b'&' | b'<' | b'>')).take(MOST_ESCAPES).count();
    // Long enough, so that nothing is left behind where it grew.
    let mut whole = Zeroizing::new(String::with_capacity(raw.len() + 4 * escapes));
    for (token, part) in tokens(raw) {
        match token {
            Token::Comment | Token::Instruction => {}
            Token::CData => {
                for piece in section(part).split_inclusive(['&', '<', '>']) {
                    let plain = piece.trim_end_matches(['&', '<', '>']);
                    whole.push_str(plain);
                    let reference = match &piece[plain.len()..] {
                        "" => continue,
                        _ if escapes == 0 => "!",
                        "&" => "&amp;",
                        "<" => "&lt;",
                        _ => "&gt;",
                    };
                    escapes = escapes.saturating_sub(1);
                    whole.push_str(reference);
                }
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

/// Appends a text whose references were checked, as a reader gets it.
fn push_text(raw: &str, text: &mut String) {
    let mut parts = raw.split('&');
    push_lines(parts.next().unwrap_or_default(), text);
    for part in parts {
        let (name, behind) = part.split_once(';').unwrap_or((part, ""));
        text.extend(referenced(name));
        push_lines(behind, text);
    }
}

/// Appends a text without references. Every line end is a line feed for a reader.
fn push_lines(raw: &str, text: &mut String) {
    let mut lines = raw.split('\r');
    text.push_str(lines.next().unwrap_or_default());
    for line in lines {
        text.push('\n');
        text.push_str(line.strip_prefix('\n').unwrap_or(line));
    }
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
        assert_eq!(*joined("<a b='<!'>x<!-- <c> -->y<![CDATA[<&>]]></a>"), "<a b='<!'>xy&lt;&amp;&gt;</a>");
        let many = format!("<![CDATA[{}]]>", "&".repeat(1 << 20));
        assert!(joined(&many).len() < many.len() + 4 * MOST_ESCAPES && joined(&many).ends_with("!!"));
        assert!(is_blank(" <!-- a -->\n<?b c?><![CDATA[ ]]>&#32;") && !is_blank("<![CDATA[a]]>") && !is_blank("<a/>"));
    }
}
