//! The encodings of documents.
//!
//! Only encodings in which every character has exactly one form are offered: what is read and written again is then the
//! same bytes by construction.

use encoding_rs::Encoding;

use super::error::{Problem, shown};

/// Stands for bytes that the encoding leaves undefined; it is no character of XML.
const UNDEFINED: char = '\u{FFFF}';

/// An encoding.
#[derive(Debug)]
pub(super) enum Charset {
    Utf8,
    Utf16 {
        big: bool,
    },
    /// One byte for each character; the lower half is ASCII.
    Bytes(Box<Table>),
}

#[derive(Debug)]
pub(super) struct Table {
    name: &'static str,
    /// The characters of the bytes from 0x80.
    upper: [char; 128],
    /// The same characters in order, with their bytes.
    encode: Vec<(char, u8)>,
}

impl Charset {
    /// The encoding of this name in an XML declaration, for a document whose first bytes look like ASCII.
    pub(super) fn named(label: &str) -> Result<Self, Problem> {
        let lower = label.to_ascii_lowercase();
        if matches!(lower.as_str(), "utf-8" | "utf8") {
            return Ok(Self::Utf8);
        }
        if lower.starts_with("utf-16") || lower.starts_with("utf16") {
            return Err(Problem::OtherEncoding { declared: shown(label), found: "an encoding of single bytes" });
        }
        if matches!(lower.as_str(), "us-ascii" | "ascii") {
            return Ok(Self::Bytes(Box::new(Table::new("US-ASCII", &[UNDEFINED; 128]))));
        }
        let encoding = Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_single_byte());
        let encoding = encoding.ok_or_else(|| Problem::UnknownEncoding(shown(label)))?;
        let bytes: Vec<u8> = (0x80..=0xFF).collect();
        let mut upper = [UNDEFINED; 128];
        for (character, byte) in upper.iter_mut().zip(&bytes) {
            if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&[*byte]) {
                *character = text.chars().next().unwrap_or(UNDEFINED);
            }
        }
        // Browsers read these standards as their Windows relatives; XML says what it means.
        if [
            "iso-8859-1",
            "iso_8859-1",
            "iso8859-1",
            "latin1",
            "l1",
            "iso-8859-9",
            "iso_8859-9",
            "latin5",
            "iso-8859-11",
        ]
        .contains(&lower.as_str())
        {
            for (character, byte) in upper.iter_mut().zip(&bytes).take(32) {
                *character = char::from(*byte);
            }
        }
        Ok(Self::Bytes(Box::new(Table::new(encoding.name(), &upper))))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 { .. } => "UTF-16",
            Self::Bytes(table) => table.name,
        }
    }

    /// Whether every character can be written as itself.
    pub(super) fn has_all(&self) -> bool {
        matches!(self, Self::Utf8 | Self::Utf16 { .. })
    }

    /// Whether a character can be written as itself.
    pub(super) fn has(&self, character: char) -> bool {
        match self {
            Self::Utf8 | Self::Utf16 { .. } => true,
            Self::Bytes(table) => character.is_ascii() || table.byte(character).is_some(),
        }
    }

    /// Moves what can be decoded from `raw` to the end of `text`; the beginning of a character stays unless it is the `last` of
    /// the document. False if the bytes are not of this encoding.
    #[must_use]
    pub(super) fn decode(&self, raw: &mut Vec<u8>, last: bool, text: &mut Vec<u8>) -> bool {
        let mut utf8 = [0; 4];
        match self {
            Self::Utf8 => text.append(raw),
            Self::Utf16 { big } => {
                let units = raw.chunks_exact(2).map(|pair| unit([pair[0], pair[1]], *big));
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
            Self::Bytes(table) => {
                let mut rest = raw.as_slice();
                while !rest.is_empty() {
                    let ascii = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
                    text.extend_from_slice(&rest[..ascii]);
                    let Some(byte) = rest.get(ascii) else { break };
                    let character = table.upper[usize::from(*byte & 0x7F)];
                    if character == UNDEFINED {
                        return false;
                    }
                    text.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
                    rest = &rest[ascii + 1..];
                }
                raw.clear();
            }
        }
        true
    }

    /// The bytes of a text, all of whose characters the encoding [has](Self::has).
    pub(super) fn encode(&self, text: String) -> Vec<u8> {
        match self {
            Self::Utf8 => text.into_bytes(),
            Self::Utf16 { big } => {
                let mut bytes = Vec::with_capacity(2 * text.len());
                for unit in text.encode_utf16() {
                    bytes.extend_from_slice(&if *big { unit.to_be_bytes() } else { unit.to_le_bytes() });
                }
                bytes
            }
            Self::Bytes(table) => {
                let mut bytes = Vec::with_capacity(text.len());
                for character in text.chars() {
                    bytes.push(if character.is_ascii() {
                        character as u8
                    } else {
                        table.byte(character).unwrap_or(b'?')
                    });
                }
                bytes
            }
        }
    }
}

