//! Reading the heads of statements, in little memory and time whatever they hold.

use sqlparser::ast::Statement;
use sqlparser::parser::Parser;

use super::Tables;
use crate::document::sql::Dialect;
use crate::document::sql::lex::{Text, Token};

/// Longest part of a statement that is read by the parser.
const LONGEST_PARSED: usize = 128 << 10;

/// Most tokens of it, each of which takes the parser about 500 bytes of memory.
const MOST_TOKENS: usize = 1 << 15;

/// Deepest parentheses in it: the time that the parser takes grows with the square of the depth.
const DEEPEST: usize = 64;

impl Tables<'_> {
    pub(super) fn parse(&mut self, text: &[u8]) -> Option<Statement> {
        if text.len() > LONGEST_PARSED || !is_modest(text, self.dialect) {
            return None;
        }
        let Some(text) = self.charset.decode(text) else {
            self.has_other_charset = true;
            return None;
        };
        if self.dialect.executes_comments() && (text.contains("/*!") || text.contains("/*M!")) {
            // What is executed may be more than the parser knows.
            return parsed(&with_executed(&text, self.dialect, true), self.dialect)
                .or_else(|| parsed(&with_executed(&text, self.dialect, false), self.dialect));
        }
        parsed(&text, self.dialect)
    }

    /// The same statement as a server reads it that executes none of its comments, if there are any.
    pub(super) fn parse_unexecuted(&self, text: &[u8]) -> Option<Statement> {
        let has_any = self.dialect.executes_comments()
            && [&b"/*!"[..], b"/*M!"].iter().any(|opening| memchr::memmem::find(text, opening).is_some());
        if !has_any || text.len() > LONGEST_PARSED || !is_modest(text, self.dialect) {
            return None;
        }
        parsed(&with_executed(&self.charset.decode(text)?, self.dialect, false), self.dialect)
    }
}

fn parsed(text: &str, dialect: Dialect) -> Option<Statement> {
    // A dump that does not say what it is for may still be for one of them.
    let dialects: &[Dialect] = match dialect {
        Dialect::Standard => &[Dialect::Standard, Dialect::Sqlite, Dialect::PostgreSql, Dialect::MySql],
        // With ANSI_QUOTES, names stand in quotation marks.
        Dialect::MySql => &[Dialect::MySql, Dialect::Standard],
        ref known => std::slice::from_ref(known),
    };
    dialects.iter().find_map(|dialect| {
        let mut statements = Parser::parse_sql(dialect.parser(), text).ok()?;
        statements.pop().filter(|_| statements.is_empty())
    })
}

/// Whether the parser reads a part of a statement in little memory and time.
fn is_modest(statement: &[u8], dialect: Dialect) -> bool {
    let text = Text { bytes: statement, ended: true, dialect };
    let (mut at, mut tokens, mut depth) = (0, 0, 0_usize);
    while let Ok(Some((token, next))) = text.token(at) {
        match token {
            Token::Byte(b'(' | b'[' | b'{') => depth += 1,
            Token::Byte(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        tokens += usize::from(token != Token::Gap);
        if tokens > MOST_TOKENS || depth > DEEPEST {
            return false;
        }
        at = next;
    }
    true
}

/// A statement with what stands in comments that are executed, or without it, and without all comments.
fn with_executed(statement: &str, dialect: Dialect, is_wanted: bool) -> String {
    let text = Text { bytes: statement.as_bytes(), ended: true, dialect };
    let (mut at, mut is_inside, mut plain) = (0, false, String::with_capacity(statement.len()));
    while let Ok(Some((token, end))) = text.token(at) {
        let written = &statement[at..end];
        match token {
            Token::Gap if written.starts_with("/*") && !written.ends_with("*/") => is_inside = true,
            Token::Gap if written == "*/" => is_inside = false,
            _ => {}
        }
        match token {
            Token::Gap => plain.push(' '),
            _ if is_wanted || !is_inside => plain.push_str(written),
            _ => {}
        }
        at = end;
    }
    plain
}
