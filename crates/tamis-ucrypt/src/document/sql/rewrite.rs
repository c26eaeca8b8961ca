//! Rewriting a dump, batch by batch.

use std::io::{Read, Write};

use super::batch::{Batch, Piece, Unsealable};
use super::copy_row::CopyValues;
use super::literal::Literals;
use super::scan::Scanner;
use super::write::Writer;
use super::{Headers, Options};
use crate::document::batch::{Ends, in_order};
use crate::document::rows::{
    Charset, Columns, Keys, Marks, RawRow, RewriteError, RowsError, Span, Spot, Summary, Treater, shown_key,
};
use crate::document::{KeyHasher, SeenKey, UniqueKeys};
use crate::document::{ReadablePlace, Treatment};

/// Treats the selected and the sealed values of a dump, and copies everything else byte for byte.
///
/// A value in a column that no selector names is handed over only if it is sealed; it belongs to the table and the key of the first
/// selector of its table, and its field is the name of its column. In a table that no selector names, the record is its number. Records
/// are dropped only from selected tables, or from all if there are no selectors. After an error, what was written is of no use.
pub fn rewrite<T: Treatment>(
    input: impl Read,
    output: impl Write,
    options: &Options,
    selectors: &[Columns],
    headers: Headers<'_>,
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let mut dump = Dump {
        scanner: Scanner::new(input, options, selectors),
        writer: Writer::new(headers),
        output,
        out: Vec::new(),
        charset: options.charset,
        unique: UniqueKeys::default(),
        summary: Summary::default(),
        treatment,
    };
    let hasher = KeyHasher::default();
    let drop_keys = matches!(headers, Headers::Replace(..));
    in_order(&mut dump, options.threads, || {
        let marks = Marks::new(options.elements.iter().map(String::as_str));
        let mut treater = Treater::new(treatment, marks, hasher.clone(), options.keys == Keys::Unique);
        move |mut batch: Batch| {
            let literals = Literals { dialect: batch.dialect, charset: options.charset };
            treat(&mut batch, literals, drop_keys, &mut treater)?;
            Ok(batch)
        }
    })?;
    unsealable(dump.scanner.tables.unsealable(), treatment)?;
    dump.out.clear();
    dump.writer.finish(&mut dump.out);
    dump.output.write_all(&dump.out).map_err(RowsError::Write)?;
    dump.output.flush().map_err(RowsError::Write)?;
    dump.summary.absent = dump.scanner.tables.absent();
    dump.summary.compared = dump.unique.compared();
    Ok(dump.summary.unmixed()?)
}

/// Tells a treatment of what may hold values of selected tables and cannot be sealed. One that neither looks for such places nor passes them over
/// would leave them by mistake.
fn unsealable<T: Treatment>(found: Vec<Unsealable>, treatment: &T) -> Result<(), RowsError> {
    for Unsealable { spot, kind, what } in found {
        if treatment.looks_for_readable() {
            let line = if let Spot::Line(line) = spot { line } else { 0 };
            treatment.stays_readable(ReadablePlace { order: (line, 0), kind, place: format!("{spot}: {what}") });
        } else if !treatment.passes_statements() {
            return Err(RowsError::Statement { spot, what });
        }
    }
    Ok(())
}

fn treat<T: Treatment>(
    batch: &mut Batch,
    literals: Literals,
    drop_keys: bool,
    treater: &mut Treater<'_, T>,
) -> Result<(), RewriteError<T::Refusal>> {
    let mut became = std::mem::take(&mut batch.became);
    let mut seen = std::mem::take(&mut batch.seen);
    let mut summary = Summary::default();
    let lines = CopyValues { charset: literals.charset };
    for piece in &batch.pieces {
        let (Piece::Row(row) | Piece::Line(row)) = piece else { continue };
        if row.key {
            became.bytes.extend_from_slice(row.span.of(&batch.bytes));
            became.rows.push((became.bytes.len() as u32, !drop_keys));
            continue;
        }
        let plan = &batch.plans[row.plan as usize];
        let spot = || batch.spot(row.span.start as usize);
        let (bytes, values) = (&batch.bytes, batch.values_of(row));
        let raw = RawRow { bytes, span: row.span, values, number: row.number, spot: &spot };
        let result = match piece {
            Piece::Line(_) => treater.treat(raw, plan, &lines, &mut became.bytes, &mut seen),
            _ => treater.treat(raw, plan, &literals, &mut became.bytes, &mut seen),
        };
        let done = result.map_err(|problem| problem.at(spot(), plan))?;
        became.rows.push((became.bytes.len() as u32, done.kept));
        summary.count(done);
    }
    summary.other_charset = literals.charset.fault_in(&batch.bytes).map(|at| batch.spot(at));
    (batch.became, batch.seen, batch.summary) = (became, seen, summary);
    Ok(())
}

/// Beyond this size memory is given back: one long record must not hold it for the rest of the dump.
const KEPT: usize = 4 << 20;

/// The dump on both sides of the treatment.
struct Dump<'a, R, W, T> {
    scanner: Scanner<'a, R>,
    writer: Writer<'a>,
    output: W,
    out: Vec<u8>,
    charset: Charset,
    unique: UniqueKeys,
    summary: Summary,
    treatment: &'a T,
}

impl<R: Read, W: Write, T: Treatment> Ends for Dump<'_, R, W, T> {
    type Item = Batch;
    type Product = Batch;
    type Error = RewriteError<T::Refusal>;

    fn next(&mut self) -> Result<Option<Batch>, Self::Error> {
        let mut next = self.scanner.next()?;
        if let Some(batch) = &mut next {
            unsealable(std::mem::take(&mut batch.unsealable), self.treatment)?;
        }
        Ok(next)
    }

    fn weight(batch: &Batch) -> usize {
        batch.bytes.len()
    }

    fn longest(batch: &Batch) -> usize {
        batch.longest().map_or(0, Span::len)
    }

    fn too_heavy(batch: &Batch) -> Self::Error {
        RowsError::NoMemory(batch.spot(batch.longest().map_or(0, |row| row.start as usize))).into()
    }

    fn take(&mut self, batch: Batch) -> Result<(), Self::Error> {
        for key in &batch.seen {
            if !self.unique.insert(key.hash) {
                return Err(doubled(&batch, key, self.charset).into());
            }
        }
        if self.out.capacity() > KEPT {
            self.out = Vec::new();
        }
        self.out.clear();
        self.writer.write(&batch, &mut self.out);
        self.output.write_all(&self.out).map_err(RowsError::Write)?;
        self.summary.add(&batch.summary);
        self.scanner.recycle(batch);
        Ok(())
    }
}

fn doubled(batch: &Batch, key: &SeenKey, charset: Charset) -> RowsError {
    let literals = Literals { dialect: batch.dialect, charset };
    let found = batch.pieces.iter().find_map(|piece| match piece {
        Piece::Row(row) if row.span.start == key.at => Some((row, shown_key(key, &batch.bytes, &literals))),
        Piece::Line(row) if row.span.start == key.at => {
            Some((row, shown_key(key, &batch.bytes, &CopyValues { charset })))
        }
        _ => None,
    });
    let (column, record) = found.map_or_else(Default::default, |(row, record)| {
        let plan = &batch.plans[row.plan as usize];
        (Some(plan.columns[plan.keys[key.group].position].clone()), record)
    });
    RowsError::DoubledKey { spot: batch.spot(key.at as usize), record, column }
}
