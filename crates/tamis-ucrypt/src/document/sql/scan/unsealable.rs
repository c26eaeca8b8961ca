//! What a dump holds of selected tables beside their rows.

use std::io::Read;
use std::ops::Range;

use super::{Other, Purpose, Scanner};
use crate::document::Readable;
use crate::document::rows::RowsError;
use crate::document::sql::batch::{Batch, Piece, Unsealable};
use crate::document::sql::dialect::doubtful;
use crate::document::sql::lex::{Text, Token};
use crate::document::sql::writes::{self, Reading, Writes, fills_in, is_value, written_in};

impl<R: Read> Scanner<'_, R> {
    /// What a token of a statement says about values of selected tables, once for each statement.
    pub(super) fn filled_by(
        &mut self,
        other: &mut Other,
        token: Token,
        range: Range<usize>,
    ) -> Result<Option<Unsealable>, RowsError> {
        let (before, written) = (&self.batch.bytes[..range.start], &self.batch.bytes[range.clone()]);
        let is_name = matches!(token, Token::Word | Token::Quoted(b'"' | b'`' | b'['));
        let named = || self.tables.selector_of(before, written).filter(|_| is_name);
        let subject = if other.purpose == Purpose::Defines { "this definition" } else { "this statement" };
        let mut found = None;
        match other.purpose {
            Purpose::Changes => {
                let in_string = || match token {
                    Token::Quoted(quote) if is_value(token, written, self.dialect()) => {
                        let inner = writes::inner(written, quote);
                        self.tables.selector_of_text(&inner).or_else(|| fills_in(&inner, &self.tables))
                    }
                    _ => None,
                };
                let selector = named().or_else(in_string);
                found = selector.map(|selector| self.tables.may_fill(selector, subject, self.spot()));
            }
            Purpose::Shows => {
                if let (Some(selector), Some(view)) = (named(), self.view.clone()) {
                    let spot = self.spot();
                    found = self.tables.view(view, selector, &spot)?;
                }
            }
            Purpose::Any | Purpose::Defines => {}
        }
        let told = self.told_by(&mut other.writes, token, range, subject);
        if other.purpose == Purpose::Defines {
            self.tables.note_writer(other.writes.filled());
        }
        let found = found.or(told).filter(|_| token == Token::Gap || !other.is_told);
        other.is_told |= token != Token::Gap && found.is_some();
        Ok(found)
    }

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

    /// Whether a gap is a comment that holds a statement which puts values into a selected table.
    pub(super) fn told_by_comment(&self, gap: Range<usize>) -> Option<Unsealable> {
        let text = writes::comment(&self.batch.bytes[gap.clone()])?;
        let selector = written_in(text, &self.tables, false)?;
        let what = format!("a comment holds a statement that may put values into {}", self.tables.source(selector));
        Some(Unsealable { spot: self.batch.spot(gap.start), kind: Readable::Comments, what })
    }

    /// Looks through a statement of which all is there.
    pub(super) fn look(&mut self, range: Range<usize>) {
        let mut writes = Writes::new(Reading::Statement);
        let told = self.tokens(range).filter_map(|(token, at)| self.told_by(&mut writes, token, at, "this statement"));
        let mut found: Vec<Unsealable> = told.collect();
        found.dedup();
        self.tell(found);
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

    /// Whether a row calls a routine that puts what it is called with into a selected table.
    pub(super) fn told_by_calls(&self, row: Range<usize>) -> Option<Unsealable> {
        if !self.tables.has_writer() || memchr::memchr(b'(', &self.batch.bytes[row.start + 1..row.end]).is_none() {
            return None;
        }
        let mut writes = Writes::new(Reading::Statement);
        let mut tokens = self.tokens(row).filter(|(token, _)| *token != Token::Gap);
        tokens.find_map(|(token, at)| self.told_by(&mut writes, token, at, "this row"))
    }

    /// What the comments of a stretch say of selected tables.
    pub(super) fn told_in_gaps(&self, range: Range<usize>) -> Option<Unsealable> {
        self.gaps(range).find_map(|gap| self.told_by_comment(gap))
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

    /// The gaps of a stretch.
    fn gaps(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        self.tokens(range).filter(|(token, _)| *token == Token::Gap).map(|(_, at)| at)
    }

    /// The tokens of a stretch, as if nothing stood behind it. A quote that opens and never closes is a sign as any other.
    fn tokens(&self, range: Range<usize>) -> impl Iterator<Item = (Token, Range<usize>)> + '_ {
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
