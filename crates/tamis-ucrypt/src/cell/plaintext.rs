//! What is encrypted: a byte for the kind of value, the value, and padding that hides its length.

use std::borrow::Cow;

use zeroize::Zeroize as _;

const TEXT: u8 = 1;
const FRAGMENT: u8 = 2;
const NULL: u8 = 3;
const UNUSUAL: u8 = 4;

/// Largest multiple to which a policy may pad.
pub const MAX_PAD: usize = 65_536;

/// A value before sealing and after opening.
#[derive(Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// Text, as a reader of the document gets it.
    Text(Cow<'a, str>),
    /// A piece of XML, byte for byte.
    Fragment(Cow<'a, str>),
    /// No value: NULL in SQL.
    Null,
    /// Text that stands unlike other texts of its kind of document: a number in SQL, a CSV field in needless quotes. It is
    /// authenticated, as `05001` the text and 05001 the number are not the same.
    Unusual(Cow<'a, str>),
}

impl<'a> Value<'a> {
    /// A text.
    pub fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// A piece of XML.
    pub fn fragment(xml: &'a str) -> Self {
        Self::Fragment(Cow::Borrowed(xml))
    }

    fn parts(&self) -> (u8, &str) {
        match self {
            Self::Text(text) => (TEXT, text),
            Self::Fragment(xml) => (FRAGMENT, xml),
            Self::Null => (NULL, ""),
            Self::Unusual(text) => (UNUSUAL, text),
        }
    }

    /// How many bytes [`Self::write_padded`] appends.
    pub(crate) fn padded_len(&self, pad: usize) -> usize {
        (self.parts().1.len() + 2).next_multiple_of(pad.max(1))
    }

    /// Appends kind, value and padding: one 0x80, then zeros up to a multiple of `pad`.
    pub(crate) fn write_padded(&self, pad: usize, bytes: &mut Vec<u8>) {
        let (kind, text) = self.parts();
        let end = bytes.len() + self.padded_len(pad);
        bytes.push(kind);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0x80);
        bytes.resize(end, 0);
    }

    /// Reads what [`Self::write_padded`] wrote, whatever it was padded to.
    pub(crate) fn read_padded(bytes: &[u8]) -> Option<Value<'static>> {
        let last = bytes.iter().rposition(|byte| *byte != 0)?;
        if bytes[last] != 0x80 {
            return None;
        }
        let (kind, text) = bytes[..last].split_first()?;
        let text = str::from_utf8(text).ok()?;
        match *kind {
            TEXT => Some(Value::Text(Cow::Owned(text.to_owned()))),
            FRAGMENT => Some(Value::Fragment(Cow::Owned(text.to_owned()))),
            NULL if text.is_empty() => Some(Value::Null),
            UNUSUAL => Some(Value::Unusual(Cow::Owned(text.to_owned()))),
            _ => None,
        }
    }

    /// Overwrites a value that is owned.
    pub fn erase(self) {
        match self {
            Self::Text(Cow::Owned(mut text))
            | Self::Fragment(Cow::Owned(mut text))
            | Self::Unusual(Cow::Owned(mut text)) => text.zeroize(),
            _ => {}
        }
    }
}

/// Says the kind and the length, never the value.
impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, text) = self.parts();
        let kind = ["text", "fragment", "null", "unusual text"][usize::from(kind) - 1];
        write!(f, "<{kind} of {} bytes>", text.len())
    }
}
