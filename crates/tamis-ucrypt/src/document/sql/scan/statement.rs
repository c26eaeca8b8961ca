//! Statements that are no rows: what they define, and what they may put into selected tables.
//!
//! No statement is passed over unread. One that can only define or set something is searched for statements inside it, in bodies, strings and
//! comments; any other one that names a selected table is told of.

use std::io::Read;
use std::ops::Range;

use super::{Closing, Other, Purpose, Scanner, State, Stop};
use crate::document::Readable;
use crate::document::rows::Span;
use crate::document::sql::Dialect;
use crate::document::sql::batch::{Piece, Unsealable};
use crate::document::sql::lex::{Token, is_word};
use crate::document::sql::writes::{Reading, Writes, written_in};

/// Words behind which a name stands in the definition of a routine or trigger.
const NAMES_FOLLOW: [&str; 9] = ["trigger", "function", "procedure", "event", "package", "exists", "of", "on", "body"];

/// Words with which statements begin that by themselves put no values into a table.
const HARMLESS: [&str; 31] = [
    "abort",
    "analyze",
    "analyse",
    "attach",
    "begin",
    "checkpoint",
    "cluster",
    "comment",
    "commit",
    "deallocate",
    "delete",
    "detach",
    "discard",
    "end",
    "flush",
    "grant",
    "lock",
    "optimize",
    "pragma",
    "refresh",
    "reindex",
    "release",
    "reset",
    "revoke",
    "rollback",
    "savepoint",
    "security",
    "start",
    "truncate",
    "unlock",
    "vacuum",
];

/// Words behind CREATE that tell what is created, and that it is neither a table, a view nor a routine.
const OTHERS: [&str; 14] = [
    "index",
    "type",
    "sequence",
    "schema",
    "database",
    "role",
    "user",
    "extension",
    "domain",
    "rule",
    "policy",
    "server",
    "language",
    "aggregate",
];

