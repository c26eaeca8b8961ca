//! A stretch of a dump, and what its parts are.

use std::sync::Arc;

use super::Dialect;
use crate::document::rows::{Plan, Span, Spot, Summary};
use crate::document::{Readable, SeenKey};

/// Bytes of a dump and the pieces that they are, one behind the other and without gaps.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) bytes: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    /// The values of all rows.
    pub(super) values: Vec<Span>,
    /// The tables of the rows.
    pub(super) plans: Vec<Arc<Plan>>,
    /// The line on which it begins.
    pub(super) line: u64,
    /// How its values are written.
    pub(super) dialect: Dialect,
    /// What becomes of its rows, once they are treated.
    pub(super) became: Rows,
    /// The keys of its rows, if somebody wants to compare them.
    pub(super) seen: Vec<SeenKey>,
    pub(super) summary: Summary,
    /// What it holds that cannot be sealed.
    pub(super) unsealable: Vec<Unsealable>,
}

/// A place that may hold values of a selected table, and that is no row of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unsealable {
    pub(super) spot: Spot,
    pub(super) kind: Readable,
    /// What it is, in words.
    pub(super) what: String,
}

/// What became of rows: their bytes, one behind the other, and for each where it ends and whether it is kept.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) bytes: Vec<u8>,
    pub(super) rows: Vec<(u32, bool)>,
}

/// A part of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Copied in any case.
    Plain(Span),
    /// An INSERT statement up to VALUES.
    Head(Span),
    /// White space and the comma before a row.
    Lead(Span),
    /// A row of an INSERT statement.
    Row(Row),
    /// The rest of an INSERT statement.
    Tail(Span),
    /// A line of a COPY statement.
    Line(Row),
    /// The headers of data keys that this program has put before the dump.
    KeyBlock(Span),
    /// Here the dump has created the table for the headers of data keys, under this name.
    KeyTable(String),
}

impl Piece {
    /// Where it is, if it is a part of a statement.
    pub(super) fn statement(&self) -> Option<Span> {
        match self {
            Self::Plain(span) | Self::Head(span) | Self::Lead(span) | Self::Tail(span) => Some(*span),
            Self::Row(row) => Some(row.span),
            Self::Line(_) | Self::KeyBlock(_) | Self::KeyTable(_) => None,
        }
    }
}

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) span: Span,
    /// Position of its first value among those of the batch.
    pub(super) first: u32,
    /// How many it has.
    pub(super) values: u32,
    /// Position of its table among those of the batch.
    pub(super) plan: u32,
    /// Whether it is the header of a data key.
    pub(super) key: bool,
    /// Its number in its table, from one.
    pub(super) number: u64,
}

/// The line behind these bytes, which begin on this one.
pub(super) fn line_of(line: u64, bytes: &[u8]) -> Spot {
    Spot::Line(line + memchr::memchr_iter(b'\n', bytes).count() as u64)
}

/// The line of the record behind this place, before which there may be a comma and line breaks.
pub(super) fn line_of_next(line: u64, bytes: &[u8], at: usize) -> Spot {
    let lead = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b',').count();
    line_of(line, &bytes[..at + lead])
}

impl Batch {
    /// Forgets everything but its memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.pieces.clear();
        self.values.clear();
        self.plans.clear();
        self.became.bytes.clear();
        self.became.rows.clear();
        self.seen.clear();
        self.unsealable.clear();
    }

    /// The longest of its rows.
    pub(super) fn longest(&self) -> Option<Span> {
        let rows = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Row(row) | Piece::Line(row) => Some(row.span),
            _ => None,
        });
        rows.max_by_key(|span| span.len())
    }

    pub(super) fn spot(&self, at: usize) -> Spot {
        line_of(self.line, &self.bytes[..at])
    }

    pub(super) fn values_of(&self, row: &Row) -> &[Span] {
        &self.values[row.first as usize..(row.first + row.values) as usize]
    }

    /// Position of a table among those of this batch.
    pub(super) fn plan(&mut self, plan: &Arc<Plan>) -> u32 {
        if self.plans.last().is_none_or(|last| !Arc::ptr_eq(last, plan)) {
            self.plans.push(Arc::clone(plan));
        }
        self.plans.len() as u32 - 1
    }
}
