//! Cutting a dump into statements, rows and values.

use std::io::Read;
use std::ops::Range;

use super::batch::{Batch, Piece, Row};
use super::keys::KeyBlock;
use super::lex::{Open, Text, Token};
use super::tables::{Copied, Tables};
use super::{Dialect, Options, copy_row};
use crate::document::rows::{Columns, LONGEST_RECORD, MOST_COLUMNS, RowsError, Span, Spot};

/// How many bytes are read at once, and about how many a batch has.
const READ: usize = 256 << 10;

/// What is expected at the position of the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The first bytes of the dump.
    Start,
    /// A statement, or something between statements.
    Between,
    /// More of a statement that is copied.
    Other(Other),
    /// A row of an INSERT statement, the first one or another; or its end.
    Rows { table: usize, first: bool },
    /// The rest of an INSERT statement, behind its rows.
    Tail { selected: bool },
    /// A line of a COPY statement, read as rows of a table or not.
    Lines(Option<usize>),
    /// Something between two DELIMITER lines.
    Delimited,
}

/// A statement that is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Other {
    /// Whether it could change values of a selected table.
    changes: bool,
    /// Whether it defines a routine or a trigger, whose statements are not its end.
    defines: bool,
    /// Whether the body of that has begun.
    body: bool,
    /// The last semicolon, or the END behind it.
    closing: Closing,
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
    pub(super) tables: Tables<'s>,
    batch: Batch,
    at: usize,
    ended: bool,
    state: State,
    last_head: (Vec<u8>, usize),
    spare: Vec<Batch>,
}

impl<'s, R: Read> Scanner<'s, R> {
    pub(super) fn new(input: R, options: &Options, selectors: &'s [Columns]) -> Self {
        let tables = Tables::new(options.dialect.unwrap_or_default(), options.charset, selectors);
        Self {
            input,
            dialect: options.dialect,
            tables,
            batch: Batch { line: 1, ..Batch::default() },
            at: 0,
            ended: false,
            state: State::Start,
            last_head: (Vec::new(), 0),
            spare: Vec::new(),
        }
    }

