//! Files in UTF-16, as spreadsheets write them: read as UTF-8, and written as they were.
//!
//! A byte order mark tells UTF-16, or else the user does. The mark stays in the text as any character, so it is written again by itself.

use std::io::{self, ErrorKind, Read, Write};

use crate::document::rows::Charset;

/// How many bytes are decoded at once.
const CHUNK: usize = 64 << 10;

/// An input whose beginning was looked at.
pub(crate) struct Decoded<R> {
    input: R,
    /// In what it is written, if that is UTF-16.
    pub(crate) wide: Option<Charset>,
    raw: Vec<u8>,
    text: Vec<u8>,
    at: usize,
    is_ended: bool,
}

impl<R: Read> Decoded<R> {
    /// Looks for the mark, unless somebody said that the file is in an encoding of single bytes.
    pub(crate) fn open(mut input: R, charset: Charset) -> io::Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(2).read_to_end(&mut start)?;
        let wide = match start.as_slice() {
            _ if !charset.has_all() => None,
            [0xFF, 0xFE] => Some(Charset::UTF_16_LE),
            [0xFE, 0xFF] => Some(Charset::UTF_16_BE),
            _ => charset.wide(),
        };
        let (raw, text) = if wide.is_some() { (start, Vec::new()) } else { (Vec::new(), start) };
        Ok(Self { input, wide, raw, text, at: 0, is_ended: false })
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            let Some(wide) = self.wide else { return self.input.read(buffer) };
            if self.is_ended {
                return Ok(0);
            }
            self.text.clear();
            self.at = 0;
            self.is_ended = self.input.by_ref().take(CHUNK as u64).read_to_end(&mut self.raw)? == 0;
            if !wide.decode_more(&mut self.raw, self.is_ended, &mut self.text) {
                return Err(io::Error::new(ErrorKind::InvalidData, "it is read as UTF-16 and has bytes that are not"));
            }
        }
        let length = buffer.len().min(self.text.len() - self.at);
        buffer[..length].copy_from_slice(&self.text[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// An output that takes UTF-8 and writes it in the encoding of the input.
pub(crate) struct Encoded<W> {
    output: W,
    wide: Option<Charset>,
    /// The beginning of a character.
    rest: Vec<u8>,
}

impl<W> Encoded<W> {
    pub(crate) fn new(output: W, wide: Option<Charset>) -> Self {
        Self { output, wide, rest: Vec::new() }
    }
}

impl<W: Write> Write for Encoded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(wide) = self.wide else { return self.output.write(bytes) };
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text,
            Err(error) if error.error_len().is_some() => {
                return Err(io::Error::new(ErrorKind::InvalidData, "what would be written is no text"));
            }
            Err(error) => std::str::from_utf8(&self.rest[..error.valid_up_to()]).unwrap_or_default(),
        };
        let length = whole.len();
        self.output.write_all(&wide.encode(whole).unwrap_or_default())?;
        self.rest.drain(..length);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
