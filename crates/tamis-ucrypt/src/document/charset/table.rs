//! Sets of single bytes.

use std::sync::LazyLock;

use encoding_rs::Encoding;

/// A set in which every character is one byte, and the lower half is ASCII.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The characters of the bytes from 0x80; some sets leave some undefined.
    upper: [Option<char>; 128],
    /// The same characters in order, with their bytes.
    encode: Vec<(char, u8)>,
}

/// What a standard has for an upper byte, given what browsers have for it.
type Standard = fn(u8, Option<char>) -> Option<char>;

/// Standards that the list of encodings of browsers replaces by others: their name, their labels (those of the WHATWG's list and of
/// IANA's register), the set that browsers take, and what the standard has instead.
const STANDARDS: [(&str, &[&str], &str, Standard); 4] = [
    (
        "ISO-8859-1",
        &[
            "iso-8859-1",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "iso-ir-100",
            "latin1",
            "l1",
            "cp819",
            "ibm819",
            "csisolatin1",
        ],
        "windows-1252",
        |byte, _| Some(char::from(byte)),
    ),
    (
        "ISO-8859-9",
        &[
            "iso-8859-9",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "iso-ir-148",
            "latin5",
            "l5",
            "csisolatin5",
        ],
        "windows-1254",
        controls_below_a0,
    ),
    ("ISO-8859-11", &["iso-8859-11", "iso8859-11", "iso885911"], "windows-874", controls_below_a0),
    (
        "US-ASCII",
        &[
            "us-ascii",
            "ascii",
            "ansi_x3.4-1968",
            "ansi_x3.4-1986",
            "iso-ir-6",
            "iso_646.irv:1991",
            "iso646-us",
            "us",
            "ibm367",
            "cp367",
            "csascii",
        ],
        "windows-1252",
        |_, _| None,
    ),
];

fn controls_below_a0(byte: u8, character: Option<char>) -> Option<char> {
    if byte < 0xA0 { Some(char::from(byte)) } else { character }
}

/// Names of all other sets, as the list of encodings of browsers has them.
const OTHERS: [&str; 28] = [
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
];

/// All sets, the standards first.
pub(super) static ALL: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let standards = STANDARDS.iter().map(|(name, _, base, standard)| Table::new(name, base, *standard));
    standards.chain(OTHERS.iter().map(|name| Table::new(name, name, |_, character| character))).collect()
});

/// The set of this name.
pub(super) fn named(label: &str) -> Option<&'static Table> {
    let lower = label.trim_ascii().to_ascii_lowercase();
    if let Some(standard) = STANDARDS.iter().position(|(_, labels, ..)| labels.contains(&lower.as_str())) {
        return ALL.get(standard);
    }
    let name = Encoding::for_label(label.as_bytes())?.name();
    ALL[STANDARDS.len()..].iter().find(|table| table.name == name)
}

impl Table {
    fn new(name: &'static str, base: &str, standard: Standard) -> Self {
        let mut upper = [None; 128];
        let mut encode = Vec::with_capacity(128);
        let encoding = Encoding::for_label(base.as_bytes());
        for (character, byte) in upper.iter_mut().zip(0x80..=0xFF_u8) {
            let raw = [byte];
            let text = encoding.and_then(|set| set.decode_without_bom_handling_and_without_replacement(&raw));
            *character = standard(byte, text.and_then(|text| text.chars().next()));
            encode.extend(character.map(|character| (character, byte)));
        }
        encode.sort_unstable();
        Self { name, upper, encode }
    }

    /// The character of a byte from 0x80, if it has one.
    pub(super) fn character(&self, byte: u8) -> Option<char> {
        self.upper[usize::from(byte & 0x7F)]
    }

    /// The byte of a character, if it has one.
    pub(super) fn any_byte(&self, character: char) -> Option<u8> {
        if character.is_ascii() {
            return Some(character as u8);
        }
        self.encode.binary_search_by_key(&character, |entry| entry.0).ok().map(|at| self.encode[at].1)
    }
}
