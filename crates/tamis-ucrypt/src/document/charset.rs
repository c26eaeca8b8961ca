//! Character sets of documents.
//!
//! Only sets in which every character has exactly one form are offered: what is read and written again is then the same bytes by
//! construction. A name means what its standard says: browsers read ISO-8859-1, ISO-8859-9, ISO-8859-11 and US-ASCII as their Windows
//! relatives, which have other characters for some bytes.

mod table;

use std::borrow::Cow;

use crate::shown::plain;
use table::{Table, named};

/// How text is written as bytes: UTF-8, or a set of single bytes such as ISO-8859-2 or windows-1250; XML knows UTF-16 as well.
///
/// ```
/// use tamis_ucrypt::document::rows::Charset;
/// let polish = Charset::named("ISO-8859-2").unwrap();
/// assert_eq!(polish.decode(b"Krak\xf3w").as_deref(), Some("Kraków"));
/// assert!(Charset::named("UTF-16").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Charset(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Set {
    /// UTF-8, as nobody said otherwise.
    #[default]
    Presumed,
    Utf8,
    Utf16 {
        big: bool,
    },
    /// One byte for each character; the lower half is ASCII.
    Bytes(&'static Table),
}

/// A character set that is not offered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the encoding \"{0}\" is not offered: convert the document to UTF-8, or name one of US-ASCII, ISO-8859-1 to 11 and 13 to 16, \
     windows-1250 to 1258, windows-874, IBM866, KOI8-R, KOI8-U, macintosh and x-mac-cyrillic, of a CSV file also UTF-16LE or UTF-16BE"
)]
pub struct UnknownCharset(pub String);

impl Charset {
    pub(crate) const UTF_8: Self = Self(Set::Utf8);
    pub(crate) const UTF_16_BE: Self = Self(Set::Utf16 { big: true });
    pub(crate) const UTF_16_LE: Self = Self(Set::Utf16 { big: false });

    /// The set of this name, if delimiters, quotes and digits are the bytes of ASCII in it. UTF-16 and the multi-byte sets of East Asia
    /// cannot be read so: their characters hold bytes that look like delimiters.
    pub fn named(label: &str) -> Result<Self, UnknownCharset> {
        if label.eq_ignore_ascii_case("utf-8") || label.eq_ignore_ascii_case("utf8") {
            return Ok(Self::UTF_8);
        }
        named(label).map(|table| Self(Set::Bytes(table))).ok_or_else(|| UnknownCharset(plain(label)))
    }

    /// The same for CSV files, which are decoded before delimiters are looked for, and may so be in UTF-16. A byte order mark in the file says
    /// which byte of a pair comes first; without one, the name does, and `UTF-16` means what most machines write.
    ///
    /// ```
    /// use tamis_ucrypt::document::rows::Charset;
    /// assert_eq!(Charset::named_or_wide("UTF-16BE").unwrap().decode(b"\0a").as_deref(), Some("a"));
    /// ```
    pub fn named_or_wide(label: &str) -> Result<Self, UnknownCharset> {
        let is = |names: [&str; 2]| names.iter().any(|name| label.eq_ignore_ascii_case(name));
        match label {
            _ if is(["utf-16", "utf16"]) || is(["utf-16le", "utf16le"]) => Ok(Self::UTF_16_LE),
            _ if is(["utf-16be", "utf16be"]) => Ok(Self::UTF_16_BE),
            _ => Self::named(label),
        }
    }

    /// The set itself if it is UTF-16.
    pub(crate) fn wide(self) -> Option<Self> {
        matches!(self.0, Set::Utf16 { .. }).then_some(self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Presumed | Set::Utf8 => "UTF-8",
            Set::Utf16 { .. } => "UTF-16",
            Set::Bytes(table) => table.name,
        }
    }

    /// Whether every character can be written as itself.
    pub(crate) fn has_all(self) -> bool {
        matches!(self.0, Set::Presumed | Set::Utf8 | Set::Utf16 { .. })
    }