/// Most words and signs between CREATE and what is created: MySQL names owners and algorithms there.
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
            Token::Gap => {
                self.tell(self.told_by_comment(at..end));
                self.push(end, Piece::Plain);
            }
            Token::Byte(b'\\') => return self.client_command(Piece::Plain),
            Token::Byte(b':') => {
                // A variable of psql, which stands for the beginning of the statement.
                let found = self.tables.first().map(|first| self.tables.may_fill(first, "this statement", self.spot()));
                self.tell(found);
                self.state = State::Other(Other::new(Purpose::Any));
            }
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
            _ if is(&["create"]) => {
                self.forget_heads();
                return self.create(end);
            }
            _ if is(&["use"]) => {
                // MySQL's client needs no semicolon here.
                self.forget_heads();
                let line = self.text().line_end(at).map_err(|open| self.stop(open, at))?;
                let end = self.statement_end(end)?.min(line);
                let found = written_in(&self.batch.bytes[at..end], &self.tables, false);
                let found = found.map(|selector| self.tables.may_fill(selector, "this line", self.spot()));
                self.tell(found);
                self.push(end, Piece::Plain);
            }
            _ if is(&["alter", "drop", "rename"]) => {
                self.forget_heads();
                let end = self.statement_end(end)?;
                self.check_settings(at..end)?;
                let spot = self.spot();
                let late = self.tables.alter(&self.batch.bytes[at..end], &spot)?;
                self.tell(late);
                self.look(at..end);
                self.push(end, Piece::Plain);
            }
            _ if is(&["set"]) => {
                self.forget_heads();
                let end = self.statement_end(end)?;
                self.check_settings(at..end)?;
                self.look(at..end);
                // It may be executed later.
                let found = self.told_by_strings(at..end);
                self.tell(found);
                self.push(end, Piece::Plain);
            }
            _ if is(&["delimiter"]) && matches!(self.dialect(), Dialect::Standard | Dialect::MySql) => {
                return self.delimiter(at);
            }
            _ => {
                let mut other = if is(&["do"]) || is(&HARMLESS) || (is(&["select"]) && self.is_setting(end)?) {
                    Other::new(Purpose::Any)
                } else {
                    Other::new(Purpose::Changes)
                };
                if is(&["do"]) {
                    other.writes = Writes::new(Reading::Do);
                }
                self.state = State::Other(other);
            }
        }
        Ok(())
    }

    /// Whether a SELECT only sets the search path or where a sequence goes on, as dumps of PostgreSQL do.
    fn is_setting(&self, mut at: usize) -> Result<bool, Stop> {
        for _ in 0..3 {
            at = self.behind_gaps(at)?;
            let Some((_, end)) = self.token(at)? else { return Ok(false) };
            if self.is_word(at..end, &["setval", "set_config"]) {
                return Ok(true);
            }
            at = end;
        }
        Ok(false)
    }

    /// Forgets which tables statements fill: the same words may mean another table now, or another order of columns.
    fn forget_heads(&mut self) {
        self.last_head.0.clear();
        self.tables.forget_heads();
    }

    /// The end of a short statement, behind its semicolon, or before the command for the client that ends it.
    pub(super) fn statement_end(&self, mut at: usize) -> Result<usize, Stop> {
        while let Some((token, end)) = self.token(at)? {
            match token {
                Token::Byte(b';') => return Ok(end),
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
        while let Some((token, written)) = words.next() {
            let off = sets_backslash(&mut sets, token, written);
            if off || contains(written, b"no_backslash_escapes") {
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
        let is_set = line.starts_with(b"set");
        self.look(at..end);
        let line = &self.batch.bytes[at + 1..end];
        let named = || {
            let mut words = self.tables.words(line);
            std::iter::from_fn(|| words.next()).find_map(|(_, written)| {
                self.tables.selector_of(&[], written).or_else(|| self.tables.selector_of_text(inner_of_string(written)))
            })
        };
        let found = written_in(line, &self.tables, false).or_else(|| named().filter(|_| is_set));
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
        self.state = if delimiter == b";" { State::Between } else { State::Delimited(Writes::default(), true) };
        self.delimiter = delimiter;
        Ok(())
    }

    pub(super) fn delimited(&mut self, mut writes: Writes, mut is_first: bool) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        let line = self.batch.bytes[..at].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if token == Token::Word && self.is_word(at..end, &["delimiter"]) && line.trim_ascii().is_empty() {
            return self.delimiter(at);
        }
        if is_first && token == Token::Word && !self.is_word(at..end, &["create", "alter", "drop"]) {
            writes.runs();
        }
        is_first &= token == Token::Gap;
        let found = self.told_by(&mut writes, token, at..end, "what stands between DELIMITER lines");
        self.tables.note_writer(writes.filled());
        self.tell(found);
        let is_sign = !matches!(token, Token::Gap | Token::Quoted(_));
        let (delimiter, bytes) = (&self.delimiter, &self.batch.bytes[..end]);
        if is_sign && !delimiter.is_empty() && bytes.ends_with(delimiter) {
            writes.restart();
            is_first = true;
        }
        self.push(end, Piece::Plain);
        self.state = State::Delimited(writes, is_first);
        Ok(())
    }

    pub(super) fn create(&mut self, mut at: usize) -> Result<(), Stop> {
        let start = self.at;
        let mut purpose = Purpose::Any;
        for _ in 0..MOST_WORDS {
            at = self.behind_gaps(at)?;
            let Some((token, end)) = self.token(at)? else { break };
            if token == Token::Byte(b';') {
                break;
            }
            let is = |words: &[&str]| token == Token::Word && self.is_word(at..end, words);
            if is(&["table"]) {
                return self.create_table(start, end);
            }
            if is(&["trigger", "function", "procedure", "event", "package"]) {
                purpose = Purpose::Defines;
                break;
            }
            if is(&["view"]) {
                return self.create_view(end);
            }
            if is(&OTHERS) {
                break;
            }
            at = end;
        }
        self.state = State::Other(Other::new(purpose));
        Ok(())
    }

    fn create_table(&mut self, start: usize, at: usize) -> Result<(), Stop> {
        let end = self.statement_end(at)?;
        let spot = self.spot();
        let (keys, unsealable) = self.tables.create(&self.batch.bytes[start..end], &spot)?;
        let is_told = !unsealable.is_empty();
        self.tell(unsealable);
        if !is_told {
            self.look(start..end);
        }
        self.push(end, Piece::Plain);
        if let Some(keys) = keys {
            self.batch.pieces.push(Piece::KeyTable(keys.0));
        }
        Ok(())
    }

    /// Reads the name of a view. What it shows stands behind.
    fn create_view(&mut self, mut at: usize) -> Result<(), Stop> {
        let start = at;
        loop {
            at = self.behind_gaps(at)?;
            let Some((token, end)) = self.token(at)? else { break };
            at = end;
            if token == Token::Byte(b'(') || self.is_word(end - 2.min(end)..end, &["as"]) {
                break;
            }
        }
        let mut words = self.tables.words(&self.batch.bytes[start..at]);
        words.accept_all(&["if", "not", "exists"]);
        let name = words.name();
        if let Some(name) = &name
            && let Some(selector) = self.tables.selector_named(name)
        {
            let what = format!("{} is a view, so its values stand in other tables", self.tables.source(selector));
            let found = Unsealable { spot: self.spot(), kind: Readable::Statements, what };
            self.tell([found]);
        }
        self.view = name;
        self.state = State::Other(Other::new(Purpose::Shows));
        Ok(())
    }

    /// Whether a word is the BEGIN of a body, and no name: PostgreSQL has no other body than BEGIN ATOMIC outside strings.
    fn begins_body(&self, other: &Other, word: Range<usize>) -> Result<bool, Stop> {
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

    pub(super) fn other(&mut self, mut other: Other) -> Result<(), Stop> {
        let at = self.at;
        let Some((token, end)) = self.token(at)? else { return Err(Stop::More) };
        if token == Token::Byte(b'\\') {
            return self.client_command(Piece::Plain);
        }
        if other.purpose != Purpose::Defines
            && sets_backslash(&mut other.sets_backslash, token, &self.batch.bytes[at..end])
        {
            return Err(self.wrong(BACKSLASH));
        }
        let mut done = false;
        match token {
            Token::Gap => {}
            Token::Byte(b';') if other.body => {
                done = other.closing == Closing::End;
                other.closing = Closing::Semicolon;
            }
            Token::Byte(b';') => done = true,
            Token::Word if other.purpose == Purpose::Defines && !other.body && self.begins_body(&other, at..end)? => {
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
        let found = self.filled_by(&mut other, token, at..end)?;
        self.tell(found);
        self.push(end, Piece::Plain);
        self.state = if done { State::Between } else { State::Other(other) };
        Ok(())
    }
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
