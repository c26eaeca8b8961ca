//! Cutting a dump into statements, rows and values.

mod statement;
mod step;
mod unsealable;

use std::io::Read;
use std::ops::Range;

use super::batch::{Batch, Piece, Unsealable, line_of_next};
use super::lex::{Open, Text, Token};
use super::tables::Tables;
use super::writes::Writes;
use super::{Dialect, Options};
use crate::document::LONGEST_RECORD;
use crate::document::rows::{Columns, MANY_VALUES, RowsError, Span, Spot, append};

/// How many bytes are read at once, and about how many a batch has.
const READ: usize = 256 << 10;

/// What is expected at the position of the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The first bytes of the dump.
    Start,
    /// A statement, or something between statements.
    Between,
    /// More of the definition of a routine or trigger.
    Routine(Routine),
    /// A row of an INSERT statement, the first one or another; or its end.
    Rows { table: usize, first: bool },
    /// The rest of an INSERT statement, behind its rows, of which nothing can be sealed if its table is selected.
    Tail { table: usize, writes: Writes },
    /// A line of a COPY statement, read as rows of a table or not.
    Lines(Option<usize>),
    /// A statement between two DELIMITER lines, or something between such statements.
    Delimited,
}

/// A routine or trigger that is being defined: its statements are not its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Routine {
    /// Whether its body has begun.
    body: bool,
    /// How many parentheses are open.
    depth: u32,
    /// Whether a word is a name here, whatever it says.
    names: bool,
    /// The last semicolon, or the END behind it.
    closing: Closing,
    /// What it puts into tables.
    writes: Writes,
    /// Whether it was told of.
    is_told: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Closing {
    #[default]
    No,
    Semicolon,
    End,
}

/// What went wrong in a step.
enum Stop {
    More,
    Wrong(RowsError),
}

impl From<RowsError> for Stop {
    fn from(error: RowsError) -> Self {
        Self::Wrong(error)
    }
}

/// Reads a dump batch by batch.
pub(super) struct Scanner<'s, R> {
    input: R,
    dialect: Option<Dialect>,
    /// Whether nothing says whose dump it is, and nothing was found yet for which that matters.
    is_guessed: bool,
    pub(super) tables: Tables<'s>,
    batch: Batch,
    at: usize,
    ended: bool,
    state: State,
    /// The selected table of which rows stand before, if nothing but comments is between.
    behind: Option<usize>,
    /// A comment with values that no rows of a selected table stand before; there may be some behind it.
    pending: Option<Unsealable>,
    /// Whether a comment is open that not every server executes.
    is_doubtful: bool,
    last_head: (Vec<u8>, usize),
    /// What ends statements between DELIMITER lines.
    delimiter: Vec<u8>,
    spare: Vec<Batch>,
}

