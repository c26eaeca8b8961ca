//! Statements that are no rows: what they define, and what they may put into selected tables.
//!
//! No statement is passed over unread. The definitions of routines and triggers are searched for statements inside them; of all others `run` tells what
//! they do.

use std::io::Read;
use std::ops::Range;

use super::unsealable::is_doubtful;
use super::{Closing, Routine, Scanner, State, Stop};
use crate::document::rows::Span;
use crate::document::sql::Dialect;
use crate::document::sql::batch::Piece;
use crate::document::sql::lex::{Text, Token, is_word};
use crate::document::sql::statements::{Kind, kind};
use crate::document::sql::words::Words;
use crate::document::sql::writes::{Reading, Writes, written_in};

/// Words behind which a name stands in the definition of a routine or trigger.
const NAMES_FOLLOW: [&str; 9] = ["trigger", "function", "procedure", "event", "package", "exists", "of", "on", "body"];

/// Words and signs of a statement that are looked at to know whether it defines a routine.
const MOST_WORDS: usize = 24;

/// What is said of a setting that would make everything that follows mean something else.
const BACKSLASH: &str = "this setting changes the meaning of backslashes in strings; write the dump without it";

impl<R: Read> Scanner<'_, R> {
    pub(super) fn between(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let (head, table) = &self.last_head;
        if !head.is_empty() && self.batch.bytes[at..].starts_with(head) {
            let (end, table) = (at + head.len(), *table);
            self.push(end, Piece::Head);
            self.state = State::Rows { table, first: true };
            return Ok(());
        }
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        let is = |words: &[&str]| token == Token::Word && self.is_word(at..end, words);
        match token {
            Token::Gap => return self.comments(at),
            Token::Byte(b'\\') => return self.client_command(Piece::Plain),
            // A command of SQLite's shell.
            Token::Byte(b'.') if matches!(self.dialect(), Dialect::Standard | Dialect::Sqlite) => {
                let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                self.push(end, Piece::Plain);
            }
            Token::Byte(b';') => self.push(end, Piece::Plain),
            _ if is(&["insert", "replace"]) => return self.insert(end),
            _ if is(&["copy"]) => {
                let end = self.statement_end(at)?;
                let statement = self.batch.bytes[at..end].to_vec();
                return self.copy(&statement, end);
            }
            _ if is(&["use"]) => {
                // MySQL's client needs no semicolon here.
                self.forget_heads();
                self.tables.leave();
                let line = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                let end = self.statement_end(end)?.min(line);
                let found = written_in(&self.batch.bytes[at..end], &self.tables, false);
                let found = found.map(|selector| self.tables.may_fill(selector, "this line", self.spot()));
                self.tell(found);
                self.push(end, Piece::Plain);
            }
            _ if is(&["delimiter"]) && matches!(self.dialect(), Dialect::Standard | Dialect::MySql) => {
                return self.delimiter(at);
            }
            _ if is(&["create"]) && self.is_routine(at)? => {
                self.forget_heads();
                self.state = State::Routine(Routine::default());
            }
            _ => return self.whole(end),
        }
        Ok(())
    }

    /// Takes comments and white space between statements.
    fn comments(&mut self, at: usize) -> Result<(), Stop> {
        let mut end = at;
        while let Some((Token::Gap, next)) = self.token(end)? {
            let gap = &self.batch.bytes[end..next];
            self.is_doubtful = (self.is_doubtful || is_doubtful(gap)) && gap != b"*/";
            end = next;
        }
        self.tell(self.told_by_comment(at..end));
        let beside = self.told_beside_rows(at..end);
        if self.behind.is_some() {
            self.tell(beside);
        } else if self.pending.is_none() {
            self.pending = beside;
        }
        self.push(end, Piece::Plain);
        Ok(())
    }

    /// Whether the statement that begins here defines a routine or trigger.
    fn is_routine(&self, at: usize) -> Result<bool, Stop> {
        let mut end = at;
        // What stands in its first words is enough, and it may be long.
        for _ in 0..2 * MOST_WORDS {
            let Some((token, next)) = self.token(end)? else { break };
            end = next;
            if token == Token::Byte(b';') {
                break;
            }
        }
        Ok(kind(self.tables.words(&self.batch.bytes[at..end])) == Kind::Routine)
    }

    /// Takes a statement that is not known yet to end, but behind this position.
    pub(super) fn whole(&mut self, behind: usize) -> Result<(), Stop> {
        let at = self.at;
        let end = self.statement_end(behind)?;
        let table = self.run(at..end)?;
        self.push(end, Piece::Plain);
        self.batch.pieces.extend(table);
        self.state = State::Between;
        Ok(())
    }

    /// Takes note of a statement of which all is there, and gives the place for data keys if it creates a table for them.
    fn run(&mut self, range: Range<usize>) -> Result<Option<Piece>, Stop> {
        self.forget_heads();
        self.check_settings(range.clone())?;
        let spot = self.batch.spot(range.start);
        let is_certain = !std::mem::take(&mut self.is_doubtful);
        let (keys, found) = self.tables.run(&self.batch.bytes[range.clone()], is_certain, &spot)?;
        let is_told = !found.is_empty();
        self.tell(found);
        self.tell(self.told_by_comment(range.clone()));
        if !is_told && self.is_word(range.start..(range.start + 3).min(range.end), &["set"]) {
            // It may be executed later.
            self.tell(self.told_by_strings(range));
        }
        (self.behind, self.pending) = (None, None);
        Ok(keys.map(|keys| Piece::KeyTable(keys.0)))
    }

    /// Forgets which tables statements fill: the same words may mean another table now, or another order of columns.
    fn forget_heads(&mut self) {
        self.last_head.0.clear();
        self.tables.forget_heads();
    }

    /// The end of a statement, behind its semicolon, or before the command for the client that ends it.
    pub(super) fn statement_end(&self, mut at: usize) -> Result<usize, Stop> {
        let mut depth = 0_u32;
        while let Some((token, end)) = self.token(at)? {
            // For psql, a semicolon in parentheses is a part of the statement, such as one of CREATE RULE.
            match token {
                Token::Byte(b'(') if self.dialect() == Dialect::PostgreSql => depth += 1,
                Token::Byte(b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            match token {
                Token::Byte(b';') if depth == 0 => return Ok(end),
                Token::Byte(b'\\') => return Ok(at),
                _ => at = end,
            }
        }
        Ok(at)
    }

    /// Settings that change what a backslash means would make everything that follows mean something else.
    fn check_settings(&self, range: Range<usize>) -> Result<(), Stop> {
        let text = &self.batch.bytes[range];
        let mut words = self.tables.words(text);
        let mut sets = false;
        // A table of MySQL's own has a column for all these settings.
        let is_setting = ["set", "alter"].iter().any(|verb| { words }.accept(verb));
        while let Some((token, written)) = words.next() {
            let off = sets_backslash(&mut sets, token, written);
            if off || (is_setting && contains(written, b"no_backslash_escapes")) {
                return Err(self.wrong(BACKSLASH));
            }
        }
        Ok(())
    }

    /// Takes a command for psql or MySQL's client. It ends the statement before it, if there is one.
    pub(super) fn client_command(&mut self, piece: fn(Span) -> Piece) -> Result<(), Stop> {
        let at = self.at;
        if self.ends_statement(at)? {
            self.push(at + 2, piece);
            self.state = State::Between;
            return Ok(());
        }
        let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
        let line = self.batch.bytes[at + 1..end].trim_ascii();
        if line.len() > 4 && line[..4].eq_ignore_ascii_case(b"copy") && line[4].is_ascii_whitespace() {
            // What psql calls its own standard input is the dump, if it is piped in.
            let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            let plain =
                |word: &&[u8]| if word.eq_ignore_ascii_case(b"pstdin") { b"stdin".to_vec() } else { word.to_vec() };
            let statement = words.iter().map(plain).collect::<Vec<_>>().join(&b' ');
            return self.copy(&statement, end);
        }
        if self.dialect() == Dialect::MySql && line.first() == Some(&b'd') {
            return self.delimiter(at);
        }
        // More statements may stand on the line, and their ends on other lines.
        let [is_set, connects, executes] = [&b"set"[..], b"c", b"gexec"].map(|command| line.starts_with(command));
        self.forget_heads();
        self.is_doubtful = false;
        if connects {
            self.tables.leave();
        }
        let found = self.tables.may_fill_any("what a query gives", &self.spot()).filter(|_| executes);
        let is_told = found.is_some();
        self.tell(found);
        let line = &self.batch.bytes[at + 1..end];
        let named = || {
            let mut words = self.tables.words(line);
            std::iter::from_fn(|| words.next()).find_map(|(_, written)| {
                self.tables.selector_of(&[], written).or_else(|| self.tables.selector_of_text(inner_of_string(written)))
            })
        };
        let found = written_in(line, &self.tables, false).or_else(|| named().filter(|_| is_set)).filter(|_| !is_told);
        let found = found.map(|selector| self.tables.may_fill(selector, "this line", self.spot()));
        self.tell(found);
        self.push(end, piece);
        self.state = State::Between;
        Ok(())
    }

    /// Whether the command of a client that stands here only ends the statement, so that another one may follow on the line.
    fn ends_statement(&self, at: usize) -> Result<bool, Stop> {
        let (Some(sign), next) = (self.batch.bytes.get(at + 1), self.batch.bytes.get(at + 2)) else {
            return if self.ended { Ok(false) } else { Err(Stop::More) };
        };
        match sign {
            b';' => Ok(true),
            b'g' | b'G' if self.dialect() == Dialect::MySql => match next {
                None if !self.ended => Err(Stop::More),
                next => Ok(!next.is_some_and(|next| is_word(*next))),
            },
            _ => Ok(false),
        }
    }

    /// Takes a line that says what ends statements from here on.
    fn delimiter(&mut self, at: usize) -> Result<(), Stop> {
        let end = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
        let mut words = self.batch.bytes[at..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let delimiter = words.nth(1).unwrap_or_default().to_vec();
        self.push(end, Piece::Plain);
        self.state = if delimiter == b";" { State::Between } else { State::Delimited };
        self.delimiter = delimiter;
        Ok(())
    }

    /// Takes a statement, or what stands before one, between DELIMITER lines.
    pub(super) fn delimited(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        if token == Token::Gap {
            return self.comments(at);
        }
        if self.is_delimiter_line(at, end) || (token == Token::Byte(b'\\') && self.batch.bytes.get(end) == Some(&b'd'))
        {
            return self.delimiter(at);
        }
        let (end, next) = self.delimited_end(at)?;
        let mut start = at;
        while start < end {
            start = self.delimited_statement(start, end)?;
        }
        self.push(next, Piece::Plain);
        Ok(())
    }

    fn is_delimiter_line(&self, at: usize, end: usize) -> bool {
        let line = self.batch.bytes[..at].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        self.is_word(at..end, &["delimiter"]) && line.trim_ascii().is_empty()
    }

    /// Where a statement ends before its delimiter, and where that ends.
    fn delimited_end(&self, mut at: usize) -> Result<(usize, usize), Stop> {
        while let Some((token, end)) = self.token(at)? {
            let is_sign = !matches!(token, Token::Gap | Token::Quoted(_));
            if is_sign && self.is_delimiter_line(at, end) {
                return Ok((at, at));
            }
            let length = self.delimiter.len();
            if is_sign && length > 0 {
                // A word may go on behind it; of signs each is a token.
                let found = match token {
                    Token::Word => {
                        memchr::memmem::find(&self.batch.bytes[at..end], &self.delimiter).map(|hit| at + hit)
                    }
                    _ => self.batch.bytes[self.at..end].ends_with(&self.delimiter).then(|| end - length),
                };
                if let Some(found) = found {
                    return Ok((found, found + length));
                }
            }
            at = end;
        }
        Ok((at, at))
    }

    /// Takes note of one of the statements that a client sends together: a routine with its body, or up to the next semicolon.
    fn delimited_statement(&mut self, at: usize, end: usize) -> Result<usize, Stop> {
        let text = Text { bytes: &self.batch.bytes[..end], ended: true, dialect: self.dialect() };
        let words = self.tables.words(&self.batch.bytes[at..end]);
        if kind(words) == Kind::Routine {
            let next = at + routine_end(words);
            let mut writes = Writes::new(Reading::Definition);
            let mut told = None;
            for (token, range) in self.tokens(at..next) {
                let found = self.told_by(&mut writes, token, range, "what stands between DELIMITER lines");
                told = told.or(found);
            }
            self.tables.note_routine(writes.filled());
            self.tell(told);
            return Ok(next);
        }
        let mut next = at;
        while let Ok(Some((token, behind))) = text.token(next) {
            if matches!(token, Token::Byte(b';' | b'\\')) {
                break;
            }
            next = behind;
        }
        let next = next.max(at).min(end);
        let start = text.behind_gaps(at).unwrap_or(at).min(next);
        if start < next {
            self.run(start..next)?;
        }
        Ok(next + 1)
    }

    /// Whether a word is the BEGIN of a body, and no name: PostgreSQL has no other body than BEGIN ATOMIC outside strings.
    fn begins_body(&self, routine: &Routine, word: Range<usize>) -> Result<bool, Stop> {
        if routine.depth > 0 || routine.names || !self.is_word(word.clone(), &["begin"]) {
            return Ok(false);
        }
        if self.dialect() != Dialect::PostgreSql {
            return Ok(true);
        }
        let next = self.behind_gaps(word.end)?;
        let end = self.token(next)?.map_or(next, |(_, end)| end);
        Ok(self.is_word(next..end, &["atomic"]))
    }

    pub(super) fn routine(&mut self, mut routine: Routine) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        if token == Token::Byte(b'\\') {
            self.tables.note_routine(routine.writes.filled());
            return self.client_command(Piece::Plain);
        }
        let mut done = false;
        match token {
            Token::Gap => {}
            Token::Byte(b';') if routine.body => {
                done = routine.closing == Closing::End;
                routine.closing = Closing::Semicolon;
            }
            Token::Byte(b';') => done = true,
            Token::Word if !routine.body && self.begins_body(&routine, at..end)? => {
                (routine.body, routine.closing) = (true, Closing::Semicolon);
            }
            Token::Word if routine.closing == Closing::Semicolon && self.is_word(at..end, &["end"]) => {
                routine.closing = Closing::End;
            }
            _ => routine.closing = Closing::No,
        }
        match token {
            Token::Gap => {}
            Token::Byte(b'(') => routine.depth += 1,
            Token::Byte(b')') => routine.depth = routine.depth.saturating_sub(1),
            Token::Byte(byte) => routine.names = matches!(byte, b',' | b'.'),
            Token::Word => routine.names = self.is_word(at..end, &NAMES_FOLLOW),
            Token::Quoted(_) => routine.names = false,
        }
        // It is told of once; each of its comments is one of its own.
        let found = self.told_by(&mut routine.writes, token, at..end, "this definition");
        let found = found.filter(|_| token == Token::Gap || !routine.is_told);
        routine.is_told |= token != Token::Gap && found.is_some();
        self.tell(found);
        self.tables.note_routine(routine.writes.filled());
        (self.behind, self.pending) = (None, None);
        self.push(end, Piece::Plain);
        self.state = if done { State::Between } else { State::Routine(routine) };
        Ok(())
    }
}

/// Where the definition of a routine ends: behind its body, if it has one between BEGIN and END, at a semicolon.
fn routine_end(mut words: Words<'_>) -> usize {
    let (mut depth, mut has_body, mut parentheses) = (0_u32, false, 0_u32);
    while let Some((token, word)) = words.next() {
        let is = |known: &str| token == Token::Word && word.eq_ignore_ascii_case(known.as_bytes());
        match token {
            Token::Byte(b'(') => parentheses += 1,
            Token::Byte(b')') => parentheses = parentheses.saturating_sub(1),
            Token::Byte(b';') if depth == 0 => return words.at(),
            _ if is("begin") && parentheses == 0 => (depth, has_body) = (depth + 1, true),
            _ if is("case") && has_body => depth += 1,
            _ if is("end") && has_body => {
                let is_other = ["if", "loop", "while", "repeat", "for"].iter().any(|word| words.accept(word));
                words.accept("case");
                depth -= u32::from(!is_other && depth > 0);
            }
            _ => {}
        }
    }
    words.length()
}

/// What stands between the quotes of a string, if it is one.
fn inner_of_string(written: &[u8]) -> &[u8] {
    written.strip_prefix(b"'").and_then(|written| written.strip_suffix(b"'")).unwrap_or(written)
}

fn contains(written: &[u8], wanted: &[u8]) -> bool {
    written.windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted))
}

/// Whether a word or string is the value of the setting that says what a backslash means to PostgreSQL, and not the usual one.
fn sets_backslash(sets: &mut bool, token: Token, written: &[u8]) -> bool {
    if !matches!(token, Token::Word | Token::Quoted(_)) {
        return false;
    }
    let plain = inner_of_string(written.strip_prefix(b"E").unwrap_or(written)).trim_ascii();
    let plain = plain.strip_prefix(b"\"").and_then(|plain| plain.strip_suffix(b"\"")).unwrap_or(plain);
    let is = |words: &[&str]| words.iter().any(|word| plain.eq_ignore_ascii_case(word.as_bytes()));
    if is(&["standard_conforming_strings"]) {
        *sets = true;
        return false;
    }
    let is_value = *sets && !is(&["to"]);
    *sets &= !is_value;
    is_value && is(&["off", "of", "false", "fals", "fal", "fa", "f", "no", "n", "0"])
}
