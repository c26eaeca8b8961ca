//! Where tokens end: all that must be known before a piece of the document is handed on.

use memchr::{memchr, memmem};
use quick_xml::parser::{ElementParser, Parser as _};

use super::error::Problem;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Text,
    Start,
    /// A start tag that is an end tag as well.
    Empty,
    End,
    Comment,
    CData,
    Instruction,
}

/// A token and its length.
pub(super) type Measured = (Token, u32);

/// The token at the beginning of these bytes and its length; nothing if more bytes are needed to tell. At the `last` bytes of a
/// document no more can come.
pub(super) fn next(bytes: &[u8], last: bool) -> Result<Option<(Token, usize)>, Problem> {
    let found = match bytes {
        [] => return Ok(None),
        [b'<', b'/', ..] => memchr(b'>', bytes).map(|at| (Token::End, at + 1)),
        [b'<', b'?', after @ ..] => memmem::find(after, b"?>").map(|at| (Token::Instruction, at + 4)),
        [b'<', b'!', after @ ..] => match after {
            [b'-', b'-', inner @ ..] => memmem::find(inner, b"-->").map(|at| (Token::Comment, at + 7)),
            [b'[', b'C', b'D', b'A', b'T', b'A', b'[', inner @ ..] => {
                memmem::find(inner, b"]]>").map(|at| (Token::CData, at + 12))
            }
            _ if b"--".starts_with(after) || b"[CDATA[".starts_with(after) => None,
            [b'D' | b'd', ..] => return Err(Problem::DocumentType),
            _ => return Err(Problem::Markup),
        },
        [b'<'] => None,
        [b'<', after @ ..] => ElementParser::default().feed(after).map(|at| {
            let empty = at > 0 && after[at - 1] == b'/';
            (if empty { Token::Empty } else { Token::Start }, at + 2)
        }),
        _ => match memchr(b'<', bytes) {
            Some(at) => Some((Token::Text, at)),
            None if last => Some((Token::Text, bytes.len())),
            None => None,
        },
    };
    if found.is_none() && last { Err(Problem::CutOff) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_token_is_told_and_measured() {
        for (token, kind) in [
            ("text > ]]", Token::Text),
            ("<a b='>' c=\"/>\">", Token::Start),
            ("<a b='>'/>", Token::Empty),
            ("</a \n>", Token::End),
            ("<!-- <a> -> -->", Token::Comment),
            ("<![CDATA[ <a> ]] > ]]>", Token::CData),
            ("<?a <b> ?? ?>", Token::Instruction),
        ] {
            let text = format!("{token}<next>");
            assert_eq!(next(text.as_bytes(), false), Ok(Some((kind, token.len()))), "{token}");
            for end in 1..token.len() {
                assert_eq!(next(&token.as_bytes()[..end], false), Ok(None), "{}", &token[..end]);
            }
        }
    }

    #[test]
    fn what_is_cut_off_or_forbidden_is_an_error() {
        assert_eq!(next(b"text", true), Ok(Some((Token::Text, 4))));
        for token in ["<", "<a", "<a b='>", "</a", "<!", "<!-", "<!-->", "<![CDATA[]]", "<?a>", "<?>"] {
            assert_eq!(next(token.as_bytes(), true), Err(Problem::CutOff), "{token}");
        }
        for token in ["<!DOCTYPE a>", "<!doctype", "<!D"] {
            assert_eq!(next(token.as_bytes(), false), Err(Problem::DocumentType), "{token}");
        }
        for token in ["<!ENTITY", "<!a", "<![INCLUDE["] {
            assert_eq!(next(token.as_bytes(), false), Err(Problem::Markup), "{token}");
        }
    }
}
