//! Values of INSERT statements.

use std::borrow::Cow;

use super::Dialect;
use super::escape::put_escaped;
use super::string::string;
use crate::document::rows::{
    BareLiteral, Charset, Form, Sink, Stood, Unread, Value, begins_blob, blob_text, bytea_text,
};
use zeroize::Zeroizing;

/// How values are written in one dump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literals {
    pub(super) dialect: Dialect,
    pub(super) charset: Charset,
}

impl Literals {
    /// Whether a text may be bytes in hexadecimal digits: what no system is known to have written may come from any.
    fn has_bytea(self) -> bool {
        matches!(self.dialect, Dialect::PostgreSql | Dialect::Standard)
    }
}

impl Form for Literals {
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread> {
        let is_binary = || raw.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"_binary"));
        let unread = || if is_binary() { Unread::Binary } else { Unread::Charset(self.charset.name()) };
        let text = self.charset.decode(raw).ok_or_else(unread)?;
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

    fn write(&self, text: &str, stood: Stood, out: &mut impl Sink) -> Result<(), Unread> {
        let bytes = self.charset.encode(text).ok_or(Unread::Charset(self.charset.name()))?;
        if stood == Stood::Bare && BareLiteral::of(text).is_some() {
            out.put(&bytes);
            return Ok(());
        }
        out.put(b"'");
        if self.dialect == Dialect::MySql {
            put_escaped(&bytes, out, as_mysqldump);
        } else {
            let mut copied = 0;
            for quote in memchr::memchr_iter(b'\'', &bytes) {
                out.put(&bytes[copied..=quote]);
                copied = quote;
            }
            out.put(&bytes[copied..]);
        }
        out.put(b"'");
        Ok(())
    }

    const USUAL: Stood = Stood::Quoted;

    fn is_usual(&self, _: &str, stood: Stood) -> bool {
        stood == Stood::Quoted
    }

    fn write_null(&self, out: &mut impl Sink) {
        out.put(b"NULL");
    }

    fn begins_blob(&self, raw: &[u8]) -> bool {
        let is_bytea = match raw {
            [b'\'', b'\\', b'x', ..] | [b'E' | b'e', b'\'', b'\\', b'\\', b'x', ..] => true,
            // What stands between the dollars is a name.
            [b'$', rest @ ..] => {
                let end = rest.iter().position(|&byte| byte == b'$').map_or(rest.len(), |end| end + 1);
                rest[end..].starts_with(b"\\x")
            }
            _ => false,
        };
        is_bytea && self.has_bytea() || begins_blob(raw)
    }

    fn may_compute(&self, raw: &[u8]) -> bool {
        !matches!(raw, [b'\'', .., b'\''] | [b'"', .., b'"'] | [b'0'..=b'9' | b'-' | b'+' | b'.', ..])
    }

    fn blob_text(&self, text: &str, stood: Stood) -> Option<Zeroizing<String>> {
        match stood {
            Stood::Bare => blob_text(text),
            Stood::Quoted if self.has_bytea() => bytea_text(text),
            Stood::Quoted => None,
        }
    }

    const SPELLS: bool = true;

    fn spelling<'a>(&self, raw: &'a [u8]) -> Option<Cow<'a, str>> {
        self.charset.decode(raw)
    }

    fn write_spelled(&self, text: Option<&str>, spelling: &str, out: &mut Vec<u8>) -> bool {
        let Some(bytes) = self.charset.encode(spelling) else { return false };
        // Whoever sealed it may have been anybody: what is not read as this one value could be a statement.
        let means = match self.read(&bytes) {
            Ok(Value::Null) => text.is_none(),
            Ok(Value::Text(read, Stood::Quoted)) => Some(&*read) == text,
            _ => false,
        };
        if means {
            out.extend_from_slice(&bytes);
        }
        means
    }
}

fn as_mysqldump(byte: u8) -> Option<[u8; 2]> {
    match byte {
        b'\0' => Some(*b"\\0"),
        b'\n' => Some(*b"\\n"),
        b'\r' => Some(*b"\\r"),
        0x1a => Some(*b"\\Z"),
        b'\\' | b'\'' | b'"' => Some([b'\\', byte]),
        _ => None,
    }
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
        assert_eq!(read(r"E'\x41\101\u0105\U0001F600\q'", Dialect::PostgreSql), Ok(text("AAą😀q")));
        assert_eq!(read("$$it's\n$$", Dialect::PostgreSql), Ok(text("it's\n")));
        assert_eq!(read("$a1$ $$ $a1$", Dialect::PostgreSql), Ok(text(" $$ ")));
        assert_eq!(read(r"_utf8mb4'a\n'", Dialect::MySql), Ok(text("a\n")));
        assert_eq!(read("_binary 'a'", Dialect::MySql), Ok(text("a")));
        assert_eq!(read(r"unistr('it''s\u000a\\\+01F600\0105')", Dialect::Sqlite), Ok(text("it's\n\\😀ą")));
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
            "CURRENT_TIMESTAMP",
            "_utf8'a'",
            "replace('a','b')",
            "replace(replace(replace('a','b',char(10)),'c',char(13)),'d',char(10))",
            "unistr('a'",
            "unistr('\\d800')",
            "U&'a'",
            "$a$ $b$",
            "$$a$$b$$",
            "$$a$$$",
            "$1$a$1$",
        ] {
            assert_eq!(read(raw, Dialect::PostgreSql), Err(Unread::Expression), "{raw}");
            assert_eq!(read(raw, Dialect::Sqlite), Err(Unread::Expression), "{raw}");
        }
        assert_eq!(read(r"E'\xf3'", Dialect::PostgreSql), Err(Unread::Expression));
        assert_eq!(read(r"E'\0'", Dialect::PostgreSql), Err(Unread::Expression));
        for raw in ["_utf8mb4", "_utf8mb4 x", "_latin2'a'", "_binary 'a' 'b'", "_binary 'a')"] {
            assert_eq!(read(raw, Dialect::MySql), Err(Unread::Expression), "{raw}");
        }
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
