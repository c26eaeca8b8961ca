//! A file opened, decompressed and decoded, record by record, each with its place.

use crate::compression::decompress;
use crate::detect::{Layout, Sample};
use crate::text_stream::{TextStream, count_byte};
use crate::{Compression, Encoding, Format, SourceError};
use csv::ByteRecord;
use std::io::{self, Cursor, Read};
use std::str::Utf8Error;

/// What is known about a file before it is opened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Forced {
    pub(crate) delimiter: Option<u8>,
    pub(crate) quote: Option<u8>,
    pub(crate) encoding: Option<Encoding>,
}

/// The records of a file. Blank lines are skipped, though [`Records::lines`] shows where they were.
pub(crate) struct Records<'a> {
    name: &'a str,
    format: Format,
    parser: csv::Reader<TextStream<'a>>,
    record: ByteRecord,
}

impl<'a> Records<'a> {
    pub(crate) fn open(
        file: Box<dyn Read + 'a>,
        name: &'a str,
        forced: Forced,
        layout: Layout,
    ) -> Result<Self, SourceError> {
        let (compression, mut text) = decompress(file).map_err(|reason| read_error(name, Compression::None, reason))?;
        let sample = Sample::read(&mut text, name, compression)?;
        let encoding = forced.encoding.unwrap_or_default();
        let (delimiter, quote) = sample.delimiter_and_quote(forced, layout)?;
        let line_break = sample.line_break();
        let start = if encoding == Encoding::Utf8 { sample.mark } else { 0 };
        let mut sampled = Cursor::new(sample.bytes);
        sampled.set_position(start as u64);
        let format = Format { delimiter, quote, encoding, compression };
        Ok(Self::new(Box::new(sampled.chain(text)), name, format, line_break))
    }

    /// The records of a text that is decompressed and whose format is known.
    pub(crate) fn new(text: Box<dyn Read + 'a>, name: &'a str, format: Format, line_break: u8) -> Self {
        let stream = TextStream::new(text, format.encoding, line_break, format.quote);
        let parser = parser(format.delimiter, format.quote).buffer_capacity(1 << 16).from_reader(stream);
        Self { name, format, parser, record: ByteRecord::new() }
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Goes to the next record; false at the end.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<bool, SourceError> {
        match self.parser.read_byte_record(&mut self.record) {
            Err(error) => Err(read_error(self.name, self.format.compression, into_io(error))),
            Ok(false) => Ok(false),
            Ok(true) => {
                if self.parser.get_ref().end() == Some(self.parser.position().byte()) {
                    return self.at_end_mark();
                }
                Ok(true)
            }
        }
    }

    /// The record at hand.
    #[inline]
    pub(crate) fn record(&self) -> &ByteRecord {
        &self.record
    }

    /// The lines in which the record at hand starts and ends; after the last one, the line behind the end of the file.
    pub(crate) fn lines(&mut self) -> (u64, u64) {
        let terminator = self.parser.position().byte().saturating_sub(1);
        let stream = self.parser.get_mut();
        let last = stream.line_at(terminator);
        (last.saturating_sub(count_byte(self.record.as_slice(), stream.line_break())), last)
    }

    /// The text of a field, or an error with its place. `field` names it and `remedy` says what to do.
    pub(crate) fn text(
        &mut self,
        index: usize,
        field: impl FnOnce() -> String,
        remedy: &'static str,
    ) -> Result<String, SourceError> {
        match std::str::from_utf8(&self.record[index]) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(self.not_utf8(index, error, field(), remedy)),
        }
    }

    /// The error for a field that is not UTF-8.
    pub(crate) fn not_utf8(
        &mut self,
        index: usize,
        error: Utf8Error,
        field: String,
        remedy: &'static str,
    ) -> SourceError {
        let offset = error.valid_up_to();
        let byte = self.record[index].get(offset).copied().unwrap_or_default();
        let (name, line) = (self.name.to_owned(), self.line_of(index));
        SourceError::NotUtf8 { name, line, column: index + 1, field, offset: offset + 1, byte, remedy }
    }

    /// The line in which a field of the record at hand starts.
    fn line_of(&mut self, index: usize) -> u64 {
        let (first, _) = self.lines();
        let line_break = self.parser.get_ref().line_break();
        first + self.record.iter().take(index).map(|field| count_byte(field, line_break)).sum::<u64>()
    }

    /// The record at hand reaches into the end mark: it is the mark itself, or a quote was never closed.
    #[cold]
    fn at_end_mark(&mut self) -> Result<bool, SourceError> {
        if self.record.len() == 1 && self.record[0].is_empty() {
            return Ok(false);
        }
        // The open field is the last one and reaches to the end mark, so it starts as many lines above it as it contains.
        let column = self.record.len();
        let line = self.line_of(column - 1);
        Err(SourceError::OpenQuote { name: self.name.to_owned(), line, column, quote: self.format.quote })
    }
}

/// The parser that reads tables, hierarchies and samples alike: lines may differ in length, there are no special ones.
pub(crate) fn parser(delimiter: u8, quote: u8) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).quote(quote).has_headers(false).flexible(true);
    builder
}

/// A failure to read is the disk's or, if the operating system knows nothing of it, the decompressor's.
pub(crate) fn read_error(name: &str, compression: Compression, reason: io::Error) -> SourceError {
    let name = name.to_owned();
    if compression == Compression::None || reason.raw_os_error().is_some() {
        SourceError::Read { name, reason }
    } else {
        SourceError::Damaged { name, compression, reason }
    }
}

fn into_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
