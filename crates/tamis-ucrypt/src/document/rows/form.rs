//! How the values of a kind of document are read and written.

use std::borrow::Cow;

use zeroize::Zeroizing;

/// What a value is once its quotes and escapes are taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Null,
    Text(Cow<'a, str>, Stood),
}

/// Whether a value stood in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stood {
    /// In quotes: a quoted CSV field, an SQL string.
    Quoted,
    /// Without: any other CSV field, an SQL number.
    Bare,
}

impl Stood {
    /// The other way.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Quoted => Self::Bare,
            Self::Bare => Self::Quoted,
        }
    }
}

/// Why the bytes of a value are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// They are no text in this character set.
    Charset(&'static str),
    /// They are bytes of no character set.
    Binary,
    /// They are computed.
    Expression,
}

/// Where the bytes of a value go.
pub(crate) trait Sink {
    fn put(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Compares what is written with what stands in a document: a copy of a plaintext would have to be wiped, and is as long as the value.
#[derive(Debug)]
struct Same<'a>(Option<&'a [u8]>);

impl Sink for Same<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.and_then(|rest| rest.strip_prefix(bytes));
    }
}

/// How a kind of document writes values.
pub(crate) trait Form {
    /// Takes quotes and escapes off.
    fn read<'a>(&self, raw: &'a [u8]) -> Result<Value<'a>, Unread>;

    /// Puts them on: bare only if it stood so and is read back as the same.
    fn write(&self, text: &str, stood: Stood, out: &mut impl Sink) -> Result<(), Unread>;

    /// How texts stand as a rule. What must stand otherwise is written so, whatever it is told.
    const USUAL: Stood;

    /// Whether a text that stands like this would be written so even if nobody remembered.
    fn is_usual(&self, text: &str, stood: Stood) -> bool;

    /// Writes a value that is none.
    fn write_null(&self, out: &mut impl Sink);

    /// Whether the bytes of a value may be a blob, at first sight.
    fn begins_blob(&self, raw: &[u8]) -> bool {
        let _ = raw;
        false
    }

    /// Whether the bytes of a value may be computed from hexadecimal digits, at first sight.
    fn may_compute(&self, raw: &[u8]) -> bool {
        let _ = raw;
        false
    }

    /// The text of a value that is a blob, if it could be a sealed value.
    fn blob_text(&self, text: &str, stood: Stood) -> Option<Zeroizing<String>> {
        let _ = (text, stood);
        None
    }

    /// The spelling of a value as text.
    fn spelling<'a>(&self, raw: &'a [u8]) -> Option<Cow<'a, str>> {
        std::str::from_utf8(raw).ok().map(Cow::Borrowed)
    }

    /// Whether one value may be spelled in several ways, which are told apart when it is sealed.
    const SPELLS: bool = false;

    /// Writes a value as it was spelled. False, and nothing is written, if that does not mean the same here, or more than one value.
    fn write_spelled(&self, text: Option<&str>, spelling: &str, out: &mut Vec<u8>) -> bool {
        let _ = (text, spelling, out);
        false
    }
}

/// How a value is spelled, if it would be written in another way.
pub(super) fn unusual_spelling<'a, F: Form>(raw: &'a [u8], value: &Value<'_>, form: &F) -> Option<Cow<'a, str>> {
    if !F::SPELLS {
        return None;
    }
    let mut same = Same(Some(raw));
    match value {
        Value::Null => form.write_null(&mut same),
        Value::Text(text, stood) => form.write(text, *stood, &mut same).ok()?,
    }
    let is_same = same.0.is_some_and(<[u8]>::is_empty);
    if is_same { None } else { form.spelling(raw) }
}
