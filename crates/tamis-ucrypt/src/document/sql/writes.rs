//! Statements that put values into a selected table without being rows of INSERT ... VALUES or COPY.
//!
//! They stand in routines and triggers, in anonymous blocks, in strings that are executed, in comments. What is looked for is a verb (INSERT,
//! REPLACE, MERGE, COPY, UPDATE, DELETE, or INTO), the table, and behind it something that is a value: a string, a number, a truth value. Without
//! one, as in `INSERT INTO t VALUES (NEW.id)`, nothing is readable. Behind UPDATE, DELETE and WHERE a value counts only behind the name of a
//! sealed column, and in a row only at the place of one, if the columns are listed. `NEW.disease := 'x'` needs no table.
//!
//! A name that got a value (`d := 'x'`, `WITH d AS (SELECT 'x')`) is one from there on; so is what a routine is called with that puts it into the
//! table. What runs when the dump is loaded is no concern of this: it is allowed by name, or refused (`statements`).

mod list;
mod names;
mod text;

use super::Dialect;
use super::lex::Token;
use super::tables::Tables;
use list::List;
use names::Noted;
pub(super) use names::{hashed, names_a_thing};
pub(crate) use text::filled_by;
use text::{Found, is_glue, look};
pub(super) use text::{comment, fills_in, inner, runs_in, written_in};

/// Words that may stand between a verb and its table.
const BETWEEN: [&str; 18] = [
    "into",
    "from",
    "low_priority",
    "delayed",
    "high_priority",
    "concurrent",
    "quick",
    "ignore",
    "or",
    "replace",
    "rollback",
    "abort",
    "fail",
    "only",
    "table",
    "overwrite",
    "top",
    "strict",
];

/// Words behind which a value is only compared, or counts rows.
const COMPARED: [&str; 6] = ["where", "having", "on", "limit", "offset", "by"];

/// Deepest strings inside strings that are looked into.
const DEEPEST: u32 = 4;

/// When what is read is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Reading {
    /// Later, perhaps: it is only defined.
    #[default]
    Definition,
    /// When the dump is loaded.
    Statement,
    /// Never: it is only a text, perhaps.
    Text,
}

/// What was read of a statement so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "facts of one statement that do not exclude each other")]
pub(super) struct Writes {
    whole: Whole,
    expects: Expects,
    /// Whether the verb fills whole rows.
    is_insert: bool,
    /// Whether other columns stay as they are, so that a value counts only behind the name of a column.
    is_update: bool,
    /// Whether there was a verb, so that SET assigns to no variable.
    has_verb: bool,
    /// The selector of the table that is written to.
    into: Option<usize>,
    /// Whether a column of that selector was named since.
    names_column: bool,
    /// Whether a query has a value before it says INTO.
    has_value: bool,
    /// The same of a value that makes a variable one.
    has_content: bool,
    /// How many parentheses are open.
    depth: u32,
    /// In how many of them values are only compared.
    compared: Option<u32>,
    /// Whether something stands between the beginning of a statement, or of an assignment in it, and here.
    is_inside: bool,
    list: List,
    /// The name with which the statement begins.
    subject: Option<u64>,
    /// Whether nothing stands between that and here.
    is_behind_subject: bool,
    assigns: Assigns,
    /// Whether it begins with CREATE or the like.
    creates: bool,
    naming: Naming,
    call: Call,
    /// Whether the whole of NEW is assigned, and whether as a row.
    new_record: Option<bool>,
    /// The selector of a table that a string fills for which there is more in the statement.
    built: Option<usize>,
    /// Whether it only says something to a reader.
    is_message: bool,
    /// Whether the last token was a value, or the name of one.
    is_value: bool,
}

/// What was read of all statements that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Whole {
    reading: Reading,
    /// The names of what got a value.
    noted: Noted,
    /// The name of the routine.
    routine: Option<u64>,
    /// Whether a string is executed.
    executes: bool,
    /// The selector of a table for which a string is put together with values.
    assembled: Option<usize>,
    has_value: bool,
    /// The selector of a table that is named behind a verb.
    touched: Option<usize>,
    /// The selector of a table of which a sealed column is filled.
    filled: Option<usize>,
    /// The same by a call.
    called: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Expects {
    #[default]
    Nothing,
    /// The table, behind a verb.
    Name,
    /// The dot behind what turns out to be a schema.
    Dot,
    /// The dot behind NEW, where an assignment begins.
    NewDot,
    /// The column behind that.
    NewColumn,
}