    /// Whether a character can be written as itself.
    pub(crate) fn has(self, character: char) -> bool {
        match self.0 {
            Set::Presumed | Set::Utf8 | Set::Utf16 { .. } => true,
            Set::Bytes(table) => table.any_byte(character).is_some(),
        }
    }

    /// The text that these bytes are, if they are one.
    pub fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        let is_utf8 = match self.0 {
            Set::Presumed | Set::Utf8 => true,
            Set::Utf16 { .. } => false,
            Set::Bytes(_) => bytes.is_ascii(),
        };
        if is_utf8 {
            return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
        }
        let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 2);
        self.decode_more(&mut bytes.to_vec(), true, &mut text).then_some(())?;
        String::from_utf8(text).ok().map(Cow::Owned)
    }

    /// Where bytes begin that are not UTF-8, if nobody said that they are and most characters beyond ASCII are none of it.
    pub(crate) fn fault_in(self, bytes: &[u8]) -> Option<usize> {
        if self.0 != Set::Presumed {
            return None;
        }
        let first = std::str::from_utf8(bytes).err()?.valid_up_to();
        let (mut good, mut bad) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            good += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
            bad += usize::from(!chunk.invalid().is_empty());
        }
        (bad > good).then_some(first)
    }

    /// Moves what can be decoded from `raw` to the end of `text`, which is checked to be UTF-8 only if it is decoded; the beginning of a
    /// character stays unless it is the `last` of the document. False if the bytes are not of this set.
    #[must_use]
    pub(crate) fn decode_more(self, raw: &mut Vec<u8>, last: bool, text: &mut Vec<u8>) -> bool {
        let mut utf8 = [0; 4];
        match self.0 {
            Set::Presumed | Set::Utf8 => text.append(raw),
            Set::Utf16 { big } => {
                let units = raw.chunks_exact(2).map(|pair| unit([pair[0], pair[1]], big));
                let mut whole = raw.len() / 2;
                if !last && units.clone().next_back().is_some_and(|unit| (0xD800..0xDC00).contains(&unit)) {
                    whole -= 1;
                }
                for character in char::decode_utf16(units.take(whole)) {
                    let Ok(character) = character else { return false };
                    text.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
                }
                raw.drain(..2 * whole);
                return !last || raw.is_empty();
            }
            Set::Bytes(table) => {
                let mut rest = raw.as_slice();
                while !rest.is_empty() {
                    let ascii = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
                    text.extend_from_slice(&rest[..ascii]);
                    let Some(byte) = rest.get(ascii) else { break };
                    let Some(character) = table.character(*byte) else { return false };
                    text.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
                    rest = &rest[ascii + 1..];
                }
                raw.clear();
            }
        }
        true
    }

    /// The bytes that this text is, if it has no characters that are not in the set.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self.0 {
            Set::Presumed | Set::Utf8 => Some(Cow::Borrowed(text.as_bytes())),
            Set::Utf16 { big } => {
                let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                Some(Cow::Owned(text.encode_utf16().flat_map(bytes).collect()))
            }
            Set::Bytes(_) if text.is_ascii() => Some(Cow::Borrowed(text.as_bytes())),
            Set::Bytes(table) => {
                text.chars().map(|character| table.any_byte(character)).collect::<Option<_>>().map(Cow::Owned)
            }
        }
    }

    /// The bytes of a text, all of whose characters the set [has](Self::has).
    pub(crate) fn encode_all(self, text: String) -> Vec<u8> {
        match self.0 {
            Set::Presumed | Set::Utf8 => text.into_bytes(),
            Set::Bytes(_) if text.is_ascii() => text.into_bytes(),
            Set::Bytes(table) => text.chars().map(|character| table.any_byte(character).unwrap_or(b'?')).collect(),
            Set::Utf16 { .. } => self.encode(&text).map(Cow::into_owned).unwrap_or_default(),
        }
    }
}

fn unit(pair: [u8; 2], big: bool) -> u16 {
    if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
}

#[cfg(test)]
mod tests;
