//! Putting a dump together again, without the rows that were not kept.

use super::batch::{Batch, Piece};
use super::keys::{self, Headers, Home};
use crate::document::header::KeyHeaders;

/// The state between pieces: a statement of which all rows are dropped is dropped with them.
pub(super) struct Writer<'a> {
    headers: Headers<'a>,
    /// The start of a statement none of whose rows were kept so far.
    pending: Option<Vec<u8>>,
    /// What stood before the first row of the statement, and before the current one.
    first_lead: Vec<u8>,
    lead: Vec<u8>,
    /// Rows of the statement so far.
    rows: u64,
    /// Whether the statement that has just ended was dropped, and the rest of its line with it.
    dropped: bool,
    /// Whether the headers stand in their table: several dumps, one behind the other, may create it again.
    has_written_headers: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(headers: Headers<'a>) -> Self {
        let (first_lead, lead) = (Vec::new(), Vec::new());
        Self { headers, pending: None, first_lead, lead, rows: 0, dropped: false, has_written_headers: false }
    }

    fn replacing(&self, home: Home) -> Option<&'a KeyHeaders> {
        match self.headers {
            Headers::Replace(headers, wanted) if wanted == home => Some(headers),
            _ => None,
        }
    }

    /// Appends a batch with its rows as they became.
    pub(super) fn write(&mut self, batch: &Batch, out: &mut Vec<u8>) {
        let mut rows = batch.became.rows.iter();
        let mut start = 0;
        let mut next = || {
            let (end, kept) = rows.next().copied().unwrap_or((start as u32, false));
            let bytes = &batch.became.bytes[start..end as usize];
            start = end as usize;
            (bytes, kept)
        };
        for piece in &batch.pieces {
            match piece {
                Piece::Plain(span) => self.plain(span.of(&batch.bytes), out),
                Piece::Head(span) => {
                    self.dropped = false;
                    self.rows = 0;
                    self.lead.clear();
                    let mut head = self.pending.take().unwrap_or_default();
                    head.clear();
                    head.extend_from_slice(span.of(&batch.bytes));
                    self.pending = Some(head);
                }
                Piece::Lead(span) => {
                    self.lead.clear();
                    self.lead.extend_from_slice(span.of(&batch.bytes));
                }
                Piece::Row(_) => {
                    let (bytes, kept) = next();
                    self.row(bytes, kept, out);
                }
                Piece::Tail(span) => self.tail(span.of(&batch.bytes), out),
                Piece::Line(_) => {
                    let (bytes, kept) = next();
                    out.extend_from_slice(if kept { bytes } else { &[] });
                }
                Piece::KeyBlock(span) => match self.headers {
                    Headers::Keep => out.extend_from_slice(span.of(&batch.bytes)),
                    Headers::Replace(..) => {
                        let block = self.replacing(Home::Block).map(keys::block);
                        out.extend_from_slice(block.unwrap_or_default().as_bytes());
                    }
                },
                Piece::KeyTable(name) => {
                    if let Some(headers) = self.replacing(Home::Table).filter(|headers| !headers.as_slice().is_empty())
                        && !std::mem::replace(&mut self.has_written_headers, true)
                    {
                        out.push(b'\n');
                        // The line break behind the statement ends the last row instead.
                        out.extend_from_slice(keys::rows(name, headers).trim_ascii_end().as_bytes());
                    }
                }
            }
        }
    }

    /// Appends the start of a statement that has no rows; that of one whose rows were all dropped is dropped with them.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(head) = self.pending.take().filter(|_| self.rows == 0) {
            out.extend_from_slice(&head);
        }
    }

    fn plain(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut bytes = bytes;
        if self.dropped {
            let line = bytes.strip_prefix(b"\r").unwrap_or(bytes);
            bytes = line.strip_prefix(b"\n").unwrap_or(bytes);
            self.dropped = false;
        }
        self.finish(out);
        out.extend_from_slice(bytes);
    }

    fn row(&mut self, bytes: &[u8], kept: bool, out: &mut Vec<u8>) {
        if self.rows == 0 {
            self.first_lead.clone_from(&self.lead);
        }
        self.rows += 1;
        if !kept {
            return;
        }
        match self.pending.take() {
            Some(head) => {
                out.extend_from_slice(&head);
                out.extend_from_slice(&self.first_lead);
            }
            None => out.extend_from_slice(&self.lead),
        }
        out.extend_from_slice(bytes);
    }

    fn tail(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.pending.is_some() && self.rows > 0 {
            self.dropped = true;
            return;
        }
        self.finish(out);
        out.extend_from_slice(bytes);
    }
}
