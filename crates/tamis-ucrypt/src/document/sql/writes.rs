//! Statements that put values into a selected table without being rows of INSERT ... VALUES or COPY.
//!
//! They stand in routines and triggers, in anonymous blocks, in strings that are executed, in comments. What is looked for is a verb (INSERT,
//! REPLACE, MERGE, COPY, UPDATE, or INTO), the table, and behind it something that is a value: a string, a number, a truth value. Without one,
//! as in `INSERT INTO t VALUES (NEW.id)`, nothing is readable.

use super::Dialect;
use super::lex::Token;
use super::tables::Tables;

/// Words that may stand between a verb and its table.
const BETWEEN: [&str; 16] = [
    "into",
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
];

/// Deepest strings inside strings that are looked into.
const DEEPEST: u32 = 4;

/// What was read of a statement so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Writes {
    expects: Expects,
    /// Whether the verb is UPDATE, which leaves other columns as they are.
    is_update: bool,
    /// The selector of the table that is written to.
    into: Option<usize>,
    /// Whether a column of that selector was named since.
    names_column: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Expects {
    #[default]
    Nothing,
    /// The table, behind a verb.
    Name,
    /// The dot behind what turns out to be a schema.
    Dot,
}

impl Writes {
    /// The selector of a table that is written to, so far without a value.
    pub(super) fn into(self) -> Option<usize> {
        self.into
    }

    /// Begins behind the rows of a table, where `DO UPDATE SET` may follow.
    pub(super) fn behind_rows(selector: usize) -> Self {
        Self { into: Some(selector), is_update: true, ..Self::default() }
    }

    /// Takes the next token of a statement, behind these bytes of it. Tells the selector of a table that gets a value.
    pub(super) fn take(&mut self, token: Token, before: &[u8], written: &[u8], tables: &Tables<'_>) -> Option<usize> {
        let is_name = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['));
        match token {
            Token::Gap => return None,
            Token::Byte(b';') => *self = Self::default(),
            Token::Byte(b'.') if self.expects == Expects::Dot => self.expects = Expects::Name,
            Token::Byte(_) => self.expects = Expects::Nothing,
            _ if is_name && self.expects == Expects::Name => {
                if token == Token::Word && is_one(written, &BETWEEN) {
                    return None;
                }
                self.expects = Expects::Dot;
                if let Some(selector) = tables.selector_of(before, written) {
                    (self.into, self.names_column) = (Some(selector), false);
                }
                return None;
            }
            Token::Word if is_one(written, &["insert", "replace", "merge", "copy", "into"]) => {
                (self.expects, self.is_update) = (Expects::Name, false);
            }
            Token::Word if is_one(written, &["update"]) => (self.expects, self.is_update) = (Expects::Name, true),
            _ => self.expects = Expects::Nothing,
        }
        if let Some(selector) = self.into {
            self.names_column |= is_name && tables.names_column(selector, written);
            let is_told = is_value(token, written, tables.dialect()) && (self.names_column || !self.is_update);
            if is_told {
                self.into = None;
                return Some(selector);
            }
        }
        None
    }
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

/// Whether a text holds a statement that puts values into a selected table: the selector of that. In a comment a value may stand on another
/// line, so that the table is enough.
pub(super) fn written_in(text: &[u8], tables: &Tables<'_>, needs_value: bool) -> Option<usize> {
    look(text, tables, needs_value, DEEPEST)
}

fn look(text: &[u8], tables: &Tables<'_>, needs_value: bool, depth: u32) -> Option<usize> {
    let mut writes = Writes::default();
    let mut words = tables.words(text);
    while let Some((token, written)) = words.next() {
        let before = &text[..words.at() - written.len()];
        let told = writes.take(token, before, written, tables);
        if let Some(selector) = told.or(writes.into.filter(|_| !needs_value)) {
            return Some(selector);
        }
        if let (Token::Quoted(quote), true) = (token, depth > 0)
            && let Some(selector) = look(inner(written, quote), tables, needs_value, depth - 1)
        {
            return Some(selector);
        }
    }
    None
}

/// What stands between the quotes of a string.
pub(super) fn inner(written: &[u8], quote: u8) -> &[u8] {
    // `E'...'` begins with a letter; a string between dollar signs has a tag on both sides.
    let Some(first) = memchr::memchr(quote, written) else { return written };
    let opening = if quote == b'$' {
        memchr::memchr(b'$', &written[first + 1..]).map_or(first + 1, |second| first + second + 2)
    } else {
        first + 1
    };
    let closing = if quote == b'$' { opening - first } else { 1 };
    written.get(opening..written.len().saturating_sub(closing)).unwrap_or_default()
}

/// What a comment says, without the signs around it; nothing if this is white space.
pub(super) fn comment(gap: &[u8]) -> Option<&[u8]> {
    let text = gap.strip_prefix(b"--").or_else(|| gap.strip_prefix(b"#"));
    text.or_else(|| gap.strip_prefix(b"/*").map(|text| text.strip_suffix(b"*/").unwrap_or(text)))
}

fn is_one(word: &[u8], of: &[&str]) -> bool {
    of.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::{Charset, Column, Columns};

    fn selectors() -> [Columns; 1] {
        let column = Column { column: "dis".into(), field: "dis".into(), required: true };
        [Columns {
            source: "public.t".into(),
            table: "t".into(),
            key: "id".into(),
            columns: vec![column],
            element: "UCRYPT".into(),
        }]
    }

    #[test]
    fn values_for_a_selected_table_are_found_wherever_they_stand() {
        let selectors = selectors();
        for dialect in [Dialect::PostgreSql, Dialect::MySql, Dialect::Standard] {
            let tables = Tables::new(dialect, Charset::default(), &selectors);
            for text in [
                "INSERT INTO t VALUES (5, 'x')",
                "insert into public.\"t\" (id) values (5)",
                "BEGIN; IF a THEN REPLACE t SET dis = 'x'; END IF; END",
                "INSERT OR IGNORE INTO t SELECT true",
                "UPDATE ONLY public.t SET dis = 'x'",
                "SELECT 'x' AS a INTO t; SELECT 1 INTO t WHERE 1",
                "EXECUTE 'INSERT INTO t VALUES (''x'')'",
                "COPY t FROM 'file'",
            ] {
                assert_eq!(written_in(text.as_bytes(), &tables, true), Some(0), "{text} {dialect:?}");
            }
            for text in [
                "INSERT INTO t VALUES (NEW.id, NEW.dis)",
                "INSERT INTO archive.t VALUES (5, 'x')",
                "INSERT INTO u VALUES (5, 'x')",
                "UPDATE t SET visits = visits + 1",
                "CREATE TRIGGER a BEFORE INSERT OR UPDATE OF dis ON t FOR EACH ROW WHEN (NEW.a = 'x')",
                "GRANT INSERT, UPDATE ON t TO u; SELECT 'x'",
                "INSERT INTO t SELECT dis FROM t; SELECT 'x'",
                "ON UPDATE CASCADE t 'x'",
            ] {
                assert_eq!(written_in(text.as_bytes(), &tables, true), None, "{text} {dialect:?}");
            }
            assert_eq!(written_in(b" INSERT INTO t VALUES", &tables, false), Some(0));
            assert_eq!(written_in(b" Data for Name: t; Type: TABLE DATA", &tables, false), None);
        }
        let tables = Tables::new(Dialect::PostgreSql, Charset::default(), &selectors);
        let block = b"DO $a$ BEGIN EXECUTE $b$ INSERT INTO t VALUES (5, E'x\\'') $b$; END $a$";
        assert_eq!(written_in(block, &tables, true), Some(0));
    }
}
