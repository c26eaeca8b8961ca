//! What a dump holds of selected tables beside their rows.

use std::io::Read;
use std::ops::Range;

use super::Scanner;
use crate::document::Readable;
use crate::document::sql::Dialect;
use crate::document::sql::batch::{Batch, Piece, Unsealable};
use crate::document::sql::dialect::doubtful;
use crate::document::sql::lex::{Text, Token, is_word};
use crate::document::sql::words::Words;
use crate::document::sql::writes::{self, Writes, fills_in, is_value, written_in};

impl<R: Read> Scanner<'_, R> {
    /// Takes note of the first place that another system would read otherwise, if nothing says whose dump it is: where strings end elsewhere,
    /// rows may be taken for strings.
    pub(super) fn tell_doubt(&mut self, batch: &mut Batch) {
        if !self.is_guessed {
            return;
        }
        let is_line = |piece: &Piece| matches!(piece, Piece::Line(_));
        let found = if batch.pieces.iter().any(is_line) {
            let spans =
                batch.pieces.iter().filter_map(Piece::statement).map(|span| span.start as usize..span.end as usize);
            spans.into_iter().find_map(|span| {
                let (at, what) = doubtful(&batch.bytes[span.clone()])?;
                Some((span.start + at, what))
            })
        } else {
            doubtful(&batch.bytes)
        };
        if let Some((at, what)) = found {
            self.is_guessed = false;
            let what = format!("the dump does not say for which system it is, and this has {what}; --dialect says it");
            batch.unsealable.push(Unsealable { spot: batch.spot(at), kind: Readable::Statements, what });
        }
    }

    /// Whether a token ends, or holds, a statement that puts a value into a selected table; of a gap, whether it is a comment with one.
    pub(super) fn told_by(
        &self,
        writes: &mut Writes,
        token: Token,
        range: Range<usize>,
        subject: &str,
    ) -> Option<Unsealable> {
        let (before, written) = (&self.batch.bytes[..range.start], &self.batch.bytes[range.clone()]);
        if token == Token::Gap {
            return self.told_by_comment(range);
        }
        let selector = writes.take(token, before, written, &self.tables)?;
        Some(self.tables.may_fill(selector, subject, self.batch.spot(range.start)))
    }

    /// Whether a stretch holds comments, in one of which or in all of which together stands a statement that puts values into selected tables.
    pub(super) fn told_by_comment(&self, gaps: Range<usize>) -> Option<Unsealable> {
        let text = self.commented(gaps.clone())?;
        let selector = written_in(&text, &self.tables, false)?;
        let what = format!("a comment holds a statement that may put values into {}", self.tables.source(selector));
        Some(Unsealable { spot: self.batch.spot(gaps.start), kind: Readable::Comments, what })
    }

    /// Whether comments beside the rows of a selected table hold what looks like values of one: rows that somebody left out, perhaps.
    pub(super) fn told_beside_rows(&self, gaps: Range<usize>) -> Option<Unsealable> {
        let text = self.commented(gaps.clone())?;
        let what = "a comment beside rows of a table that is sealed holds values".to_owned();
        has_row(self.tables.words(&text), self.dialect()).then(|| Unsealable {
            spot: self.batch.spot(gaps.start),
            kind: Readable::Comments,
            what,
        })
    }

    /// What the comments of a stretch say, each on lines of its own.
    fn commented(&self, gaps: Range<usize>) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for gap in self.gaps(gaps) {
            let said = writes::comment(&self.batch.bytes[gap]);
            if let Some(comment) = said.filter(|comment| !says_database(comment)) {
                text.extend_from_slice(comment);
                text.push(b'\n');
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// Whether a string holds a statement that fills a sealed column, with whatever.
    pub(super) fn told_by_strings(&self, range: Range<usize>) -> Option<Unsealable> {
        let selector = self.tokens(range.clone()).find_map(|(token, at)| match token {
            Token::Quoted(quote) => fills_in(&writes::inner(&self.batch.bytes[at], quote), &self.tables),
            _ => None,
        })?;
        Some(self.tables.may_fill(selector, "a string of this statement", self.batch.spot(range.start)))
    }

    /// What stands behind a COPY statement on its line, which is executed behind the rows.
    pub(super) fn told_behind_copy(&self, rest: Range<usize>) -> Option<Unsealable> {
        let text = &self.batch.bytes[rest.clone()];
        let (first, _) =
            self.tokens(rest.clone()).find(|(token, _)| !matches!(token, Token::Gap | Token::Byte(b';')))?;
        let written = written_in(text, &self.tables, false);
        let selector = if first == Token::Byte(b'\\') { written } else { written.or_else(|| self.tables.first()) };
        Some(self.tables.may_fill(selector?, "what stands behind COPY on its line", self.batch.spot(rest.start)))
    }

    /// Whether a row calls a routine, which may put rows into a selected table.
    pub(super) fn told_by_calls(&self, row: Range<usize>) -> Option<Unsealable> {
        if !self.tables.has_routine() || self.tables.calls_nothing(&self.batch.bytes[row.clone()]) {
            return None;
        }
        self.tables.may_fill_any("what this row calls", &self.batch.spot(row.start))
    }

    /// Whether a row holds samples that SQLite took of the values of a selected table.
    pub(super) fn told_by_samples(&self, table: usize, row: Range<usize>) -> Option<Unsealable> {
        if !self.tables.get(table).is_sampled {
            return None;
        }
        let is_named = |(token, at): (Token, Range<usize>)| match token {
            Token::Quoted(quote) => self.tables.selector_of_text(&writes::inner(&self.batch.bytes[at], quote)),
            _ => None,
        };
        let selector = self.tokens(row.clone()).find_map(is_named)?;
        let what =
            format!("statistics (ANALYZE) hold values of {}; drop them before dumping", self.tables.source(selector));
        Some(Unsealable { spot: self.batch.spot(row.start), kind: Readable::Statements, what })
    }

    /// Whether a comment between the rows of a selected table holds values: rows that somebody left out, perhaps.
    pub(super) fn told_among_rows(&self, range: Range<usize>, table: usize) -> Option<Unsealable> {
        self.gaps(range).find_map(|gap| {
            let mut words = self.tables.words(writes::comment(&self.batch.bytes[gap.clone()])?);
            while let Some((token, written)) = words.next() {
                if is_value(token, written, self.dialect()) {
                    let what = format!("a comment among the rows of {} holds values", self.tables.get(table).plan.name);
                    return Some(Unsealable { spot: self.batch.spot(gap.start), kind: Readable::Comments, what });
                }
            }
            None
        })
    }

    /// Whether a row of a selected table has a comment inside it: no tool writes one there.
    pub(super) fn told_in_row(&self, row: Range<usize>, table: usize) -> Option<Unsealable> {
        let mut comments = self.gaps(row).filter(|gap| writes::comment(&self.batch.bytes[gap.clone()]).is_some());
        let gap = comments.next()?;
        let what = format!("a comment stands inside a row of {}", self.tables.get(table).plan.name);
        Some(Unsealable { spot: self.batch.spot(gap.start), kind: Readable::Comments, what })
    }

    /// The gaps of a stretch.
    fn gaps(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        self.tokens(range).filter(|(token, _)| *token == Token::Gap).map(|(_, at)| at)
    }

    /// The tokens of a stretch, as if nothing stood behind it. A quote that opens and never closes is a sign as any other.
    pub(super) fn tokens(&self, range: Range<usize>) -> impl Iterator<Item = (Token, Range<usize>)> + '_ {
        let text = Text { bytes: &self.batch.bytes[..range.end], ended: true, dialect: self.dialect() };
        let mut at = range.start;
        std::iter::from_fn(move || {
            let first = *text.bytes.get(at)?;
            let (token, end) = text.token(at).ok().flatten().unwrap_or((Token::Byte(first), at + 1));
            let start = std::mem::replace(&mut at, end);
            Some((token, start..end))
        })
    }
}

