//! Character sets in which delimiters, quotes and digits are the bytes of ASCII.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// How text is written as bytes: UTF-8, or a set of single bytes such as ISO-8859-2 or windows-1250.
///
/// ```
/// use tamis_ucrypt::document::rows::Charset;
/// let polish = Charset::named("ISO-8859-2").unwrap();
/// assert_eq!(polish.decode(b"Krak\xf3w").as_deref(), Some("Kraków"));
/// assert!(Charset::named("UTF-16").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Default for Charset {
    fn default() -> Self {
        Self(UTF_8)
    }
}

impl Charset {
    /// The set of this name, if it is one that can be read byte by byte. UTF-16 and the multi-byte sets of East Asia cannot: their
    /// characters hold bytes that look like delimiters.
    pub fn named(label: &str) -> Option<Self> {
        let encoding = Encoding::for_label(label.as_bytes())?;
        (encoding == UTF_8 || encoding.is_single_byte()).then_some(Self(encoding))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The text that these bytes are, if they are one.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        if self.0 == UTF_8 {
            return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
        }
        self.0.decode_without_bom_handling_and_without_replacement(bytes)
    }

    /// The bytes that this text is, if it has no characters that are not in the set.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        if self.0 == UTF_8 {
            return Some(Cow::Borrowed(text.as_bytes()));
        }
        let (bytes, _, lossy) = self.0.encode(text);
        (!lossy).then_some(bytes)
    }
}
