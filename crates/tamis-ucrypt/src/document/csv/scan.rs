//! Finding records and fields, and nothing but: where they begin and end, not what they hold.

use std::io::Read;

use crate::document::rows::{MANY_VALUES, MOST_COLUMNS, RowsError, Span, Spot, Summary, append};
use crate::document::{LONGEST_RECORD, SeenKey};

/// How many bytes are read at once, and about how many a block has.
const READ: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Some records of a file, whole, and the bytes between them.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// Each record with its line break.
    pub(super) records: Vec<Span>,
    /// The fields of all records, the same number in each.
    pub(super) fields: Vec<Span>,
    /// The line on which the block begins.
    pub(super) line: u64,
    /// Number of the first record; the header is number zero.
    pub(super) number: u64,
    /// What becomes of it, once it is treated.
    pub(super) out: Vec<u8>,
    /// The keys of its records, if somebody wants to compare them.
    pub(super) seen: Vec<SeenKey>,
    pub(super) summary: Summary,
}

impl Block {
    pub(super) fn line_of(&self, at: u32) -> Spot {
        Spot::Line(self.line + lines(&self.bytes[..at as usize]))
    }
}

/// What the byte at the position of the scanner belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is the first one of a field.
    Start,
    /// A field without quotation marks.
    Bare,
    /// A field in quotation marks.
    Quoted,
    /// It follows a quotation mark in a quoted field: the field ends, or the mark was one of two.
    Closing,
    /// It follows a carriage return, which ends the record, perhaps together with a line feed.
    Return,
}

/// Cuts a file into blocks of records.
pub(super) struct Scanner<R> {
    input: R,
    delimiter: u8,
    /// Fields per record, once the header is read.
    columns: Option<usize>,
    block: Block,
    at: usize,
    state: State,
    record: usize,
    field: usize,
    /// Where the fields of the current record begin among all fields.
    first: usize,
    ended: bool,
    spare: Vec<Block>,
}

