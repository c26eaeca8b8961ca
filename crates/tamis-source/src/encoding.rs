//! How characters are written as bytes.

use crate::SourceError;
use std::fmt;
use std::str::FromStr;

/// How the characters of a file are written as bytes.
///
/// UTF-8 is what a file is taken for; Latin-1 cannot be told from other eight-bit encodings and is used only when asked
/// for.
///
/// ```
/// use tamis_source::Encoding;
/// assert_eq!("latin-1".parse::<Encoding>()?, Encoding::Latin1);
/// assert_eq!(Encoding::Utf8.to_string(), "utf-8");
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// ISO 8859-1: each byte is the character with that number.
    Latin1,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
        })
    }
}

impl FromStr for Encoding {
    type Err = SourceError;

    fn from_str(name: &str) -> Result<Self, SourceError> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Self::Utf8),
            "latin-1" | "latin1" | "iso-8859-1" => Ok(Self::Latin1),
            _ => Err(SourceError::UnknownEncoding { found: name.to_owned() }),
        }
    }
}

/// Appends Latin-1 text to UTF-8 text.
pub(crate) fn append_latin1(latin1: &[u8], text: &mut Vec<u8>) {
    for &byte in latin1 {
        text.extend_from_slice(char::from(byte).encode_utf8(&mut [0; 2]).as_bytes());
    }
}

/// Length of the UTF-8 byte order mark at the start of a file, or an error if it is one of UTF-16.
pub(crate) fn byte_order_mark(start: &[u8], name: &str) -> Result<usize, SourceError> {
    let utf16 = |mark| Err(SourceError::Utf16 { name: name.to_owned(), mark });
    match start {
        [0xEF, 0xBB, 0xBF, ..] => Ok(3),
        [0xFF, 0xFE, ..] => utf16("FF FE"),
        [0xFE, 0xFF, ..] => utf16("FE FF"),
        _ => Ok(0),
    }
}
