//! One field: its quotation marks.

use std::borrow::Cow;

use crate::document::rows::{Charset, Form, Sink, Stood, Unread, Value, bytea_text};
use zeroize::Zeroizing;

/// How fields are written in one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) delimiter: u8,
    pub(super) charset: Charset,
    /// Whether a record is one field, so that an empty one must not look like an empty line.
    pub(super) lonely: bool,
}

impl Fields {
    fn may_stand_bare(self, bytes: &[u8]) -> bool {
        bytes.first() != Some(&b'"')
            && memchr::memchr3(self.delimiter, b'\n', b'\r', bytes).is_none()
            && !(self.lonely && bytes.is_empty())
    }
}

impl Form for Fields {
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread> {
        let unread = Unread::Charset(self.charset.name());
        let Some(inner) = raw.strip_prefix(b"\"") else {
            return Ok(Value::Text(self.charset.decode(raw).ok_or(unread)?, Stood::Bare));
        };
        let text = self.charset.decode(inner.strip_suffix(b"\"").unwrap_or(inner)).ok_or(unread)?;
        let text = if text.contains('"') { Cow::Owned(undoubled(&text)) } else { text };
        Ok(Value::Text(text, Stood::Quoted))
    }

    fn write(&self, text: &str, stood: Stood, out: &mut impl Sink) -> Result<(), Unread> {
        let bytes = self.charset.encode(text).ok_or(Unread::Charset(self.charset.name()))?;
        if stood == Stood::Bare && self.may_stand_bare(&bytes) {
            out.put(&bytes);
            return Ok(());
        }
        out.put(b"\"");
        let mut copied = 0;
        for quote in memchr::memchr_iter(b'"', &bytes) {
            out.put(&bytes[copied..=quote]);
            copied = quote;
        }
        out.put(&bytes[copied..]);
        out.put(b"\"");
        Ok(())
    }

    fn begins_blob(&self, raw: &[u8]) -> bool {
        raw.strip_prefix(b"\"").unwrap_or(raw).starts_with(b"\\x")
    }

    fn blob_text(&self, text: &str, _: Stood) -> Option<Zeroizing<String>> {
        bytea_text(text)
    }

    const USUAL: Stood = Stood::Bare;

    fn is_usual(&self, text: &str, stood: Stood) -> bool {
        stood == Stood::Bare || self.charset.encode(text).is_some_and(|bytes| !self.may_stand_bare(&bytes))
    }

    fn write_null(&self, out: &mut impl Sink) {
        if self.lonely {
            out.put(b"\"\"");
        }
    }
}

/// One quotation mark for every two. A sealed value has a dozen, so that a general search for them would take as long as its cipher.
fn undoubled(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = memchr::memchr(b'"', rest.as_bytes()) {
        let (before, behind) = rest.split_at(quote + 1);
        plain.push_str(before);
        rest = behind.strip_prefix('"').unwrap_or(behind);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::{Charset, Fields, Form, Stood, Value, undoubled};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quotation_marks_are_taken_by_twos(text in "[\"aż]{0,20}") {
            prop_assert_eq!(undoubled(&text), text.replace("\"\"", "\""));
        }
    }

    const COMMAS: fn() -> Fields = || Fields { delimiter: b',', charset: Charset::default(), lonely: false };

    fn written(fields: Fields, text: &str, stood: Stood) -> String {
        let mut out = Vec::new();
        fields.write(text, stood, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_field_keeps_its_quotes_unless_it_needs_some() {
        assert_eq!(written(COMMAS(), "a", Stood::Bare), "a");
        assert_eq!(written(COMMAS(), "a", Stood::Quoted), "\"a\"");
        assert_eq!(written(COMMAS(), "5\" pipe", Stood::Bare), "5\" pipe");
        assert_eq!(written(COMMAS(), "\"quoted\"", Stood::Bare), "\"\"\"quoted\"\"\"");
        assert_eq!(written(COMMAS(), "a,b", Stood::Bare), "\"a,b\"");
        assert_eq!(written(COMMAS(), "a\rb", Stood::Bare), "\"a\rb\"");
        assert_eq!(written(Fields { lonely: true, ..COMMAS() }, "", Stood::Bare), "\"\"");
    }

    #[test]
    fn doubled_quotation_marks_are_one() {
        assert_eq!(COMMAS().read(b"\"a\"\"b\"").unwrap(), Value::Text("a\"b".into(), Stood::Quoted));
        assert_eq!(COMMAS().read(b"a\"\"b").unwrap(), Value::Text("a\"\"b".into(), Stood::Bare));
        assert_eq!(COMMAS().read(b"\"\"").unwrap(), Value::Text("".into(), Stood::Quoted));
    }

    #[test]
    fn text_outside_the_character_set_is_refused_both_ways() {
        assert!(COMMAS().read(b"Krak\xf3w").is_err());
        let polish = Fields { charset: Charset::named("windows-1250").unwrap(), ..COMMAS() };
        assert_eq!(polish.read(b"Krak\xf3w").unwrap(), Value::Text("Kraków".into(), Stood::Bare));
        assert!(polish.write("日本", Stood::Bare, &mut Vec::new()).is_err());
    }
}
