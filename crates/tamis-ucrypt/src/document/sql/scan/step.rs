//! What a dump says next: a statement, a row, a line.
//!
//! Every step looks at the bytes from the position of the scanner on and either takes some of them as pieces, or asks for more bytes
//! without having changed anything.

use std::io::Read;

use super::{Scanner, State, Stop};
use crate::document::Readable;
use crate::document::rows::{MOST_COLUMNS, RowsError, Span, Spot};
use crate::document::sql::batch::{Piece, Row, Unsealable};
use crate::document::sql::keys::KeyBlock;
use crate::document::sql::lex::Token;
use crate::document::sql::tables::Copied;
use crate::document::sql::writes::{Writes, is_value};
use crate::document::sql::{Dialect, copy_row};

impl<R: Read> Scanner<'_, R> {
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        match self.state {
            State::Start => self.start(),
            State::Between => self.between(),
            State::Routine(routine) => self.routine(routine),
            State::Rows { table, first } => self.row(table, first),
            State::Tail { table, writes } => self.tail(table, writes),
            State::Lines(table) => self.line(table),
            State::Delimited => self.delimited(),
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
        if self.dialect.is_none() {
            // What the dump says of itself stands behind the block, however many data keys that holds.
            let dump = &bytes[block..];
            if dump.len() < Dialect::LOOKED_AT && !self.ended {
                return Err(Stop::More);
            }
            let detected = Dialect::detect(dump);
            self.is_guessed = detected.is_none();
            let dialect = detected.unwrap_or_default();
            self.dialect = Some(dialect);
            self.tables.set_dialect(dialect);
        }
        self.push(mark, Piece::Plain);
        // Even an empty one says where new headers would stand.
        let span = self.span(block);
        self.batch.pieces.push(Piece::KeyBlock(span));
        self.at = block;
        self.state = State::Between;
        Ok(())
    }

    pub(super) fn insert(&mut self, mut at: usize) -> Result<(), Stop> {
        let (start, mut depth, mut skip) = (self.at, 0_u32, 0..0);
        // A table may be called like a keyword.
        let mut is_name = false;
        while let Some((token, end)) = self.token(at)? {
            let was_name = std::mem::take(&mut is_name);
            match token {
                Token::Gap => is_name = was_name,
                Token::Byte(b'.') => is_name = true,
                Token::Word if was_name => {}
                Token::Word if self.is_word(at..end, &["into"]) => is_name = true,
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
                    self.tell(self.told_by_comment(start..end));
                    self.begin_rows(Some(table));
                    if self.tables.get(table).selector.is_some() {
                        self.tell(self.told_beside_rows(start..end));
                    }
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
        self.whole(at)
    }

    /// Says that rows of a table follow: a comment with values before those of a selected one is told of.
    pub(super) fn begin_rows(&mut self, table: Option<usize>) {
        let table = table.filter(|table| self.tables.get(*table).selector.is_some());
        let pending = self.pending.take().filter(|_| table.is_some());
        self.tell(pending);
        self.behind = table;
    }

    /// Takes a COPY statement that ends at this position. Its rows begin on the next line.
    pub(super) fn copy(&mut self, statement: &[u8], end: usize) -> Result<(), Stop> {
        let statement = statement.trim_ascii_end();
        let spot = self.spot();
        let copied = self.tables.copy(statement.strip_suffix(b";").unwrap_or(statement), &spot)?;
        let rows = if let Copied::Rows(table) = copied { Some(table) } else { None };
        self.begin_rows(rows);
        let (state, unsealable) = match copied {
            Copied::Rows(table) => (State::Lines(Some(table)), None),
            Copied::Unread(unsealable) => (State::Lines(None), unsealable),
            Copied::Nothing(unsealable) => {
                self.tell(unsealable);
                self.tell(self.told_by_comment(self.at..end));
                self.push(end, Piece::Plain);
                self.state = State::Between;
                return Ok(());
            }
        };
        let is_line = self.batch.bytes[..end].ends_with(b"\n");
        let line = if is_line { end } else { self.text().line_end(end).map_err(|open| self.stop(open, end))? };
        self.tell(unsealable);
        let found = self.told_behind_copy(end..line);
        self.tell(found);
        let end = line;
        self.push(end, Piece::Plain);
        self.state = state;
        Ok(())
    }

    fn row(&mut self, table: usize, first: bool) -> Result<(), Stop> {
        let start = self.at;
        let mut open = self.behind_gaps(start)?;
        let selected = self.tables.get(table).selector.is_some();
        let writes = Writes::behind_rows(self.tables.get(table).selector);
        let tail = State::Tail { table, writes };
        if !first {
            if self.batch.bytes.get(open) != Some(&b',') {
                self.state = tail;
                return Ok(());
            }
            open = self.behind_gaps(open + 1)?;
        }
        if self.batch.bytes.get(open) != Some(&b'(') {
            if selected {
                let what =
                    format!("rows of {} in parentheses are expected behind VALUES", self.tables.get(table).plan.name);
                let found = Unsealable { spot: self.spot(), kind: Readable::Statements, what };
                self.tell([found]);
            }
            self.state = tail;
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
        if selected {
            self.tell(self.told_among_rows(start..open, table));
            let row = &self.batch.bytes[open..end];
            let has_sign = |sign: &[u8]| memchr::memmem::find(row, sign).is_some();
            if has_sign(b"--") || has_sign(b"/*") || (self.dialect() == Dialect::MySql && has_sign(b"#")) {
                self.tell(self.told_in_row(open..end, table));
            }
        } else if self.tables.get(table).is_schema
            && let Some(selector) = self.tables.selector_in_schema(&self.batch.bytes[open..end])
        {
            let found = self.tables.may_fill(selector, "a table that an extension keeps", self.batch.spot(open));
            self.tell([found]);
        }
        self.tell(self.told_by_samples(table, open..end));
        self.tell(self.told_by_calls(open..end));
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

    fn tail(&mut self, table: usize, mut writes: Writes) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        if token == Token::Byte(b'\\') {
            return self.client_command(Piece::Tail);
        }
        let entry = self.tables.get(table);
        let written = &self.batch.bytes[at..end];
        let mut found = self.told_by(&mut writes, token, at..end, "this statement");
        if entry.selector.is_some() && token == Token::Gap {
            found = found.or_else(|| self.told_among_rows(at..end, table));
        } else if entry.selector.is_some() && is_value(token, written, self.dialect()) {
            let is_string = matches!(token, Token::Quoted(_))
                || written.get(..2).is_some_and(|two| two.eq_ignore_ascii_case(b"0x"));
            // A number is told of only behind the name of a column that is sealed: what is counted up with one tells nothing.
            if is_string {
                let what = format!("a string behind the rows of {} cannot be sealed", entry.plan.name);
                found = Some(Unsealable { spot: self.spot(), kind: Readable::Statements, what });
            }
        }
        if found.is_none() && self.tables.has_routine() && !matches!(token, Token::Gap | Token::Byte(_)) {
            let next = self.behind_gaps(end)?;
            if self.batch.bytes.get(next) == Some(&b'(') {
                found = self.told_by_calls(at..next + 1);
            }
        }
        let closes_comment = token == Token::Gap && written == b"*/";
        self.tell(found);
        // What begins before the rows and is executed must end, also if they are all left out.
        self.push(end, if closes_comment { Piece::Plain } else { Piece::Tail });
        self.state = if token == Token::Byte(b';') { State::Between } else { State::Tail { table, writes } };
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
}