/// Whether a value that stands here becomes one of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Assigns {
    #[default]
    No,
    /// Up to the end of the statement.
    Once,
    /// WITH: each name in turn, up to the statement itself.
    With,
    /// FOR: up to LOOP.
    Loop,
}

/// Whether names here are those of a routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Naming {
    #[default]
    No,
    /// Of one that is being defined.
    Defined,
    /// Of another one, which is not called here.
    Other,
    /// One was there; behind a dot there is more of it.
    Dot { is_defined: bool },
    /// The parenthesis behind one that is being defined; one without parameters is called without values.
    Open,
}

/// The call of a routine that fills a selected table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Call {
    #[default]
    No,
    Named(usize),
    /// Its arguments, in so many parentheses.
    Open(usize, u32),
}

impl Writes {
    /// Begins to read what is executed at this time.
    pub(super) fn new(reading: Reading) -> Self {
        Self { whole: Whole { reading, ..Whole::default() }, ..Self::default() }
    }

    /// Begins behind the rows of a table, where `DO UPDATE SET` may follow.
    pub(super) fn behind_rows(selector: Option<usize>) -> Self {
        Self { into: selector, is_update: selector.is_some(), ..Self::new(Reading::Statement) }
    }

    /// The routine that is being defined, and the selector of a table of which it fills a sealed column.
    pub(super) fn filled(self) -> (Option<u64>, Option<usize>) {
        (self.whole.routine, self.whole.filled)
    }

    /// Takes the next token of a statement, behind these bytes of it, and what stands in it if it is a string. Tells the selector of a table that
    /// gets a value.
    pub(super) fn take(&mut self, token: Token, before: &[u8], written: &[u8], tables: &Tables<'_>) -> Option<usize> {
        self.read(token, before, written, tables, DEEPEST)
    }

    fn read(&mut self, token: Token, before: &[u8], written: &[u8], tables: &Tables<'_>, depth: u32) -> Option<usize> {
        if token == Token::Gap {
            return None;
        }
        let told = self.step(token, before, written, tables);
        self.whole.touched = self.whole.touched.or(self.into).or(told);
        self.whole.filled = self.whole.filled.or_else(|| self.fills()).or(told);
        if told.is_some() {
            return told;
        }
        let mut adds = self.is_value;
        if let (Token::Quoted(quote), true) = (token, depth > 0) {
            let inner = inner(written, quote);
            let reading = match self.whole.reading {
                Reading::Definition if depth == DEEPEST => Reading::Definition,
                _ if self.whole.executes => Reading::Definition,
                _ => Reading::Text,
            };
            let inside: Found = look(&inner, tables, reading, depth - 1);
            self.whole.touched = self.whole.touched.or(inside.touched);
            if !self.is_message {
                self.whole.filled = self.whole.filled.or(inside.filled);
            }
            // A statement that is put together gets the name of its table as a string.
            let is_named = self.whole.executes && quote == b'\'';
            let named = || tables.selector_of_text(&inner).filter(|_| is_named);
            if let Some(selector) = inside.told.or_else(named) {
                return Some(selector);
            }
            if inside.filled.is_some() && !self.is_message {
                self.built = inside.filled;
                adds = false;
            }
            adds &= !is_glue(&inner, before, tables.dialect());
        }
        if let (Some(selector), true) = (self.built, adds) {
            self.whole.assembled = Some(selector);
        }
        if self.whole.executes && self.whole.assembled.is_some() {
            self.built = None;
            return self.whole.assembled.take();
        }
        self.at_load()
    }

    /// The table that gets a value by a call when the dump is loaded, wherever that stands in the statement.
    fn at_load(&mut self) -> Option<usize> {
        let Whole { reading, called, has_value, .. } = self.whole;
        let told = called.filter(|_| has_value && reading == Reading::Statement);
        // Once is enough.
        self.whole.has_value &= told.is_none();
        told
    }

    /// The table of which a sealed column is filled, as far as that can be told here.
    fn fills(&self) -> Option<usize> {
        let fills =
            if self.is_update { self.names_column } else { self.list.is_sealed(self.expects == Expects::Nothing) };
        self.into.filter(|_| fills)
    }

