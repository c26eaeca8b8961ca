//! A stretch of a dump, and what its parts are.

use std::sync::Arc;

use crate::document::rows::{Plan, Span, Spot};

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

impl Batch {
    pub(super) fn spot(&self, at: usize) -> Spot {
        Spot::Line(self.line + memchr::memchr_iter(b'\n', &self.bytes[..at]).count() as u64)
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
