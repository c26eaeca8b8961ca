//! Finds out how a file is written by looking at its first kilobytes.

use crate::compression::decompress;
use crate::encoding::byte_order_mark;
use crate::read_table::FORCE_LATIN1;
use crate::records::{Forced, Records, parser, read_error};
use crate::text_stream::count_byte;
use crate::{Compression, Encoding, SourceError};
use csv::ByteRecord;
use std::cmp::Reverse;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much of a file is looked at.
const SAMPLE: u64 = 1 << 16;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// What separates fields.
    pub delimiter: u8,
    /// What encloses fields that contain delimiters, quotes or line breaks.
    pub quote: u8,
    /// How characters are written as bytes.
    pub encoding: Encoding,
    /// How the bytes are compressed.
    pub compression: Compression,
}

/// Looks at the first 64 KiB of a table.
///
/// The delimiter is the one of `,` `;` tab `|` that gives the header more than one field and most lines as many as the
/// header; a file of one column has none and counts as separated by `,`. The quote is `"` unless every field of the header
/// is enclosed in `'`. Text that is not UTF-8 is an error: which other encoding it has cannot be told by looking.
pub fn detect(path: impl AsRef<Path>) -> Result<Format, SourceError> {
    detect_encoded(path, Encoding::Utf8)
}

/// Does what [`detect`] does for a table whose encoding is known.
pub fn detect_encoded(path: impl AsRef<Path>, encoding: Encoding) -> Result<Format, SourceError> {
    let name = crate::shown(path.as_ref());
    let file = File::open(path).map_err(|reason| SourceError::Open { name: name.clone(), reason })?;
    detect_in(Box::new(file), &name, encoding)
}

/// Does what [`detect`] does for the first bytes of a file.
///
/// ```
/// use tamis_source::{Compression, Encoding, Format, detect_from};
/// let format = detect_from("age;income\n39;\"1,200\"\n50;\"3,400\"\n".as_bytes())?;
/// let expected =
///     Format { delimiter: b';', quote: b'"', encoding: Encoding::Utf8, compression: Compression::None };
/// assert_eq!(format, expected);
/// # Ok::<(), tamis_source::SourceError>(())
/// ```
pub fn detect_from(bytes: &[u8]) -> Result<Format, SourceError> {
    detect_in(Box::new(bytes), "the input", Encoding::Utf8)
}

fn detect_in(file: Box<dyn Read + '_>, name: &str, encoding: Encoding) -> Result<Format, SourceError> {
    let (compression, mut text) = decompress(file).map_err(|reason| read_error(name, Compression::None, reason))?;
    let sample = Sample::read(&mut text, name, compression)?;
    let (delimiter, quote) = sample.delimiter_and_quote(Forced::default(), Layout::Table)?;
    let format = Format { delimiter, quote, encoding, compression };
    if encoding == Encoding::Utf8 {
        sample.check_utf8(name, format)?;
    }
    Ok(format)
}

/// What kind of file is looked at, which decides what is likely where the sample leaves a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A table with a header.
    Table,
    /// A hierarchy, whose labels often contain commas ("[20, 40[") and whose usual delimiter is `;`.
    Hierarchy,
}

impl Layout {
    fn delimiters(self) -> [u8; 4] {
        match self {
            Self::Table => *b",;\t|",
            Self::Hierarchy => *b";,\t|",
        }
    }
}

/// What a delimiter makes of a sample.
struct Cut {
    delimiter: u8,
    /// Number of fields in the first record.
    width: usize,
    /// Share of the records with as many.
    share: f64,
    /// Quote characters inside fields.
    quotes: u64,
}

/// The first bytes of a text.
pub(crate) struct Sample {
    pub(crate) bytes: Vec<u8>,
    /// Length of the byte order mark.
    pub(crate) mark: usize,
    /// Whether the text may go on.
    cut: bool,
}

impl Sample {
    pub(crate) fn read(text: &mut dyn Read, name: &str, compression: Compression) -> Result<Self, SourceError> {
        let mut bytes = Vec::new();
        text.take(SAMPLE).read_to_end(&mut bytes).map_err(|reason| read_error(name, compression, reason))?;
        let mark = byte_order_mark(&bytes, name)?;
        let cut = bytes.len() as u64 == SAMPLE;
        Ok(Self { bytes, mark, cut })
    }

    fn text(&self) -> &[u8] {
        &self.bytes[self.mark..]
    }