    fn step(&mut self, token: Token, before: &[u8], written: &[u8], tables: &Tables<'_>) -> Option<usize> {
        let is_name = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['))
            || (self.expects == Expects::Name && is_quoted_name(token, tables));
        let name = is_name.then(|| hashed(written));
        self.is_value = false;
        if self.names_routine(token, name, written) {
            return None;
        }
        let was_inside = std::mem::replace(&mut self.is_inside, true);
        let was_expected = self.expects;
        let was_behind_subject = std::mem::take(&mut self.is_behind_subject);
        let last = before.trim_ascii_end().last().copied();
        match token {
            Token::Byte(byte) => self.sign(byte, last, was_behind_subject),
            _ if is_name && self.expects == Expects::NewColumn => {
                self.expects = Expects::Nothing;
                if let Some(selector) = tables.selector_with_column(written) {
                    self.assign_to(selector);
                    return None;
                }
            }
            _ if is_name && self.expects == Expects::Name => {
                if token == Token::Word && is_one(written, &BETWEEN) {
                    return None;
                }
                self.expects = Expects::Dot;
                if let Some(told) = self.target(before, written, tables) {
                    return Some(told);
                }
                // ON DUPLICATE KEY UPDATE has no table.
            }
            Token::Word if is_one(written, &["insert", "replace", "merge", "copy", "into"]) => {
                let is_into = is_one(written, &["into"]);
                (self.has_value, self.has_content) = (self.has_value && is_into, self.has_content && is_into);
                (self.expects, self.is_insert, self.is_update, self.list) = (Expects::Name, true, false, List::None);
                self.verb(!is_into);
            }
            Token::Word if is_one(written, &["update", "delete"]) => {
                (self.expects, self.is_update, self.list) = (Expects::Name, true, List::None);
                (self.has_value, self.has_content) = (false, false);
                self.verb(true);
            }
            Token::Word => self.word(written, was_inside),
            Token::Quoted(_) => self.expects = Expects::Nothing,
            Token::Gap => {}
        }
        if let (Some(name), false) = (name, was_inside || !self.is_inside) {
            self.begin(name);
        }
        let is_column = was_expected == Expects::Name || matches!(last, Some(b'.' | b'['));
        let is_noted = !is_column && name.is_some_and(|name| self.whole.noted.has(name)) && self.is_inside;
        let is_literal = is_value(token, written, tables.dialect()) && written != b"''";
        self.called(token, name, before, tables);
        self.value(token, written, is_literal, is_noted, tables)
    }

    /// Takes note of what a value, or the name of one, means where it stands. Tells the table that gets it.
    fn value(
        &mut self,
        token: Token,
        written: &[u8],
        is_literal: bool,
        is_noted: bool,
        tables: &Tables<'_>,
    ) -> Option<usize> {
        let is_there = is_literal || is_noted;
        self.is_value = is_there;
        self.whole.has_value |= is_literal;
        if is_there && self.compared.is_none() {
            // A number in a call is rather a length or a place than what a variable is to hold.
            let is_content = match token {
                Token::Quoted(_) => written.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()),
                _ => is_noted || self.depth == 0 || matches!(self.assigns, Assigns::With | Assigns::Loop),
            };
            if let (Some(subject), true) = (self.subject, self.assigns != Assigns::No && is_content) {
                self.whole.noted.add(subject);
            }
            self.has_content |= is_content;
        }
        if let (Call::Open(selector, _), true) = (self.call, is_there || token == Token::Byte(b'@')) {
            self.call = Call::No;
            return Some(selector);
        }
        if let (Some(is_row), true) = (self.new_record, is_literal) {
            let told = text::column_in(written, tables).or_else(|| tables.first().filter(|_| is_row));
            if told.is_some() {
                return told;
            }
        }
        let Some(selector) = self.into else {
            self.has_value |= is_there && self.compared.is_none();
            return None;
        };
        let is_name = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['))
            || (self.is_update && is_quoted_name(token, tables));
        let names_column = is_name && tables.names_column(selector, written);
        if names_column {
            self.list.name();
        }
        self.names_column |= names_column;
        let counts = if self.is_update { self.names_column } else { self.list.counts() };
        if is_there && counts && !names_column {
            self.into = None;
            return Some(selector);
        }
        None
    }

    /// Takes the name of a table behind a verb, or of a variable behind INTO.
    fn target(&mut self, before: &[u8], written: &[u8], tables: &Tables<'_>) -> Option<usize> {
        if let Some(selector) = tables.selector_of(before, written) {
            (self.into, self.names_column) = (Some(selector), false);
            let told = self.into.filter(|_| self.has_value);
            if told.is_some() {
                self.into = None;
            }
            return told;
        }
        let is_new = before.len() >= 4 && before[before.len() - 4..].eq_ignore_ascii_case(b"new.");
        if let (true, Some(selector)) = (is_new, tables.selector_with_column(written)) {
            if self.has_value {
                return Some(selector);
            }
            self.assign_to(selector);
        } else if self.has_content {
            self.whole.noted.add(hashed(written));
        }
        None
    }

    /// What follows is for a sealed column of NEW.
    fn assign_to(&mut self, selector: usize) {
        (self.into, self.names_column, self.is_update, self.is_insert) = (Some(selector), true, true, false);
        (self.expects, self.list) = (Expects::Nothing, List::None);
    }

    fn verb(&mut self, is_verb: bool) {
        self.has_verb |= is_verb;
        if is_verb && self.depth == 0 {
            self.assigns = Assigns::No;
        }
        if is_verb {
            self.compared = None;
        }
    }

    /// Begins a statement, or an assignment in it, with a name.
    fn begin(&mut self, name: u64) {
        let is_row = name == hashed(b"new") || name == hashed(b"old");
        self.subject = (!is_row && !self.has_verb).then_some(name);
        self.is_behind_subject = true;
    }

    /// Takes the names of routines where they are defined or only named. Tells whether this is a part of one.
    fn names_routine(&mut self, token: Token, name: Option<u64>, written: &[u8]) -> bool {
        let is_word = |words: &[&str]| token == Token::Word && is_one(written, words);
        let is_kind = is_word(&["function", "procedure", "routine"]);
        if self.creates && (is_kind || is_word(&["trigger", "event", "package"])) {
            let reading = self.whole.reading;
            *self = Self { naming: Naming::Defined, is_inside: true, ..Self::new(reading) };
            return true;
        }
        if is_kind {
            (self.naming, self.whole.executes) = (Naming::Other, false);
            return true;
        }
        if matches!(self.naming, Naming::No | Naming::Open) {
            if self.naming == Naming::Open && token == Token::Byte(b')') {
                self.whole.routine = None;
            }
            self.naming = Naming::No;
            return false;
        }
        let (is_defined, is_behind) = match self.naming {
            Naming::Dot { is_defined } => (is_defined, true),
            naming => (naming == Naming::Defined, false),
        };
        self.naming = match (token, name) {
            (Token::Byte(b'.'), _) if is_behind && is_defined => Naming::Defined,
            (Token::Byte(b'.'), _) if is_behind => Naming::Other,
            (_, Some(_)) if !is_behind && is_word(&["if", "not", "exists", "body"]) => self.naming,
            (_, Some(name)) if !is_behind => {
                if is_defined {
                    self.whole.routine = Some(name);
                }
                Naming::Dot { is_defined }
            }
            (Token::Byte(b'('), _) if is_behind && is_defined => Naming::Open,
            _ => Naming::No,
        };
        !matches!(self.naming, Naming::No | Naming::Open)
    }

    /// Takes note of the call of a routine that fills a selected table.
    fn called(&mut self, token: Token, name: Option<u64>, before: &[u8], tables: &Tables<'_>) {
        self.call = match (self.call, token) {
            _ if self.whole.reading == Reading::Text => Call::No,
            (Call::Named(selector), Token::Byte(b'(')) => {
                self.whole.called = self.whole.called.or(Some(selector));
                self.whole.filled = self.whole.filled.or(Some(selector));
                Call::Open(selector, self.depth)
            }
            (Call::Open(_, depth), Token::Byte(b')')) if self.depth < depth => Call::No,
            (open @ Call::Open(..), _) => open,
            _ => {
                let writer = name.and_then(|name| tables.writer(name));
                writer.filter(|_| !names_a_thing(before)).map_or(Call::No, Call::Named)
            }
        };
    }

    fn sign(&mut self, byte: u8, last: Option<u8>, is_behind_subject: bool) {
        match byte {
            b';' => {
                *self = Self { whole: self.whole, ..Self::default() };
                return;
            }
            b'(' => (self.depth, self.creates) = (self.depth + 1, false),
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                self.compared = self.compared.filter(|depth| *depth <= self.depth);
            }
            // The next assignment of SET, or name of WITH.
            b',' if self.depth == 0 => {
                self.is_inside = false;
                if self.is_update {
                    self.names_column = false;
                }
                if self.assigns == Assigns::Once {
                    (self.assigns, self.subject) = (Assigns::No, None);
                }
            }
            // The name of a variable follows.
            b'@' => self.is_inside &= self.subject.is_some() || self.has_verb,
            b'=' if self.assigns == Assigns::No && (last == Some(b':') || is_behind_subject) => {
                self.assigns = Assigns::Once;
            }
            _ => {}
        }
        let is_behind_table = self.is_insert && self.into.is_some() && self.expects == Expects::Dot;
        self.list.sign(byte, self.depth, is_behind_table);
        if self.expects == Expects::NewDot && matches!(byte, b':' | b'=') {
            self.new_record = Some(false);
        }
        self.expects = match (byte, self.expects) {
            // More of the name, or of that of a variable behind INTO.
            (b'.', Expects::Dot) | (b'@', Expects::Name) => Expects::Name,
            // The next variable there.
            (b',', Expects::Dot | Expects::Name) if self.is_insert && !self.has_verb => Expects::Name,
            (b'.', Expects::NewDot) => Expects::NewColumn,
            _ => Expects::Nothing,
        };
    }

