//! What a dump says next: a statement, a row, a line.
//!
//! Every step looks at the bytes from the position of the scanner on and either takes some of them as pieces, or asks for more bytes
//! without having changed anything.

use std::io::Read;
use std::ops::Range;

use super::{Closing, Other, Purpose, Scanner, State, Stop};
use crate::document::rows::{MOST_COLUMNS, RowsError, Span, Spot};
use crate::document::sql::batch::{Piece, Row};
use crate::document::sql::keys::KeyBlock;
use crate::document::sql::lex::Token;
use crate::document::sql::tables::Copied;
use crate::document::sql::{Dialect, copy_row};

/// Words behind which a name stands in the definition of a routine or trigger.
const NAMES_FOLLOW: [&str; 9] = ["trigger", "function", "procedure", "event", "package", "exists", "of", "on", "body"];

impl<R: Read> Scanner<'_, R> {
    pub(super) fn step(&mut self) -> Result<(), Stop> {
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
            let dialect = Dialect::detect(dump).unwrap_or_default();
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
            Token::Word if self.is_word(at..end, &["create"]) => {
                self.forget_heads();
                return self.create(end);
            }
            Token::Word if self.is_word(at..end, &["alter", "drop", "rename", "use"]) => {
                self.forget_heads();
                let end = self.statement_end(end)?;
                self.tables.alter(&self.batch.bytes[at..end]);
                self.push(end, Piece::Plain);
            }
            Token::Word if self.is_word(at..end, &["set"]) => {
                self.forget_heads();
                let end = self.statement_end(end)?;
                self.check_settings(at..end)?;
                self.push(end, Piece::Plain);
            }
            Token::Word if self.dialect() == Dialect::MySql && self.is_word(at..end, &["delimiter"]) => {
                let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                let usual = sets_usual_delimiter(&self.batch.bytes[at..end]);
                self.push(end, Piece::Plain);
                self.state = if usual { State::Between } else { State::Delimited };
            }
            _ => {
                let changes = token == Token::Word
                    && self.is_word(at..end, &["update", "merge", "load", "with", "import", "execute"]);
                let purpose = if changes { Purpose::Changes } else { Purpose::Any };
                self.state = State::Other(Other { purpose, ..Other::default() });
            }
        }
        Ok(())
    }

    /// Forgets which tables statements fill: the same words may mean another table now, or another order of columns.
    fn forget_heads(&mut self) {
        self.last_head.0.clear();
        self.tables.forget_heads();
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
        self.state = State::Other(Other { purpose: Purpose::Changes, ..Other::default() });
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
            let purpose = if defines { Purpose::Defines } else { Purpose::Any };
            self.state = State::Other(Other { purpose, ..Other::default() });
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

    /// Whether a word is the BEGIN of a body, and no name: PostgreSQL has no other body than BEGIN ATOMIC outside strings.
    fn begins_body(&self, other: Other, word: Range<usize>) -> Result<bool, Stop> {
        if other.depth > 0 || other.names || !self.is_word(word.clone(), &["begin"]) {
            return Ok(false);
        }
        if self.dialect() != Dialect::PostgreSql {
            return Ok(true);
        }
        let next = self.behind_gaps(word.end)?;
        let end = self.token(next)?.map_or(next, |(_, end)| end);
        Ok(self.is_word(next..end, &["atomic"]))
    }

    fn other(&mut self, mut other: Other) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        let names = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['));
        if other.purpose == Purpose::Changes
            && names
            && self.tables.selects(&self.batch.bytes[..at], &self.batch.bytes[at..end])
        {
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
            Token::Word if other.purpose == Purpose::Defines && !other.body && self.begins_body(other, at..end)? => {
                (other.body, other.closing) = (true, Closing::Semicolon);
            }
            Token::Word if other.closing == Closing::Semicolon && self.is_word(at..end, &["end"]) => {
                other.closing = Closing::End;
            }
            _ => other.closing = Closing::No,
        }
        match token {
            Token::Gap => {}
            Token::Byte(b'(') => other.depth += 1,
            Token::Byte(b')') => other.depth = other.depth.saturating_sub(1),
            Token::Byte(byte) => other.names = matches!(byte, b',' | b'.'),
            Token::Word => other.names = self.is_word(at..end, &NAMES_FOLLOW),
            Token::Quoted(_) => other.names = false,
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
        let is_string = match token {
            Token::Quoted(b'\'' | b'$') => true,
            Token::Quoted(b'"') => self.dialect() == Dialect::MySql,
            Token::Word => self.batch.bytes[at..end].get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"0x")),
            _ => false,
        };
        if selected && is_string {
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
        let back = sets_usual_delimiter(&self.batch.bytes[at..end]);
        self.push(end, Piece::Plain);
        if back {
            self.state = State::Between;
        }
        Ok(())
    }
}

/// Whether a line of MySQL's client makes the semicolon the end of statements again.
fn sets_usual_delimiter(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"delimiter")) && words.next() == Some(b";")
}