fn unit(pair: [u8; 2], big: bool) -> u16 {
    if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
}

impl Table {
    fn new(name: &'static str, upper: &[char; 128]) -> Self {
        let mut encode: Vec<(char, u8)> =
            upper.iter().copied().zip(0x80..=0xFF).filter(|(character, _)| *character != UNDEFINED).collect();
        encode.sort_unstable();
        Self { name, upper: *upper, encode }
    }

    fn byte(&self, character: char) -> Option<u8> {
        self.encode.binary_search_by_key(&character, |entry| entry.0).ok().map(|at| self.encode[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_table_comes_back() {
        for label in ["ISO-8859-1", "ISO-8859-2", "iso-8859-9", "windows-1250", "windows-1252", "KOI8-R", "IBM866"] {
            let charset = Charset::named(label).unwrap();
            for byte in 0..=255_u8 {
                let mut text = Vec::new();
                if charset.decode(&mut vec![byte], true, &mut text) {
                    let text = String::from_utf8(text).unwrap();
                    assert!(text.chars().all(|character| charset.has(character)));
                    assert_eq!(charset.encode(text), [byte], "{label} {byte:02X}");
                }
            }
        }
    }

    #[test]
    fn latin_1_is_not_its_windows_relative() {
        let latin = Charset::named("ISO-8859-1").unwrap();
        assert!(!latin.has('€') && latin.has('\u{80}') && latin.has('ó'));
        assert!(Charset::named("windows-1252").unwrap().has('€'));
        assert!(!Charset::named("US-ASCII").unwrap().has('ó'));
    }

    #[test]
    fn polish_letters_stand_where_their_standard_puts_them() {
        // ISO/IEC 8859-2 and windows-1250 differ in ą (B1 and B9).
        for (label, byte) in [("ISO-8859-2", 0xB1), ("windows-1250", 0xB9)] {
            assert_eq!(Charset::named(label).unwrap().encode("ą".into()), [byte]);
        }
    }

    #[test]
    fn encodings_with_several_forms_of_a_character_are_refused() {
        for label in ["Shift_JIS", "GBK", "ISO-2022-JP", "UTF-7", "no such"] {
            assert!(matches!(Charset::named(label), Err(Problem::UnknownEncoding(_))), "{label}");
        }
        assert!(matches!(Charset::named("UTF-16"), Err(Problem::OtherEncoding { .. })));
    }

    #[test]
    fn utf_16_waits_for_the_other_half_of_a_character() {
        let charset = Charset::Utf16 { big: true };
        let (mut raw, mut text) = (Vec::new(), Vec::new());
        for byte in [0xD8, 0x3D, 0xDE, 0x00] {
            raw.push(byte);
            assert!(charset.decode(&mut raw, false, &mut text));
        }
        assert_eq!(text, "😀".as_bytes());
        assert!(!charset.decode(&mut vec![0xD8, 0x3D], true, &mut text));
        assert!(!charset.decode(&mut vec![0xDE, 0x00, 0, 0x41], false, &mut text));
    }
}
