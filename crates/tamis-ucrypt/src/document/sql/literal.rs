//! Values of INSERT statements.

use std::borrow::Cow;

use super::Dialect;
use crate::document::rows::{BareLiteral, Charset, Form, Stood, Unread, Value};

/// How values are written in one dump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literals {
    pub(super) dialect: Dialect,
    pub(super) charset: Charset,
}

impl Form for Literals {
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread> {
        let text = self.charset.decode(raw).ok_or(Unread::Charset(self.charset.name()))?;
        if text.eq_ignore_ascii_case("null") {
            return Ok(Value::Null);
        }
        if BareLiteral::of(&text).is_some() {
            return Ok(Value::Text(text, Stood::Bare));
        }
        let string = match text {
            Cow::Borrowed(text) => string(text, self.dialect),
            Cow::Owned(text) => string(&text, self.dialect).map(|string| Cow::Owned(string.into_owned())),
        };
        string.map(|text| Value::Text(text, Stood::Quoted)).ok_or(Unread::Expression)
    }

    fn write(&self, text: &str, stood: Stood, out: &mut Vec<u8>) -> Result<(), Unread> {
        let bytes = self.charset.encode(text).ok_or(Unread::Charset(self.charset.name()))?;
        if stood == Stood::Bare && BareLiteral::of(text).is_some() {
            out.extend_from_slice(&bytes);
            return Ok(());
        }
        out.push(b'\'');
        if self.dialect == Dialect::MySql {
            bytes.iter().for_each(|&byte| push_as_mysqldump(byte, out));
        } else {
            let mut copied = 0;
            for quote in memchr::memchr_iter(b'\'', &bytes) {
                out.extend_from_slice(&bytes[copied..=quote]);
                copied = quote;
            }
            out.extend_from_slice(&bytes[copied..]);
        }
        out.push(b'\'');
        Ok(())
    }

    const USUAL: Stood = Stood::Quoted;

    fn is_usual(&self, _: &str, stood: Stood) -> bool {
        stood == Stood::Quoted
    }

    fn write_null(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"NULL");
    }
}

fn push_as_mysqldump(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'\0' => out.extend_from_slice(b"\\0"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        0x1a => out.extend_from_slice(b"\\Z"),
        b'\\' | b'\'' | b'"' => out.extend_from_slice(&[b'\\', byte]),
        _ => out.push(byte),
    }
}

/// The text of a string, or `None` for anything else.
fn string(raw: &str, dialect: Dialect) -> Option<Cow<'_, str>> {
    match raw.as_bytes() {
        [b'\'', ..] => enclosed(raw, '\'', dialect.backslashes().then_some(mysql as fn(char) -> Option<Escaped>)),
        [b'"', ..] if dialect == Dialect::MySql => enclosed(raw, '"', Some(mysql)),
        [b'E' | b'e', b'\'', ..] if dialect == Dialect::PostgreSql => enclosed(&raw[1..], '\'', Some(postgresql)),
        [b'N' | b'n', b'\'', ..] => string(&raw[1..], dialect),
        [b'r' | b'R', ..] if dialect == Dialect::Sqlite => replaced(raw).map(Cow::Owned),
        _ => None,
    }
}

/// What a backslash and a character stand for.
enum Escaped {
    One(char),
    /// The backslash stays.
    Both,
}

fn mysql(escaped: char) -> Option<Escaped> {
    Some(Escaped::One(match escaped {
        '0' => '\0',
        'b' => '\u{8}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'Z' => '\u{1a}',
        '%' | '_' => return Some(Escaped::Both),
        other => other,
    }))
}

fn postgresql(escaped: char) -> Option<Escaped> {
    Some(Escaped::One(match escaped {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        // Bytes and code points by number: no dump needs them, so they are left to those who wrote them.
        '0'..='9' | 'x' | 'u' | 'U' => return None,
        other => other,
    }))
}

