//! Records of a database as bytes, so that they are treated like those of a file.
//!
//! A value is a byte for its kind, and if it has any, the length and the bytes of its text.

use std::io;

use rusqlite::types::{Value as SqlValue, ValueRef};
use zeroize::Zeroizing;

use crate::document::room;
use crate::document::rows::{BareLiteral, Form, Sink, Span, Stood, Unread, Value, begins_blob, blob_text};

const NULL: u8 = b'n';
const TEXT: u8 = b't';
const LITERAL: u8 = b'l';
/// Text that is not UTF-8.
const BROKEN: u8 = b'x';

/// The form of values in a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoded;

fn push(kind: u8, text: &[u8], out: &mut impl Sink) {
    out.put(&[kind]);
    // A value is at most as long as a record, whose length fits by far.
    out.put(&(text.len() as u32).to_le_bytes());
    out.put(text);
}

fn parts(raw: &[u8]) -> (u8, &[u8]) {
    (raw.first().copied().unwrap_or(NULL), raw.get(5..).unwrap_or_default())
}

impl Form for Encoded {
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread> {
        let (kind, bytes) = parts(raw);
        let text = || std::str::from_utf8(bytes).map_err(|_| Unread::Charset("UTF-8"));
        match kind {
            NULL => Ok(Value::Null),
            TEXT => Ok(Value::Text(text()?.into(), Stood::Quoted)),
            LITERAL => Ok(Value::Text(text()?.into(), Stood::Bare)),
            _ => Err(Unread::Charset("UTF-8")),
        }
    }

    fn write(&self, text: &str, stood: Stood, out: &mut impl Sink) -> Result<(), Unread> {
        let literal = stood == Stood::Bare && literal(text).is_some();
        push(if literal { LITERAL } else { TEXT }, text.as_bytes(), out);
        Ok(())
    }

    const USUAL: Stood = Stood::Quoted;

    fn is_usual(&self, _: &str, stood: Stood) -> bool {
        stood == Stood::Quoted
    }

    fn write_null(&self, out: &mut impl Sink) {
        out.put(&[NULL]);
    }

    fn begins_blob(&self, raw: &[u8]) -> bool {
        let (kind, bytes) = parts(raw);
        kind == LITERAL && begins_blob(bytes)
    }

    fn blob_text(&self, text: &str, stood: Stood) -> Option<Zeroizing<String>> {
        if stood == Stood::Bare { blob_text(text) } else { None }
    }
}

/// Appends a value of a database, if there is memory for it.
pub(super) fn encode(value: ValueRef<'_>, out: &mut Vec<u8>) -> io::Result<Span> {
    let start = out.len() as u32;
    // Short values take what is there, or double it.
    if length_of(value) > room::LONG {
        room::reserve(out, length_of(value) + 8)?;
    }
    match value {
        ValueRef::Null => out.push(NULL),
        ValueRef::Integer(number) => push(LITERAL, number.to_string().as_bytes(), out),
        ValueRef::Real(number) => push(LITERAL, real(number).as_bytes(), out),
        ValueRef::Text(text) => push(if std::str::from_utf8(text).is_ok() { TEXT } else { BROKEN }, text, out),
        ValueRef::Blob(bytes) => {
            out.push(LITERAL);
            out.extend_from_slice(&(length_of(value) as u32).to_le_bytes());
            out.extend_from_slice(b"X'");
            let digits = out.len();
            out.resize(digits + 2 * bytes.len(), 0);
            // It fails only where there is no room for the digits.
            let _ = base16ct::upper::encode(bytes, &mut out[digits..]);
            out.push(b'\'');
        }
    }
    Ok(Span { start, end: out.len() as u32 })
}

/// How long the text of a value may be.
pub(super) fn length_of(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 32,
        ValueRef::Text(text) => text.len(),
        ValueRef::Blob(bytes) => 2 * bytes.len() + 3,
    }
}