impl<R: Read> Scanner<R> {
    pub(super) fn new(input: R, delimiter: u8) -> Result<Self, RowsError> {
        if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\n' | b'\r' | 0) {
            return Err(RowsError::Delimiter);
        }
        let block = Block { line: 1, ..Block::default() };
        Ok(Self {
            input,
            delimiter,
            columns: None,
            block,
            at: 0,
            state: State::Start,
            record: 0,
            field: 0,
            first: 0,
            ended: false,
            spare: Vec::new(),
        })
    }

    /// The next records. The first block begins with the header; bytes that belong to no record come with their neighbours.
    pub(super) fn next(&mut self) -> Result<Option<Block>, RowsError> {
        while !self.ended || self.at < self.block.bytes.len() {
            if self.at == self.block.bytes.len() {
                self.fill()?;
            }
            self.scan()?;
            if self.at < self.block.bytes.len() {
                return Ok(Some(self.cut()));
            }
            if self.block.bytes.len() - self.record > LONGEST_RECORD {
                return Err(RowsError::RecordTooLong(self.spot(self.record)));
            }
            if self.ended {
                self.finish()?;
                break;
            }
            if self.record >= READ / 2 {
                return Ok(Some(self.cut()));
            }
        }
        if self.block.bytes.is_empty() {
            return Ok(None);
        }
        self.at = 0;
        Ok(Some(std::mem::take(&mut self.block)))
    }

    fn fill(&mut self) -> Result<(), RowsError> {
        let bytes = &mut self.block.bytes;
        let filled = bytes.len();
        // Doubling, so that a long record is not moved more often than its length warrants, but never beyond the limit.
        let room = filled.clamp(READ, LONGEST_RECORD + READ - filled.min(LONGEST_RECORD));
        let (line, record) = (self.block.line, self.record);
        let spot = |bytes: &[u8]| Spot::Line(line + lines(&bytes[..record]));
        self.ended = append(&mut self.input, (READ, room), bytes, spot)?;
        let starts = self.block.number == 0 && filled == 0;
        if !starts {
            return Ok(());
        }
        if self.block.bytes.starts_with(BYTE_ORDER_MARK) {
            (self.at, self.record, self.field) = (3, 3, 3);
        }
        // Said here, because whatever else is found in UTF-16 is a riddle.
        let header = self.block.bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        if header.starts_with(b"\xff\xfe") || header.starts_with(b"\xfe\xff") || header.contains(&0) {
            return Err(RowsError::ZeroBytes(Spot::Line(1)));
        }
        Ok(())
    }

    /// Scans to the end of the bytes, or of the record with which there are many fields.
    fn scan(&mut self) -> Result<(), RowsError> {
        while let Some(&byte) = self.block.bytes.get(self.at) {
            if self.first >= MANY_VALUES && self.record == self.at {
                return Ok(());
            }
            match self.state {
                State::Start => {
                    self.field = self.at;
                    self.state = if byte == b'"' { State::Quoted } else { State::Bare };
                    self.at += usize::from(byte == b'"');
                }
                State::Bare => {
                    let stops = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\n' | b'\r');
                    let length = self.block.bytes[self.at..].iter().position(stops);
                    self.at = length.map_or(self.block.bytes.len(), |length| self.at + length);
                    if length.is_some() {
                        self.end_field()?;
                    }
                }
                State::Quoted => match memchr::memchr(b'"', &self.block.bytes[self.at..]) {
                    Some(length) => {
                        self.at += length + 1;
                        self.state = State::Closing;
                    }
                    None => self.at = self.block.bytes.len(),
                },
                State::Closing if byte == b'"' => {
                    self.at += 1;
                    self.state = State::Quoted;
                }
                State::Closing => self.end_field()?,
                State::Return => {
                    self.at += usize::from(byte == b'\n');
                    self.end_record()?;
                }
            }
        }
        Ok(())
    }

    /// Ends a field at the delimiter or line break at the position.
    fn end_field(&mut self) -> Result<(), RowsError> {
        let byte = self.block.bytes[self.at];
        let breaks = matches!(byte, b'\n' | b'\r');
        if !breaks && byte != self.delimiter {
            let field = self.block.fields.len() - self.first + 1;
            return Err(RowsError::BehindQuote { spot: self.spot(self.at), field });
        }
        let blank = breaks && self.at == self.record;
        if !blank {
            self.push_field()?;
        }
        self.at += 1;
        match byte {
            b'\n' => self.end_record(),
            b'\r' => {
                self.state = State::Return;
                Ok(())
            }
            _ => {
                self.state = State::Start;
                Ok(())
            }
        }
    }

    fn push_field(&mut self) -> Result<(), RowsError> {
        let limit = self.columns.unwrap_or(MOST_COLUMNS);
        let found = self.block.fields.len() - self.first + 1;
        if found > limit {
            let spot = self.spot(self.record);
            return Err(match self.columns {
                Some(columns) => RowsError::Ragged { spot, found, columns },
                None => RowsError::TooManyColumns(spot),
            });
        }
        // A record is at most 8 MiB long, so its positions are small.
        self.block.fields.push(Span { start: self.field as u32, end: self.at as u32 });
        Ok(())
    }

    /// Ends a record at the position, which is behind its line break.
    fn end_record(&mut self) -> Result<(), RowsError> {
        let found = self.block.fields.len() - self.first;
        if found > 0 {
            let columns = *self.columns.get_or_insert(found);
            if found != columns {
                return Err(RowsError::Ragged { spot: self.spot(self.record), found, columns });
            }
            self.block.records.push(Span { start: self.record as u32, end: self.at as u32 });
        }
        self.record = self.at;
        self.field = self.at;
        self.first = self.block.fields.len();
        self.state = State::Start;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RowsError> {
        match self.state {
            State::Quoted => {
                return Err(RowsError::Unclosed { spot: self.spot(self.field), what: "a quoted field" });
            }
            State::Bare | State::Closing => self.push_field()?,
            // A delimiter was the last byte: an empty field follows it.
            State::Start if self.block.fields.len() > self.first => {
                self.field = self.at;
                self.push_field()?;
            }
            State::Start | State::Return => {}
        }
        self.end_record()
    }

    /// Takes the records that are complete; what follows them begins the next block.
    fn cut(&mut self) -> Block {
        let cut = self.record;
        let mut next = self.spare.pop().unwrap_or_default();
        next.bytes.reserve_exact(2 * READ);
        next.bytes.extend_from_slice(&self.block.bytes[cut..]);
        self.block.bytes.truncate(cut);
        let back = |span: &Span| Span { start: span.start - cut as u32, end: span.end - cut as u32 };
        next.fields.extend(self.block.fields[self.first..].iter().map(back));
        self.block.fields.truncate(self.first);
        next.line = self.block.line + lines(&self.block.bytes);
        next.number = self.block.number + self.block.records.len() as u64;
        self.at -= cut;
        self.field -= cut;
        self.record = 0;
        self.first = 0;
        std::mem::replace(&mut self.block, next)
    }

    /// Takes a block back whose memory can be used again.
    pub(super) fn recycle(&mut self, mut block: Block) {
        if block.bytes.capacity() + block.out.capacity() > 16 * READ {
            return;
        }
        block.bytes.clear();
        block.records.clear();
        block.fields.clear();
        block.out.clear();
        block.seen.clear();
        self.spare.push(block);
    }

    fn spot(&self, at: usize) -> Spot {
        self.block.line_of(at as u32)
    }
}

/// Line breaks: LF, CRLF or CR.
fn lines(bytes: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let returns = memchr::memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count();
    (feeds + returns) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_tiny_records_have_few_fields() -> Result<(), RowsError> {
        for line_break in ["\n", "\r\n", "\r"] {
            let rows = (0..20_000).map(|number| format!("{number},"));
            let text = std::iter::once("id,a".to_owned()).chain(rows).collect::<Vec<_>>().join(line_break);
            let mut scanner = Scanner::new(text.as_bytes(), b',')?;
            let (mut bytes, mut records) = (Vec::new(), 0);
            while let Some(block) = scanner.next()? {
                assert!(block.fields.len() <= MANY_VALUES + 1, "{}", block.fields.len());
                assert_eq!(block.number, records);
                bytes.extend_from_slice(&block.bytes);
                records += block.records.len() as u64;
                scanner.recycle(block);
            }
            assert_eq!((bytes.as_slice(), records), (text.as_bytes(), 20_001));
        }
        Ok(())
    }
}