/// Whether a comment is the line with which mysqldump names a database: a string in it is that name.
fn says_database(comment: &[u8]) -> bool {
    let name = [&b" Dumping routines for database '"[..], b" Dumping events for database '"]
        .iter()
        .find_map(|start| comment.strip_prefix(*start));
    name.and_then(|name| name.trim_ascii_end().strip_suffix(b"'"))
        .is_some_and(|name| name.iter().all(|byte| is_word(*byte)))
}

/// Whether a comment holds a string, or a list in parentheses with a value in it. Words and numbers alone, as the tools write them, are none.
fn has_row(mut words: Words<'_>, dialect: Dialect) -> bool {
    let (mut depth, mut has_value, mut has_comma) = (0_u32, false, false);
    while let Some((token, written)) = words.next() {
        match token {
            Token::Quoted(b'\'' | b'$') => return true,
            Token::Byte(b'(') => depth += 1,
            Token::Byte(b')') => depth = depth.saturating_sub(1),
            Token::Byte(b',') => has_comma |= depth > 0,
            _ => has_value |= depth > 0 && is_value(token, written, dialect),
        }
        if depth == 0 {
            (has_value, has_comma) = (false, false);
        }
        if has_value && has_comma {
            return true;
        }
    }
    false
}

/// Whether a comment is executed by some servers and not by others: MariaDB passes over what is for MySQL from 5.7 on, and no server has versions as
/// high as some are that can be written.
pub(super) fn is_doubtful(gap: &[u8]) -> bool {
    let Some((version, limit)) = gap
        .strip_prefix(b"/*!")
        .map(|version| (version, 50_700))
        .or_else(|| gap.strip_prefix(b"/*M!").map(|version| (version, 120_000)))
    else {
        return false;
    };
    let digits = version.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0_u32, |number, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))) >= limit
}