impl<'s, R: Read> Scanner<'s, R> {
    pub(super) fn new(input: R, options: &Options, selectors: &'s [Columns]) -> Self {
        let tables = Tables::new(options.dialect.unwrap_or_default(), options.charset, selectors);
        Self {
            input,
            dialect: options.dialect,
            is_guessed: false,
            tables,
            batch: Batch { line: 1, ..Batch::default() },
            at: 0,
            ended: false,
            state: State::Start,
            behind: None,
            pending: None,
            is_doubtful: false,
            last_head: (Vec::new(), 0),
            delimiter: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Reads a block of headers, in which no other one is looked for.
    pub(super) fn in_block(input: R, options: &Options) -> Self {
        Self { state: State::Between, ..Self::new(input, options, &[]) }
    }

    /// How the dump is read: as asked for, or as it looks once its first batch is read.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// The next part of the dump.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, RowsError> {
        loop {
            if self.at >= READ || self.batch.values.len() >= MANY_VALUES {
                return Ok(Some(self.cut()));
            }
            if self.ended && self.at == self.batch.bytes.len() {
                let unclosed = match self.state {
                    State::Lines(_) => Some("the data of a COPY statement"),
                    // What was taken for it would hide everything behind it.
                    State::Routine(routine) if routine.body && routine.closing != Closing::End => {
                        Some("the body of a routine or trigger")
                    }
                    _ => None,
                };
                if let Some(what) = unclosed {
                    return Err(RowsError::Unclosed { spot: self.spot(), what });
                }
                let mut batch = std::mem::take(&mut self.batch);
                batch.dialect = self.dialect();
                self.tell_doubt(&mut batch);
                self.at = 0;
                return Ok((!batch.bytes.is_empty()).then_some(batch));
            }
            let step = if self.batch.bytes.is_empty() { Err(Stop::More) } else { self.step() };
            match step {
                Ok(()) => {}
                Err(Stop::Wrong(error)) => return Err(error),
                Err(Stop::More) if self.batch.bytes.len() - self.at > LONGEST_RECORD => {
                    let spot = line_of_next(self.batch.line, &self.batch.bytes, self.at);
                    return Err(RowsError::RecordTooLong(spot));
                }
                Err(Stop::More) if self.ended => {
                    return Err(RowsError::Unclosed { spot: self.spot(), what: "a statement" });
                }
                Err(Stop::More) => self.fill()?,
            }
        }
    }

    fn fill(&mut self) -> Result<(), RowsError> {
        let bytes = &mut self.batch.bytes;
        let filled = bytes.len();
        // What is asked for more is looked at again from its start, so it must have grown by a good part each time.
        let more = (filled - self.at).clamp(READ, LONGEST_RECORD / 4);
        let (line, at) = (self.batch.line, self.at);
        self.ended = append(&mut self.input, (more, more), bytes, |bytes| line_of_next(line, bytes, at))?;
        Ok(())
    }

    fn cut(&mut self) -> Batch {
        let mut next = self.spare.pop().unwrap_or_default();
        next.bytes.reserve_exact(2 * READ);
        next.bytes.extend_from_slice(&self.batch.bytes[self.at..]);
        self.batch.bytes.truncate(self.at);
        self.batch.dialect = self.dialect();
        next.line = self.batch.line + memchr::memchr_iter(b'\n', &self.batch.bytes).count() as u64;
        self.at = 0;
        let mut batch = std::mem::replace(&mut self.batch, next);
        self.tell_doubt(&mut batch);
        batch
    }

    /// Takes a batch back whose memory can be used again.
    pub(super) fn recycle(&mut self, mut batch: Batch) {
        if batch.bytes.capacity() + batch.became.bytes.capacity() <= 16 * READ {
            batch.clear();
            self.spare.push(batch);
        }
    }

    fn text(&self) -> Text<'_> {
        Text { bytes: &self.batch.bytes, ended: self.ended, dialect: self.dialect() }
    }

    fn spot(&self) -> Spot {
        self.batch.spot(self.at)
    }

    /// Makes an error of what is open at a position, or asks for more.
    fn stop(&self, open: Open, at: usize) -> Stop {
        let spot = self.batch.spot(at.min(self.batch.bytes.len()));
        match open {
            Open::More => Stop::More,
            Open::Unclosed(what) => RowsError::Unclosed { spot, what }.into(),
            Open::Misplaced => self.wrong("a row ends where none of its parentheses does"),
        }
    }

    fn wrong(&self, what: &str) -> Stop {
        RowsError::Statement { spot: self.spot(), what: what.into() }.into()
    }

    fn token(&self, at: usize) -> Result<Option<(Token, usize)>, Stop> {
        self.text().token(at).map_err(|open| self.stop(open, at))
    }

    fn behind_gaps(&self, at: usize) -> Result<usize, Stop> {
        self.text().behind_gaps(at).map_err(|open| self.stop(open, at))
    }

    /// Takes note of what cannot be sealed.
    fn tell(&mut self, found: impl IntoIterator<Item = Unsealable>) {
        self.batch.unsealable.extend(found);
    }

    fn is_word(&self, range: Range<usize>, words: &[&str]) -> bool {
        let word = &self.batch.bytes[range];
        words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    }

    fn span(&self, end: usize) -> Span {
        // A batch is a little longer than the longest record, so its positions are small.
        Span { start: self.at as u32, end: end as u32 }
    }

    /// Takes everything up to a position as a piece.
    fn push(&mut self, end: usize, piece: impl FnOnce(Span) -> Piece) {
        let span = self.span(end);
        self.at = end;
        if span.start == span.end {
            return;
        }
        let piece = piece(span);
        match (self.batch.pieces.last_mut(), &piece) {
            (Some(Piece::Plain(last)), Piece::Plain(_)) | (Some(Piece::Tail(last)), Piece::Tail(_)) => {
                last.end = span.end;
            }
            _ => self.batch.pieces.push(piece),
        }
    }
}
