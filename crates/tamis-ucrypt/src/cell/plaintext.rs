//! What is encrypted: a byte for the kind of value, the value, and padding that hides its length.

use std::borrow::Cow;

use zeroize::Zeroize as _;

use crate::framing::{parts, push};

const TEXT: u8 = 1;
const FRAGMENT: u8 = 2;
const NULL: u8 = 3;
const UNUSUAL: u8 = 4;
const SPELLED: u8 = 5;

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
    /// Text or NULL that was spelled unlike its kind of document spells it as a rule, such as `E'it\'s'` or `null` in SQL.
    Spelled {
        /// What it means; nothing if it is NULL.
        text: Option<Cow<'a, str>>,
        /// How it stood.
        spelling: Cow<'a, str>,
    },
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
            Self::Spelled { text, .. } => (SPELLED, text.as_deref().unwrap_or_default()),
        }
    }

    /// Bytes between the kind and the padding.
    fn data_len(&self) -> usize {
        match self {
            Self::Spelled { text, spelling } => text.as_ref().map_or(0, |text| 4 + text.len()) + 4 + spelling.len(),
            _ => self.parts().1.len(),
        }
    }

    /// How many bytes [`Self::write_padded`] appends.
    pub(crate) fn padded_len(&self, pad: usize) -> usize {
        (self.data_len() + 2).next_multiple_of(pad.max(1))
    }

    /// Appends kind, value and padding: one 0x80, then zeros up to a multiple of `pad`.
    pub(crate) fn write_padded(&self, pad: usize, bytes: &mut Vec<u8>) {
        let (kind, text) = self.parts();
        let end = bytes.len() + self.padded_len(pad);
        bytes.push(kind);
        if let Self::Spelled { text, spelling } = self {
            for part in text.as_deref().into_iter().chain([&**spelling]) {
                push(part.as_bytes(), bytes);
            }
        } else {
            bytes.extend_from_slice(text.as_bytes());
        }
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
        if *kind == SPELLED {
            return Self::read_spelled(text);
        }
        let text = str::from_utf8(text).ok()?;
        match *kind {
            TEXT => Some(Value::Text(Cow::Owned(text.to_owned()))),
            FRAGMENT => Some(Value::Fragment(Cow::Owned(text.to_owned()))),
            NULL if text.is_empty() => Some(Value::Null),
            UNUSUAL => Some(Value::Unusual(Cow::Owned(text.to_owned()))),
            _ => None,
        }
    }

    fn read_spelled(data: &[u8]) -> Option<Value<'static>> {
        let owned = |part: &[u8]| str::from_utf8(part).ok().map(|text| Cow::Owned(text.to_owned()));
        match parts(data)?[..] {
            [text, spelling] => Some(Value::Spelled { text: Some(owned(text)?), spelling: owned(spelling)? }),
            [spelling] => Some(Value::Spelled { text: None, spelling: owned(spelling)? }),
            _ => None,
        }
    }

    /// Overwrites a value that is owned.
    pub fn erase(self) {
        match self {
            Self::Text(Cow::Owned(mut text))
            | Self::Fragment(Cow::Owned(mut text))
            | Self::Unusual(Cow::Owned(mut text)) => text.zeroize(),
            Self::Spelled { text, spelling } => {
                for owned in text.into_iter().chain([spelling]) {
                    if let Cow::Owned(mut text) = owned {
                        text.zeroize();
                    }
                }
            }
            _ => {}
        }
    }
}

/// Says the kind and the length, never the value.
impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, text) = self.parts();
        let kind = ["text", "fragment", "null", "unusual text", "spelled text"][usize::from(kind) - 1];
        write!(f, "<{kind} of {} bytes>", text.len())
    }
}
