//! The text of a file as the CSV parser sees it, with the line number of every place just parsed.

use crate::Encoding;
use crate::encoding::append_latin1;
use std::io::{self, Read};

const CHUNK: usize = 1 << 16;

/// Feeds UTF-8 text to the parser chunk by chunk and adds an end mark that shows an open quote.
///
/// The parser reports neither the lines of a file with CRLF exactly nor a quote left open at its end. So the latest chunk
/// is kept, in which the end of the record just parsed always lies, and line breaks are counted here. And the text is
/// followed by one more quote on a line of its own: that parses as a record of one empty field, unless a quote was open
/// before, in which case it closes that field and no such record appears.
pub(crate) struct TextStream<'a> {
    source: Box<dyn Read + 'a>,
    encoding: Encoding,
    line_break: u8,
    quote: u8,
    chunk: Vec<u8>,
    given: usize,
    /// Offset of the chunk in the text.
    chunk_start: u64,
    /// Line breaks have been counted up to this offset.
    counted_to: u64,
    line_breaks: u64,
    /// Length of the text with its end mark, once it is known.
    end: Option<u64>,
    latin1: Vec<u8>,
}

impl<'a> TextStream<'a> {
    pub(crate) fn new(source: Box<dyn Read + 'a>, encoding: Encoding, line_break: u8, quote: u8) -> Self {
        Self {
            source,
            encoding,
            line_break,
            quote,
            chunk: Vec::with_capacity(CHUNK),
            given: 0,
            chunk_start: 0,
            counted_to: 0,
            line_breaks: 0,
            end: None,
            latin1: Vec::new(),
        }
    }

    pub(crate) fn line_break(&self) -> u8 {
        self.line_break
    }

    /// Length of the text with its end mark; known only when the last chunk was given away.
    pub(crate) fn end(&self) -> Option<u64> {
        self.end
    }

    /// The line, from 1, of a place in the latest chunk. Places must be asked for in their order.
    pub(crate) fn line_at(&mut self, offset: u64) -> u64 {
        let from = self.counted_to.saturating_sub(self.chunk_start) as usize;
        let to = offset.saturating_sub(self.chunk_start) as usize;
        if let Some(passed) = self.chunk.get(from..to) {
            self.line_breaks += count_byte(passed, self.line_break);
            self.counted_to = offset;
        }
        self.line_breaks + 1
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        let next_start = self.chunk_start + self.chunk.len() as u64;
        self.line_at(next_start);
        let last = self.chunk.last().copied();
        self.chunk_start = next_start;
        self.given = 0;
        self.chunk.clear();
        if self.end.is_some() {
            return Ok(());
        }
        match self.encoding {
            Encoding::Utf8 => read_chunk(&mut self.source, &mut self.chunk)?,
            Encoding::Latin1 => {
                read_chunk(&mut self.source, &mut self.latin1)?;
                append_latin1(&self.latin1, &mut self.chunk);
            }
        }
        if self.chunk.is_empty() {
            if !matches!(last, Some(b'\n' | b'\r')) {
                self.chunk.push(self.line_break);
            }
            self.chunk.push(self.quote);
            self.end = Some(self.chunk_start + self.chunk.len() as u64);
        }
        Ok(())
    }
}

impl Read for TextStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.chunk.len() {
            self.next_chunk()?;
        }
        let rest = &self.chunk[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

/// Replaces the buffer's content by what one call gives: nothing at the end.
fn read_chunk(source: &mut dyn Read, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.resize(CHUNK, 0);
    let count = loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result?,
        }
    };
    buffer.truncate(count);
    Ok(())
}

/// Occurrences of a byte; written so that the compiler can count many bytes at once.
pub(crate) fn count_byte(bytes: &[u8], wanted: u8) -> u64 {
    // At most 255 bytes are summed in eight bits.
    bytes.chunks(255).map(|part| u64::from(part.iter().map(|&byte| u8::from(byte == wanted)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_mark_stands_on_a_line_of_its_own() -> io::Result<()> {
        for (text, marked) in [("", "\n\""), ("a", "a\n\""), ("a\n", "a\n\""), ("a\r\n", "a\r\n\""), ("\n", "\n\"")] {
            let mut stream = TextStream::new(Box::new(text.as_bytes()), Encoding::Utf8, b'\n', b'"');
            let mut read = String::new();
            stream.read_to_string(&mut read)?;
            assert_eq!(read, marked);
            assert_eq!(stream.end(), Some(marked.len() as u64));
        }
        Ok(())
    }

    #[test]
    fn lines_are_counted_across_chunks() -> io::Result<()> {
        let text = "x\n".repeat(CHUNK);
        let mut stream = TextStream::new(Box::new(text.as_bytes()), Encoding::Utf8, b'\n', b'"');
        let mut half = vec![0; CHUNK + 10];
        stream.read_exact(&mut half)?;
        assert_eq!(stream.line_at(CHUNK as u64 + 7), CHUNK as u64 / 2 + 4);
        assert_eq!(stream.line_at(CHUNK as u64 + 8), CHUNK as u64 / 2 + 5);
        Ok(())
    }

    #[test]
    fn counting_agrees_with_a_plain_filter() {
        let bytes: Vec<u8> = (0..2000u32).map(|i| if i % 3 == 0 { b'\n' } else { b'x' }).collect();
        assert_eq!(count_byte(&bytes, b'\n'), 667);
        assert_eq!(count_byte(&vec![b'\n'; 1024], b'\n'), 1024);
    }
}
