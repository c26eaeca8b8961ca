//! The words and names of one statement, one after the other.

use super::Dialect;
use super::lex::{Text, Token};
use crate::document::rows::Charset;

/// The name of a table: that of its schema first, if it is said.
pub(super) type Name = Vec<String>;

/// A statement from a position on. Comments and white space are skipped; what has no end is its end.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    text: Text<'a>,
    charset: Charset,
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(statement: &'a [u8], dialect: Dialect, charset: Charset) -> Self {
        Self { text: Text { bytes: statement, ended: true, dialect }, charset, at: 0 }
    }

    /// Where the next word or sign begins, at the earliest.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How long the statement is.
    pub(super) fn length(&self) -> usize {
        self.text.bytes.len()
    }

    pub(super) fn next(&mut self) -> Option<(Token, &'a [u8])> {
        let start = self.text.behind_gaps(self.at).ok()?;
        let (token, end) = self.text.token(start).ok()??;
        self.at = end;
        Some((token, &self.text.bytes[start..end]))
    }

    /// Takes the next word if it is this one.
    pub(super) fn accept(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let is_there =
            matches!(ahead.next(), Some((Token::Word, found)) if found.eq_ignore_ascii_case(word.as_bytes()));
        if is_there {
            *self = ahead;
        }
        is_there
    }

    /// Takes the next words if they are these.
    pub(super) fn accept_all(&mut self, words: &[&str]) -> bool {
        let mut ahead = *self;
        let are_there = words.iter().all(|word| ahead.accept(word));
        if are_there {
            *self = ahead;
        }
        are_there
    }

    /// Whether a word stands anywhere behind.
    pub(super) fn any(&self, word: &str) -> bool {
        let mut rest = *self;
        std::iter::from_fn(|| rest.next())
            .any(|(token, found)| token == Token::Word && found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Takes the next sign if it is this one.
    pub(super) fn accept_sign(&mut self, sign: u8) -> bool {
        let mut ahead = *self;
        let is_there = matches!(ahead.next(), Some((Token::Byte(found), _)) if found == sign);
        if is_there {
            *self = ahead;
        }
        is_there
    }

    /// Takes everything up to the end of the parenthesis that begins here, if one does.
    pub(super) fn accept_parenthesis(&mut self) -> bool {
        let mut ahead = *self;
        if !ahead.accept_sign(b'(') {
            return false;
        }
        let Ok(end) = self.text.tuple(ahead.at - 1, |_, _| {}) else { return false };
        self.at = end;
        true
    }

    /// Takes a name, with its schema if that stands before it.
    pub(super) fn name(&mut self) -> Option<Name> {
        let mut ahead = *self;
        let mut parts = Vec::new();
        loop {
            match ahead.next()? {
                (Token::Word | Token::Quoted(b'"' | b'`' | b'['), written) => parts.push(self.plain(written)),
                (Token::Quoted(b'\''), written) if self.text.dialect.quotes_names_as_strings() => {
                    parts.push(self.plain(written));
                }
                _ => return None,
            }
            *self = ahead;
            if !ahead.accept_sign(b'.') {
                return Some(parts);
            }
        }
    }

    /// A name without what encloses it.
    fn plain(&self, written: &[u8]) -> String {
        let decoded = self.charset.decode(written);
        unquoted(&decoded.unwrap_or_else(|| String::from_utf8_lossy(written)))
    }
}

/// A name or string without what encloses it.
pub(super) fn unquoted(written: &str) -> String {
    let mut inner = written.chars();
    let closing = match inner.next() {
        Some(quote @ ('"' | '`' | '\'')) => quote,
        Some('[') => ']',
        _ => return written.to_owned(),
    };
    let inner = inner.as_str().strip_suffix(closing).unwrap_or(inner.as_str());
    inner.replace(&format!("{closing}{closing}"), &closing.to_string())
}

/// Whether two names may mean one table: they are the same, but for the case of their letters and for a schema that one of both leaves out.
pub(super) fn may_be_one(one: &[String], other: &[String]) -> bool {
    let shorter = one.len().min(other.len());
    let is_same = |(one, other): (&String, &String)| one.eq_ignore_ascii_case(other);
    shorter > 0 && one.iter().rev().zip(other.iter().rev()).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(statement: &str, dialect: Dialect) -> Words<'_> {
        Words::new(statement.as_bytes(), dialect, Charset::default())
    }

    #[test]
    fn names_are_read_with_their_schemas_and_without_their_quotes() {
        for (statement, dialect, parts) in [
            ("a.b c", Dialect::Standard, &["a", "b"][..]),
            (" /* x */ \"A \"\"b\"\"\" . c(", Dialect::PostgreSql, &["A \"b\"", "c"]),
            ("`d``b`.`t`", Dialect::MySql, &["d`b", "t"]),
            ("[a b]", Dialect::Sqlite, &["a b"]),
        ] {
            assert_eq!(words(statement, dialect).name().unwrap(), parts, "{statement}");
        }
        assert_eq!(words("(a)", Dialect::Standard).name(), None);
        assert_eq!(words("a.", Dialect::Standard).name(), None);
    }

    #[test]
    fn what_is_not_there_is_not_taken() {
        let mut read = words("ALTER TABLE ONLY (a, (b)) t", Dialect::PostgreSql);
        assert!(!read.accept_all(&["alter", "index"]) && read.accept_all(&["alter", "table"]));
        assert!(!read.accept("if") && read.accept("only") && !read.accept_sign(b')'));
        assert!(read.accept_parenthesis() && !read.accept_parenthesis());
        assert_eq!(read.name().unwrap(), ["t"]);
        assert_eq!(read.next(), None);
    }

    #[test]
    fn a_schema_that_one_name_leaves_out_does_not_matter() {
        let name = |written: &str| written.split('.').map(str::to_owned).collect::<Name>();
        for (one, other, may) in
            [("t", "T", true), ("s.t", "t", true), ("s.t", "S.t", true), ("s.t", "x.t", false), ("t", "u", false)]
        {
            assert_eq!(may_be_one(&name(one), &name(other)), may, "{one} {other}");
        }
    }
}
