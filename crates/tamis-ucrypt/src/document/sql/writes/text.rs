//! Texts that hold statements: bodies of routines, strings that are executed, comments.

use std::borrow::Cow;

use super::{DEEPEST, Reading, Writes};
use crate::document::rows::{Charset, Columns};
use crate::document::sql::Dialect;
use crate::document::sql::lex::Token;
use crate::document::sql::tables::Tables;

/// What a text says of selected tables.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    /// One that gets a value.
    pub(super) told: Option<usize>,
    /// One that is named behind a verb.
    pub(super) touched: Option<usize>,
    /// One of which a sealed column is filled, with a value or without.
    pub(super) filled: Option<usize>,
}

/// Whether a text holds a statement that puts values into a selected table: the selector of that. In a comment a value may stand on another
/// line, so that the table is enough.
pub(in crate::document::sql) fn written_in(text: &[u8], tables: &Tables<'_>, needs_value: bool) -> Option<usize> {
    let found = look(text, tables, Reading::Text, DEEPEST);
    if needs_value { found.told } else { found.told.or(found.touched) }
}

/// Whether a text holds a statement that fills a sealed column of a selected table, with whatever.
pub(in crate::document::sql) fn fills_in(text: &[u8], tables: &Tables<'_>) -> Option<usize> {
    let found = look(text, tables, Reading::Text, DEEPEST);
    found.told.or(found.filled)
}

/// Whether a statement that runs when the dump is loaded, and that only defines or sets something, puts values into a selected table all the same.
pub(in crate::document::sql) fn runs_in(text: &[u8], tables: &Tables<'_>) -> Option<usize> {
    look(text, tables, Reading::Statement, DEEPEST).told
}

/// The selected table into which a statement of a database, such as a trigger, puts values that stand in it.
pub(crate) fn filled_by<'s>(statement: &str, dialect: Dialect, selectors: &'s [Columns]) -> Option<&'s Columns> {
    let tables = Tables::new(dialect, Charset::default(), selectors);
    written_in(statement.as_bytes(), &tables, true).map(|selector| &selectors[selector])
}

pub(super) fn look(text: &[u8], tables: &Tables<'_>, reading: Reading, depth: u32) -> Found {
    let mut writes = Writes::new(reading);
    let mut words = tables.words(text);
    let mut told = None;
    while let (None, Some((token, written))) = (told, words.next()) {
        told = writes.read(token, &text[..words.at() - written.len()], written, tables, depth);
    }
    Found { told, touched: writes.whole.touched, filled: writes.whole.filled }
}

/// The first selector that has a sealed column which a string names, as the key of a value perhaps.
pub(super) fn column_in(written: &[u8], tables: &Tables<'_>) -> Option<usize> {
    let inner = inner(written, written.iter().copied().find(|byte| matches!(byte, b'\'' | b'"' | b'$'))?);
    let mut words = tables.words(&inner);
    while let Some((token, word)) = words.next() {
        let found = tables.selector_with_column(word).filter(|_| matches!(token, Token::Word | Token::Quoted(_)));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a string is rather a part of a statement that is put together than a value in it: a comma, a parenthesis, ` ON CONFLICT ...`.
pub(super) fn is_glue(inner: &[u8], before: &[u8], dialect: Dialect) -> bool {
    let is_content = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let is_joined = dialect != Dialect::PostgreSql || before.trim_ascii_end().ends_with(b"|");
    !inner.iter().any(is_content) || (is_joined && !inner.first().is_some_and(is_content))
}

/// What stands between the quotes of a string, in which an apostrophe is written twice.
pub(in crate::document::sql) fn inner(written: &[u8], quote: u8) -> Cow<'_, [u8]> {
    // `E'...'` begins with a letter; a string between dollar signs has a tag on both sides.
    let Some(first) = memchr::memchr(quote, written) else { return Cow::Borrowed(written) };
    let opening = if quote == b'$' {
        memchr::memchr(b'$', &written[first + 1..]).map_or(first + 1, |second| first + second + 2)
    } else {
        first + 1
    };
    let closing = if quote == b'$' { opening - first } else { 1 };
    let inner = written.get(opening..written.len().saturating_sub(closing)).unwrap_or_default();
    if quote != b'\'' || memchr::memmem::find(inner, b"''").is_none() {
        return Cow::Borrowed(inner);
    }
    let mut plain = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().peekable();
    while let Some(byte) = bytes.next() {
        plain.push(*byte);
        bytes.next_if(|next| *byte == quote && **next == quote);
    }
    Cow::Owned(plain)
}

/// What a comment says, without the signs around it; nothing if this is white space.
pub(in crate::document::sql) fn comment(gap: &[u8]) -> Option<&[u8]> {
    let text = gap.strip_prefix(b"--").or_else(|| gap.strip_prefix(b"#"));
    text.or_else(|| gap.strip_prefix(b"/*").map(|text| text.strip_suffix(b"*/").unwrap_or(text)))
}