    /// The byte that ends lines: a carriage return only where there are no line feeds at all.
    pub(crate) fn line_break(&self) -> u8 {
        if self.bytes.contains(&b'\r') && !self.bytes.contains(&b'\n') { b'\r' } else { b'\n' }
    }

    pub(crate) fn delimiter_and_quote(&self, forced: Forced, layout: Layout) -> Result<(u8, u8), SourceError> {
        let candidates = forced.delimiter.map_or(layout.delimiters().to_vec(), |delimiter| vec![delimiter]);
        let quote = forced.quote.unwrap_or_else(|| self.quote(&candidates));
        let delimiter = forced.delimiter.unwrap_or_else(|| self.delimiter(&candidates, quote, layout));
        let usable = |byte: u8| byte.is_ascii() && byte != b'\n' && byte != b'\r';
        if delimiter == quote || !usable(delimiter) || !usable(quote) {
            return Err(SourceError::UnusableDelimiter { delimiter, quote });
        }
        Ok((delimiter, quote))
    }

    /// `'` if every field of the first line is enclosed in it, else `"`.
    fn quote(&self, delimiters: &[u8]) -> u8 {
        let line = self.text().split(|byte| matches!(byte, b'\n' | b'\r')).find(|line| !line.is_empty());
        let enclosed = |field: &[u8]| field.len() > 1 && field.starts_with(b"'") && field.ends_with(b"'");
        let all_enclosed = |line: &[u8], delimiter| line.split(|&byte| byte == delimiter).all(enclosed);
        match line {
            Some(line) if delimiters.iter().any(|&delimiter| all_enclosed(line, delimiter)) => b'\'',
            _ => b'"',
        }
    }

    /// The delimiter under which the most lines have as many fields as the first, which must have several.
    ///
    /// A wrong delimiter cuts quoted fields in two and leaves their quotes in the pieces, so among equals the one with fewer
    /// quotes in its fields wins; then, in a table, the one with more fields; then the more usual one.
    fn delimiter(&self, candidates: &[u8], quote: u8, layout: Layout) -> u8 {
        let rank = |cut: &Cut| {
            let width = if layout == Layout::Table { cut.width } else { 0 };
            (cut.share, Reverse(cut.quotes), width)
        };
        let mut best: Option<Cut> = None;
        for &delimiter in candidates.iter().filter(|&&delimiter| delimiter != quote) {
            let Some(cut) = self.cut_by(delimiter, quote) else { continue };
            if best.as_ref().is_none_or(|best| rank(&cut) > rank(best)) {
                best = Some(cut);
            }
        }
        best.map_or(candidates[0], |cut| cut.delimiter)
    }

    /// What a delimiter makes of the sample; `None` if it leaves the first record in one piece.
    fn cut_by(&self, delimiter: u8, quote: u8) -> Option<Cut> {
        let mut parser = parser(delimiter, quote).from_reader(self.text());
        let mut record = ByteRecord::new();
        let (mut width, mut records, mut agreeing, mut quotes) = (0, 0_u32, 0_u32, 0);
        while parser.read_byte_record(&mut record).ok()? {
            let unfinished = self.cut && parser.position().byte() == self.text().len() as u64;
            if records == 0 {
                width = record.len();
                if width == 1 {
                    return None;
                }
            } else if unfinished {
                break;
            }
            records += 1;
            agreeing += u32::from(record.len() == width);
            quotes += count_byte(record.as_slice(), quote);
        }
        let share = f64::from(agreeing) / f64::from(records);
        (records > 0).then_some(Cut { delimiter, width, share, quotes })
    }

    /// Goes through the sample in search of bytes that are not UTF-8; what the end of the sample cuts is not judged.
    fn check_utf8(&self, name: &str, format: Format) -> Result<(), SourceError> {
        match std::str::from_utf8(self.text()) {
            Err(error) if error.error_len().is_some() || !self.cut => {}
            _ => return Ok(()),
        }
        let mut records = Records::new(Box::new(self.text()), name, format, self.line_break());
        let mut header: Vec<String> = Vec::new();
        loop {
            match records.advance() {
                Ok(true) => {}
                Err(error) if !self.cut => return Err(error),
                Ok(false) | Err(_) => return Ok(()),
            }
            let fields = 0..records.record().len();
            let field = |index: usize| header.get(index).map_or("the header".to_owned(), |name| format!("`{name}`"));
            let texts = fields
                .map(|index| records.text(index, || field(index), FORCE_LATIN1))
                .collect::<Result<Vec<_>, _>>()?;
            if header.is_empty() {
                header = texts;
            }
        }
    }
}