/// The value at the start of some bytes as a database takes it, and the bytes behind it.
pub(super) fn decode(bytes: &[u8]) -> (SqlValue, &[u8]) {
    let Some((&kind, rest)) = bytes.split_first() else { return (SqlValue::Null, bytes) };
    let Some((length, rest)) = rest.split_first_chunk::<4>().filter(|_| kind != NULL) else {
        return (SqlValue::Null, rest);
    };
    let (text, rest) = rest.split_at(rest.len().min(u32::from_le_bytes(*length) as usize));
    let text = String::from_utf8_lossy(text).into_owned();
    let value = if kind == LITERAL { literal(&text) } else { None };
    (value.unwrap_or(SqlValue::Text(text)), rest)
}

/// How many bytes the value at the start of some bytes takes.
pub(super) fn length(bytes: &[u8]) -> usize {
    bytes.len() - decode_length(bytes).len()
}

fn decode_length(bytes: &[u8]) -> &[u8] {
    let Some((&kind, rest)) = bytes.split_first() else { return bytes };
    if kind == NULL {
        return rest;
    }
    let Some((length, rest)) = rest.split_first_chunk::<4>() else { return rest };
    &rest[rest.len().min(u32::from_le_bytes(*length) as usize)..]
}

/// A real number as SQL writes it, digits enough to be read as the same.
fn real(number: f64) -> String {
    if number.is_infinite() {
        // What SQLite itself writes for them, since SQL has no name for infinity.
        return String::from(if number > 0.0 { "9.0e+999" } else { "-9.0e+999" });
    }
    format!("{number:?}")
}

/// The number or bytes that a text spells.
fn literal(text: &str) -> Option<SqlValue> {
    match BareLiteral::of(text)? {
        BareLiteral::Integer => text.parse().ok().map(SqlValue::Integer),
        BareLiteral::Real => text.parse().ok().map(SqlValue::Real),
        BareLiteral::Bytes(digits) => base16ct::mixed::decode_vec(digits).ok().map(SqlValue::Blob),
        BareLiteral::Truth | BareLiteral::Bits => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoded, Form, SqlValue, Stood, ValueRef, decode, encode, length};
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = SqlValue> {
        prop_oneof![
            Just(SqlValue::Null),
            any::<i64>().prop_map(SqlValue::Integer),
            any::<f64>().prop_filter("a NaN is NULL", |real| !real.is_nan()).prop_map(SqlValue::Real),
            Just(SqlValue::Real(f64::INFINITY)),
            "[a-z0-9ó\0]{0,6}".prop_map(SqlValue::Text),
            prop::collection::vec(any::<u8>(), 0..6).prop_map(SqlValue::Blob),
        ]
    }

    proptest! {
        #[test]
        fn a_value_is_read_back_as_it_was(first in values(), second in values()) {
            let mut bytes = Vec::new();
            let span = encode(ValueRef::from(&first), &mut bytes).unwrap();
            encode(ValueRef::from(&second), &mut bytes).unwrap();
            prop_assert_eq!(length(&bytes), span.end as usize);
            let (one, rest) = decode(&bytes);
            prop_assert_eq!(one, first);
            prop_assert_eq!(decode(rest), (second, &b""[..]));
        }
    }

    #[test]
    fn only_what_stood_bare_becomes_a_number() {
        for (text, stood, expected) in [
            ("5", Stood::Bare, SqlValue::Integer(5)),
            ("5", Stood::Quoted, SqlValue::Text("5".into())),
            ("5.0", Stood::Bare, SqlValue::Real(5.0)),
            ("X'4142'", Stood::Bare, SqlValue::Blob(b"AB".into())),
            ("abc", Stood::Bare, SqlValue::Text("abc".into())),
            ("99999999999999999999", Stood::Bare, SqlValue::Text("99999999999999999999".into())),
        ] {
            let mut bytes = Vec::new();
            Encoded.write(text, stood, &mut bytes).unwrap();
            assert_eq!(decode(&bytes).0, expected);
        }
    }
}