    /// How the dump is read: as asked for, or as it looks once its first batch is read.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// The next part of the dump.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, RowsError> {
        loop {
            if self.at >= READ {
                return Ok(Some(self.cut()));
            }
            if self.ended && self.at == self.batch.bytes.len() {
                if matches!(self.state, State::Lines(_)) {
                    let what = "the data of a COPY statement";
                    return Err(RowsError::Unclosed { spot: self.spot(), what });
                }
                let mut batch = std::mem::take(&mut self.batch);
                batch.dialect = self.dialect();
                self.at = 0;
                return Ok((!batch.bytes.is_empty()).then_some(batch));
            }
            let step = if self.batch.bytes.is_empty() { Err(Stop::More) } else { self.step() };
            match step {
                Ok(()) => {}
                Err(Stop::Wrong(error)) => return Err(error),
                Err(Stop::More) if self.batch.bytes.len() - self.at > LONGEST_RECORD => {
                    return Err(RowsError::RecordTooLong(self.batch.spot(self.at)));
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
        bytes.reserve_exact(more);
        bytes.resize(filled + more, 0);
        let mut end = filled;
        while end < bytes.len() && !self.ended {
            match self.input.read(&mut bytes[end..]) {
                Ok(0) => self.ended = true,
                Ok(got) => end += got,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RowsError::Read(error)),
            }
        }
        bytes.truncate(end);
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
        std::mem::replace(&mut self.batch, next)
    }

    /// Takes a batch back whose memory can be used again.
    pub(super) fn recycle(&mut self, mut batch: Batch) {
        if batch.bytes.capacity() + batch.became.bytes.capacity() <= 16 * READ {
            batch.clear();
            self.spare.push(batch);
        }
    }

    fn step(&mut self) -> Result<(), Stop> {
        match self.state {
            State::Start => self.start(),
            State::Between => self.between(),
            State::Other(other) => self.other(other),
            State::Rows { table, first } => self.row(table, first),
            State::Tail { selected } => self.tail(selected),
            State::Lines(table) => self.line(table),
            State::Delimited => self.delimited(),
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

    fn start(&mut self) -> Result<(), Stop> {
        let bytes = &self.batch.bytes;
        if bytes.starts_with(b"\xff\xfe")
            || bytes.starts_with(b"\xfe\xff")
            || bytes[..bytes.len().min(512)].contains(&0)
        {
            return Err(RowsError::ZeroBytes(Spot::Line(1)).into());
        }
        if self.dialect.is_none() {
            let dialect = Dialect::detect(bytes).unwrap_or_default();
            self.dialect = Some(dialect);
            self.tables.set_dialect(dialect);
        }
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let block = match KeyBlock::at(&bytes[mark..]) {
            KeyBlock::None => mark,
            KeyBlock::Ends(length) => mark + length,
            KeyBlock::Open if self.ended => {
                let what = "the block of data keys before the dump";
                return Err(RowsError::Unclosed { spot: Spot::Line(1), what }.into());
            }
            KeyBlock::Open => return Err(Stop::More),
        };
        self.push(mark, Piece::Plain);
        // Even an empty one says where new headers would stand.
        let span = self.span(block);
        self.batch.pieces.push(Piece::KeyBlock(span));
        self.at = block;
        self.state = State::Between;
        Ok(())
    }

    fn between(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let (head, table) = &self.last_head;
        if !head.is_empty() && self.batch.bytes[at..].starts_with(head) {
            let (end, table) = (at + head.len(), *table);
            self.push(end, Piece::Head);
            self.state = State::Rows { table, first: true };
            return Ok(());
        }
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        match token {
            Token::Gap => {
                self.check_settings(at..end)?;
                self.push(end, Piece::Plain);
            }
            Token::Byte(b'\\') if self.dialect() == Dialect::PostgreSql => {
                let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                self.push(end, Piece::Plain);
            }
            Token::Byte(b';') => self.push(end, Piece::Plain),
            Token::Word if self.is_word(at..end, &["insert", "replace"]) => return self.insert(end),
            Token::Word if self.is_word(at..end, &["copy"]) => return self.copy(),
            Token::Word if self.is_word(at..end, &["create"]) => return self.create(end),
            Token::Word if self.is_word(at..end, &["set"]) => {
                let end = self.statement_end(end)?;
                self.check_settings(at..end)?;
                self.push(end, Piece::Plain);
            }
            Token::Word if self.dialect() == Dialect::MySql && self.is_word(at..end, &["delimiter"]) => {
                let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                let usual = self.batch.bytes[at..end].trim_ascii_end().ends_with(b" ;");
                self.push(end, Piece::Plain);
                self.state = if usual { State::Between } else { State::Delimited };
            }
            _ => {
                let changes = token == Token::Word
                    && self.is_word(at..end, &["update", "merge", "load", "with", "import", "execute"]);
                self.state = State::Other(Other { changes, ..Other::default() });
            }
        }
        Ok(())
    }

    /// The end of a short statement, behind its semicolon.
    fn statement_end(&self, mut at: usize) -> Result<usize, Stop> {
        while let Some((token, end)) = self.token(at)? {
            at = end;
            if token == Token::Byte(b';') {
                break;
            }
        }
        Ok(at)
    }

    /// Settings that change what a backslash means would make everything that follows mean something else.
    fn check_settings(&self, range: Range<usize>) -> Result<(), Stop> {
        let text = &self.batch.bytes[range];
        if !(text.starts_with(b"/*!") || text[..text.len().min(3)].eq_ignore_ascii_case(b"set")) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(text).to_ascii_lowercase();
        let off = text.contains("standard_conforming_strings") && text.contains("off");
        if off || text.contains("no_backslash_escapes") {
            return Err(
                self.wrong("this setting changes the meaning of backslashes in strings; write the dump without it")
            );
        }
        Ok(())
    }

    fn insert(&mut self, mut at: usize) -> Result<(), Stop> {
        let (start, mut depth, mut skip) = (self.at, 0_u32, 0..0);
        while let Some((token, end)) = self.token(at)? {
            match token {
                Token::Byte(b'(') => depth += 1,
                Token::Byte(b')') => depth = depth.saturating_sub(1),
                Token::Byte(b';') => break,
                Token::Word if depth > 0 => {}
                Token::Word if self.is_word(at..end, &["overriding"]) => {
                    let mut last = end;
                    for _ in 0..2 {
                        last = self.behind_gaps(last)?;
                        last = self.token(last)?.map_or(last, |(_, end)| end);
                    }
                    skip = at - start..last - start;
                    at = last;
                    continue;
                }
                Token::Word if self.is_word(at..end, &["values", "value"]) => {
                    let spot = self.spot();
                    let table = self.tables.insert(&self.batch.bytes[start..end], skip, &spot)?;
                    self.last_head = (self.batch.bytes[start..end].to_vec(), table);
                    self.push(end, Piece::Head);
                    self.state = State::Rows { table, first: true };
                    return Ok(());
                }
                Token::Word if self.is_word(at..end, &["select", "set", "default", "with", "table", "from"]) => break,
                _ => {}
            }
            at = end;
        }
        self.state = State::Other(Other { changes: true, ..Other::default() });
        Ok(())
    }

    fn copy(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let end = self.statement_end(start)?;
        let statement = self.batch.bytes[start..end].strip_suffix(b";").unwrap_or(&self.batch.bytes[start..end]);
        let spot = self.spot();
        let state = match self.tables.copy(statement, &spot)? {
            Copied::Rows(table) => State::Lines(Some(table)),
            Copied::Unread => State::Lines(None),
            Copied::Nothing => {
                self.push(end, Piece::Plain);
                self.state = State::Between;
                return Ok(());
            }
        };
        let end = self.text().line_end(end).map_err(|open| self.stop(open, end))?;
        self.push(end, Piece::Plain);
        self.state = state;
        Ok(())
    }

    fn create(&mut self, mut at: usize) -> Result<(), Stop> {
        let start = self.at;
        let mut defines = false;
        let mut tabular = false;
        for _ in 0..6 {
            at = self.behind_gaps(at)?;
            let Some((token, end)) = self.token(at)? else { break };
            if token != Token::Word || tabular || defines {
                break;
            }
            defines = self.is_word(at..end, &["trigger", "function", "procedure", "event", "package"]);
            tabular = self.is_word(at..end, &["table"]);
            at = end;
        }
        if !tabular {
            self.state = State::Other(Other { defines, ..Other::default() });
            return Ok(());
        }
        let end = self.statement_end(at)?;
        let spot = self.spot();
        let keys = self.tables.create(&self.batch.bytes[start..end], &spot)?;
        self.push(end, Piece::Plain);
        if let Some(keys) = keys {
            self.batch.pieces.push(Piece::KeyTable(keys.0));
        }
        Ok(())
    }

    fn other(&mut self, mut other: Other) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        let names = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['));
        if other.changes && names && self.tables.selects(&self.batch.bytes[at..end]) {
            return Err(self.wrong(
                "this statement changes a selected table; only rows of INSERT ... VALUES and of COPY can be sealed",
            ));
        }
        let mut done = false;
        match token {
            Token::Gap => {}
            Token::Byte(b';') if other.body => {
                done = other.closing == Closing::End;
                other.closing = Closing::Semicolon;
            }
            Token::Byte(b';') => done = true,
            Token::Word if other.defines && !other.body && self.is_word(at..end, &["begin"]) => {
                (other.body, other.closing) = (true, Closing::Semicolon);
            }
            Token::Word if other.closing == Closing::Semicolon && self.is_word(at..end, &["end"]) => {
                other.closing = Closing::End;
            }
            _ => other.closing = Closing::No,
        }
        self.push(end, Piece::Plain);
        self.state = if done { State::Between } else { State::Other(other) };
        Ok(())
    }

    fn row(&mut self, table: usize, first: bool) -> Result<(), Stop> {
        let start = self.at;
        let mut open = self.behind_gaps(start)?;
        let selected = self.tables.get(table).selected;
        if !first {
            if self.batch.bytes.get(open) != Some(&b',') {
                self.state = State::Tail { selected };
                return Ok(());
            }
            open = self.behind_gaps(open + 1)?;
        }
        if self.batch.bytes.get(open) != Some(&b'(') {
            if selected {
                return Err(self.wrong("rows in parentheses are expected behind VALUES"));
            }
            self.state = State::Tail { selected };
            return Ok(());
        }
        let before = self.batch.values.len();
        let mut values = std::mem::take(&mut self.batch.values);
        let mut many = false;
        let end = self.text().tuple(open, |from, to| {
            many |= values.len() - before >= MOST_COLUMNS;
            if !many {
                values.push(Span { start: from as u32, end: to as u32 });
            }
        });
        self.batch.values = values;
        if many {
            return Err(RowsError::TooManyColumns(self.batch.spot(open)).into());
        }
        let end = match end {
            Ok(end) => end,
            Err(unclosed) => {
                self.batch.values.truncate(before);
                return Err(self.stop(unclosed, open));
            }
        };
        self.push(open, Piece::Lead);
        self.push_row(table, before, end, Piece::Row)?;
        self.state = State::Rows { table, first: false };
        Ok(())
    }

    fn push_row(&mut self, table: usize, first: usize, end: usize, piece: fn(Row) -> Piece) -> Result<(), Stop> {
        let values = self.batch.values.len() - first;
        let (batch, at) = (&self.batch, self.at);
        let number = self.tables.next_record(table, values, || batch.spot(at))?;
        let entry = self.tables.get(table);
        let plan = self.batch.plan(&entry.plan);
        let (first, values, key, span) = (first as u32, values as u32, entry.keys, self.span(end));
        self.batch.pieces.push(piece(Row { span, first, values, plan, key, number }));
        self.at = end;
        Ok(())
    }

    fn tail(&mut self, selected: bool) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        if selected && matches!(token, Token::Quoted(b'\'' | b'$')) {
            return Err(self.wrong("a string behind the rows cannot be sealed"));
        }
        self.push(end, Piece::Tail);
        if token == Token::Byte(b';') {
            self.state = State::Between;
        }
        Ok(())
    }

    fn line(&mut self, table: Option<usize>) -> Result<(), Stop> {
        let at = self.at;
        let end = match copy_row::line_end(&self.batch.bytes, at) {
            Some(end) => end + 1,
            None if self.ended => self.batch.bytes.len(),
            None => return Err(Stop::More),
        };
        let line = &self.batch.bytes[at..end];
        let bare = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        if bare == b"\\." {
            self.push(end, Piece::Plain);
            self.state = State::Between;
            return Ok(());
        }
        let Some(table) = table else {
            self.push(end, Piece::Plain);
            return Ok(());
        };
        let (before, values_end) = (self.batch.values.len(), at + bare.len());
        let (bytes, values) = (&self.batch.bytes, &mut self.batch.values);
        copy_row::split(bytes, at, values_end, |from, to| {
            if values.len() - before <= MOST_COLUMNS {
                values.push(Span { start: from as u32, end: to as u32 });
            }
        });
        self.push_row(table, before, end, Piece::Line)
    }

    fn delimited(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
        let line = self.batch.bytes[at..end].trim_ascii();
        let back = line.len() > 9 && line[..9].eq_ignore_ascii_case(b"delimiter") && line.ends_with(b" ;");
        self.push(end, Piece::Plain);
        if back {
            self.state = State::Between;
        }
        Ok(())
    }
}