/// The text between quotes, if one pair of them encloses everything.
fn enclosed(raw: &str, quote: char, unescape: Option<fn(char) -> Option<Escaped>>) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
    let special = |character: char| character == quote || (unescape.is_some() && character == '\\');
    if raw.len() < 2 || !inner.contains(special) {
        return (raw.len() >= 2).then_some(Cow::Borrowed(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if !special(character) {
            text.push(character);
            continue;
        }
        // A quote is doubled, or there is more than one string; a backslash has something behind it.
        let next = characters.next()?;
        match (character, unescape) {
            ('\\', Some(unescape)) if character != quote => match unescape(next)? {
                Escaped::One(one) => text.push(one),
                Escaped::Both => text.extend(['\\', next]),
            },
            _ if next == quote => text.push(quote),
            _ => return None,
        }
    }
    Some(Cow::Owned(text))
}

/// The text that the shell of SQLite writes as `replace('a\nb','\n',char(10))`.
fn replaced(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix("replace(")?;
    let (inner, character) = match inner.strip_suffix(",char(10))") {
        Some(inner) => (inner, "\n"),
        None => (inner.strip_suffix(",char(13))")?, "\r"),
    };
    let (value, placeholder) = inner.strip_suffix('\'')?.rsplit_once(",'")?;
    if placeholder.is_empty() || placeholder.contains('\'') {
        return None;
    }
    let text = match enclosed(value, '\'', None) {
        Some(text) => text.into_owned(),
        None => replaced(value)?,
    };
    Some(text.replace(placeholder, character))
}

#[cfg(test)]
mod tests {
    use super::{BareLiteral, Charset, Dialect, Form, Literals, Stood, Unread, Value};
    use proptest::prelude::*;

    const DIALECTS: [Dialect; 4] = [Dialect::Standard, Dialect::PostgreSql, Dialect::MySql, Dialect::Sqlite];

    fn literals(dialect: Dialect) -> Literals {
        Literals { dialect, charset: Charset::default() }
    }

    fn read(raw: &str, dialect: Dialect) -> Result<Value<'_>, Unread> {
        literals(dialect).read(raw.as_bytes())
    }

    fn text(text: &str) -> Value<'_> {
        Value::Text(text.into(), Stood::Quoted)
    }

    #[test]
    fn strings_are_read_as_their_system_reads_them() {
        assert_eq!(read("'it''s'", Dialect::Standard), Ok(text("it's")));
        assert_eq!(read(r"'a\n'", Dialect::Standard), Ok(text(r"a\n")));
        assert_eq!(read(r"'a\n\'\\\%\q'", Dialect::MySql), Ok(text("a\n'\\\\%q")));
        assert_eq!(read(r#""a""b\"""#, Dialect::MySql), Ok(text("a\"b\"")));
        assert_eq!(read(r"E'a\n\''", Dialect::PostgreSql), Ok(text("a\n'")));
        assert_eq!(read("N'a'", Dialect::Standard), Ok(text("a")));
        assert_eq!(read(r"replace('a\nb','\n',char(10))", Dialect::Sqlite), Ok(text("a\nb")));
        assert_eq!(read(r"replace(replace('a\r\n','\r',char(13)),'\n',char(10))", Dialect::Sqlite), Ok(text("a\r\n")));
        assert_eq!(read("''", Dialect::Standard), Ok(text("")));
        assert_eq!(read("null", Dialect::Standard), Ok(Value::Null));
        assert_eq!(read("-1.5", Dialect::Standard), Ok(Value::Text("-1.5".into(), Stood::Bare)));
    }

    #[test]
    fn what_is_computed_is_not_a_value() {
        for raw in [
            "",
            "'",
            "'a' 'b'",
            "'a'||'b'",
            "now()",
            "'a'::text",
            "\"name\"",
            "DEFAULT",
            "_utf8'a'",
            "replace('a','b')",
        ] {
            assert_eq!(read(raw, Dialect::PostgreSql), Err(Unread::Expression), "{raw}");
            assert_eq!(read(raw, Dialect::Sqlite), Err(Unread::Expression), "{raw}");
        }
        assert_eq!(read(r"E'\x41'", Dialect::PostgreSql), Err(Unread::Expression));
        assert_eq!(read(r"'a\'", Dialect::MySql), Err(Unread::Expression));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in "[a-z0-9'\"\\\\\n\r\t\0\u{1a}%_ó-]{0,8}", bare in any::<bool>()) {
            let stood = if bare { Stood::Bare } else { Stood::Quoted };
            for dialect in DIALECTS {
                let mut raw = Vec::new();
                literals(dialect).write(&value, stood, &mut raw).unwrap();
                let expected = if BareLiteral::of(&value).is_some() { stood } else { Stood::Quoted };
                prop_assert_eq!(literals(dialect).read(&raw), Ok(Value::Text(value.as_str().into(), expected)));
            }
        }
    }
}
