//! Lines of PostgreSQL's `COPY ... FROM stdin`, in its text format.

use std::borrow::Cow;

use super::escape::put_escaped;
use crate::document::rows::{Charset, Form, Sink, Stood, Unread, Value, bytea_text};
use zeroize::Zeroizing;

/// How values are written in the lines of one dump. All of them are text: there are no quotes to lose.
#[derive(Debug, Clone, Copy)]
pub(super) struct CopyValues {
    pub(super) charset: Charset,
}

/// The end of the line at a position, without its line break: a backslash takes the meaning of a line break behind it.
pub(super) fn line_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'\n', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'\n' {
            return Some(at);
        }
        at += 2;
    }
}

/// Tells where the values of a line are.
pub(super) fn split(bytes: &[u8], start: usize, end: usize, mut value: impl FnMut(usize, usize)) {
    let (mut from, mut at) = (start, start);
    while let Some(hit) = bytes.get(at..end).and_then(|rest| memchr::memchr2(b'\t', b'\\', rest)) {
        at += hit;
        if bytes[at] == b'\t' {
            value(from, at);
            from = at + 1;
            at += 1;
        } else {
            at += 2;
        }
    }
    value(from, end);
}

impl Form for CopyValues {
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread> {
        let unread = Unread::Charset(self.charset.name());
        if raw == b"\\N" {
            return Ok(Value::Null);
        }
        if memchr::memchr(b'\\', raw).is_none() {
            return Ok(Value::Text(self.charset.decode(raw).ok_or(unread)?, Stood::Quoted));
        }
        let bytes = unescaped(raw);
        let text = self.charset.decode(&bytes).ok_or(unread)?.into_owned();
        Ok(Value::Text(Cow::Owned(text), Stood::Quoted))
    }

    fn write(&self, text: &str, _: Stood, out: &mut impl Sink) -> Result<(), Unread> {
        let bytes = self.charset.encode(text).ok_or(Unread::Charset(self.charset.name()))?;
        put_escaped(&bytes, out, |byte| match byte {
            8 => Some(*b"\\b"),
            12 => Some(*b"\\f"),
            11 => Some(*b"\\v"),
            b'\n' => Some(*b"\\n"),
            b'\r' => Some(*b"\\r"),
            b'\t' => Some(*b"\\t"),
            b'\\' => Some(*b"\\\\"),
            _ => None,
        });
        Ok(())
    }

    fn begins_blob(&self, raw: &[u8]) -> bool {
        raw.starts_with(b"\\\\x")
    }

    fn blob_text(&self, text: &str, _: Stood) -> Option<Zeroizing<String>> {
        bytea_text(text)
    }

    const USUAL: Stood = Stood::Quoted;

    fn is_usual(&self, _: &str, stood: Stood) -> bool {
        stood == Stood::Quoted
    }

    fn write_null(&self, out: &mut impl Sink) {
        out.put(b"\\N");
    }

    const SPELLS: bool = true;

    fn spelling<'a>(&self, raw: &'a [u8]) -> Option<Cow<'a, str>> {
        self.charset.decode(raw)
    }

    fn write_spelled(&self, text: Option<&str>, spelling: &str, out: &mut Vec<u8>) -> bool {
        let Some(bytes) = self.charset.encode(spelling) else { return false };
        // Alone in its line, a backslash and a dot would end the data.
        let is_one =
            line_end(&bytes, 0).is_none() && memchr::memchr2(b'\r', b'\n', &bytes).is_none() && *bytes != *b"\\." && {
                let mut values = 0;
                split(&bytes, 0, bytes.len(), |_, _| values += 1);
                values == 1 && !ends_open(&bytes)
            };
        let means = match self.read(&bytes) {
            Ok(Value::Null) => text.is_none(),
            Ok(Value::Text(read, _)) => Some(&*read) == text,
            Err(_) => false,
        };
        if is_one && means {
            out.extend_from_slice(&bytes);
        }
        is_one && means
    }
}

/// Whether the last backslash would take the meaning of what follows.
fn ends_open(bytes: &[u8]) -> bool {
    bytes.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        at += 1;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some(&escaped) = raw.get(at) else { break };
        at += 1;
        bytes.push(match escaped {
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0'..=b'7' => number(raw, at - 1, 3, 8, &mut at),
            b'x' if raw.get(at).is_some_and(u8::is_ascii_hexdigit) => number(raw, at, 2, 16, &mut at),
            other => other,
        });
    }
    bytes
}

/// A byte by its number, of so many digits at most.
fn number(raw: &[u8], start: usize, most: usize, base: u32, at: &mut usize) -> u8 {
    let digits = raw[start..].iter().take(most).map_while(|byte| char::from(*byte).to_digit(base));
    let (value, length) = digits.fold((0, 0), |(value, length), digit| (value * base + digit, length + 1));
    *at = start + length;
    value as u8
}

#[cfg(test)]
mod tests {
    use super::{Charset, CopyValues, Form, Stood, Value, line_end, split};
    use proptest::prelude::*;

    const VALUES: fn() -> CopyValues = || CopyValues { charset: Charset::default() };

    fn text(text: &str) -> Value<'_> {
        Value::Text(text.into(), Stood::Quoted)
    }

    #[test]
    fn escapes_are_those_of_the_manual() {
        let read = |raw: &'static str| VALUES().read(raw.as_bytes()).unwrap();
        assert_eq!(read(r"\N"), Value::Null);
        assert_eq!(read(r"\\N"), text(r"\N"));
        assert_eq!(read(r"a\tb\n\v\101\x4a\x4aB\q"), text("a\tb\n\u{b}AJJBq"));
        assert_eq!(read(""), text(""));
    }

    #[test]
    fn a_backslash_takes_the_meaning_of_tabs_and_line_breaks() {
        let line = b"a\tb\\\tc\t\\\nd\ne";
        let end = line_end(line, 0).unwrap();
        let mut values = Vec::new();
        split(line, 0, end, |from, to| values.push(line[from..to].to_vec()));
        assert_eq!(values, [b"a".to_vec(), b"b\\\tc".to_vec(), b"\\\nd".to_vec()]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in "[a-z\\\\\n\r\t\u{8}\u{b}\u{c}ó0-9]{0,8}") {
            let mut raw = Vec::new();
            VALUES().write(&value, Stood::Bare, &mut raw).unwrap();
            prop_assert!(!raw.contains(&b'\n') && !raw.contains(&b'\t'));
            prop_assert_eq!(VALUES().read(&raw), Ok(text(&value)));
        }
    }
}