    /// Takes a word that is neither a name that was expected nor a verb.
    fn word(&mut self, written: &[u8], was_inside: bool) {
        let is = |words: &[&str]| is_one(written, words);
        self.expects = if !was_inside && is(&["new"]) { Expects::NewDot } else { Expects::Nothing };
        self.creates = if was_inside { self.creates && !is(&["table", "as"]) } else { is(&["create", "alter"]) };
        self.is_message |= is(&["raise", "signal", "message_text"]);
        self.whole.executes |= is(&["execute", "prepare"]);
        if is(&["each"]) {
            self.subject = Some(hashed(b"each"));
        }
        if let (Some(is_row), true) = (&mut self.new_record, is(&["row"])) {
            *is_row = true;
        }
        if is(&["begin", "then", "else", "loop", "do", "set"])
            || (is(&["row"]) && self.subject == Some(hashed(b"each")))
        {
            self.is_inside = false;
            if !is(&["do", "set"]) {
                (self.has_verb, self.compared) = (false, None);
            }
            (self.assigns, self.subject) = (Assigns::No, None);
        } else if !was_inside && is(&["with", "recursive", "declare", "for", "foreach"]) {
            self.is_inside = false;
            if is(&["with"]) {
                self.assigns = Assigns::With;
            } else if is(&["for", "foreach"]) {
                self.assigns = Assigns::Loop;
            }
        } else if is(&["default", "cursor"]) && self.assigns == Assigns::No {
            self.assigns = Assigns::Once;
        } else if is(&["select", "values"]) {
            self.compared = None;
        } else if is(&COMPARED) {
            self.compared = self.compared.or(Some(self.depth));
        }
        if is(&["returning"]) {
            self.into = None;
        } else if is(&["where"]) {
            (self.is_update, self.names_column) = (true, false);
        } else if is(&["select"]) {
            if self.depth == 0 && self.assigns == Assigns::With {
                self.assigns = Assigns::No;
            }
            (self.has_value, self.has_content) = (false, false);
            // What a query gives is not told apart by columns.
            (self.is_update, self.list) = (self.is_update && !self.is_insert, self.list.behind_select());
        }
    }
}

/// Whether a token is a string in the place of a name, as SQLite takes it.
fn is_quoted_name(token: Token, tables: &Tables<'_>) -> bool {
    token == Token::Quoted(b'\'') && tables.dialect().quotes_names_as_strings()
}

/// Whether a token is a value that can be read.
pub(super) fn is_value(token: Token, written: &[u8], dialect: Dialect) -> bool {
    match token {
        Token::Quoted(b'"') => dialect == Dialect::MySql,
        Token::Quoted(quote) => matches!(quote, b'\'' | b'$'),
        Token::Word => written[0].is_ascii_digit() || is_one(written, &["true", "false"]),
        _ => false,
    }
}

fn is_one(word: &[u8], of: &[&str]) -> bool {
    of.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests;
