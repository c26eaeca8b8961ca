//! Rewriting a dump, batch by batch.

use std::io::{Read, Write};

use super::batch::{Batch, Piece};
use super::copy_row::CopyValues;
use super::literal::Literals;
use super::scan::Scanner;
use super::write::{TreatedRows, Writer};
use super::{Headers, Options};
use crate::document::Treatment;
use crate::document::rows::{
    Columns, Compared, KeyHasher, Keys, Marks, RawRow, RewriteError, RowsError, Summary, Treater, UniqueKeys,
};

/// Treats the selected and the sealed values of a dump, and copies everything else byte for byte.
///
/// A value in a column that no selector names is handed over only if it is sealed; it belongs to the table and the key of the first
/// selector of its table, and its field is the name of its column. In a table that no selector names, the record is its number. Records
/// are dropped only from selected tables, or from all if there are no selectors.
pub fn rewrite<T: Treatment>(
    input: impl Read,
    mut output: impl Write,
    options: &Options,
    selectors: &[Columns],
    headers: Headers<'_>,
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let mut scanner = Scanner::new(input, options, selectors);
    let mut writer = Writer::new(headers);
    let marks = Marks::new(options.elements.iter().map(String::as_str));
    let mut treater = Treater::new(treatment, marks, KeyHasher::default(), options.keys == Keys::Unique);
    let mut unique = UniqueKeys::default();
    let mut summary = Summary::default();
    let mut out = Vec::new();
    let drop_keys = matches!(headers, Headers::Replace(..));
    while let Some(batch) = scanner.next()? {
        let literals = Literals { dialect: scanner.dialect(), charset: options.charset };
        let (treated, done) = treat(&batch, literals, drop_keys, &mut treater)?;
        summary.add(&done);
        if let Some(seen) = &mut treater.seen {
            for key in seen.drain(..) {
                if !unique.insert(key.hash) {
                    return Err(doubled(&batch, key.at, key.group).into());
                }
            }
        }
        out.clear();
        writer.write(&batch, &treated, &mut out);
        output.write_all(&out).map_err(RowsError::Write)?;
    }
    out.clear();
    writer.finish(&mut out);
    output.write_all(&out).map_err(RowsError::Write)?;
    output.flush().map_err(RowsError::Write)?;
    summary.absent = scanner.tables.absent();
    summary.compared = unique.limit().map_or(Compared::All, Compared::First);
    Ok(summary)
}

fn treat<T: Treatment>(
    batch: &Batch,
    literals: Literals,
    drop_keys: bool,
    treater: &mut Treater<'_, T>,
) -> Result<(TreatedRows, Summary), RewriteError<T::Refusal>> {
    let mut treated = TreatedRows::default();
    let mut summary = Summary::default();
    let lines = CopyValues { charset: literals.charset };
    for piece in &batch.pieces {
        let (Piece::Row(row) | Piece::Line(row)) = piece else { continue };
        if row.key {
            treated.bytes.extend_from_slice(row.span.of(&batch.bytes));
            treated.rows.push((treated.bytes.len() as u32, !drop_keys));
            continue;
        }
        let plan = &batch.plans[row.plan as usize];
        let raw = RawRow { bytes: &batch.bytes, span: row.span, values: batch.values_of(row), number: row.number };
        let result = match piece {
            Piece::Line(_) => treater.treat(raw, plan, &lines, &mut treated.bytes),
            _ => treater.treat(raw, plan, &literals, &mut treated.bytes),
        };
        let done = result.map_err(|problem| problem.at(batch.spot(row.span.start as usize), plan))?;
        treated.rows.push((treated.bytes.len() as u32, done.kept));
        summary.records += 1;
        summary.dropped += u64::from(!done.kept);
        summary.sealed += done.sealed;
        summary.changed += done.changed;
    }
    Ok((treated, summary))
}

fn doubled(batch: &Batch, at: u32, group: usize) -> RowsError {
    let row = batch.pieces.iter().find_map(|piece| match piece {
        Piece::Row(row) | Piece::Line(row) if row.span.start == at => Some(row),
        _ => None,
    });
    let column = row.map(|row| {
        let plan = &batch.plans[row.plan as usize];
        plan.columns[plan.keys[group].position].clone()
    });
    RowsError::DoubledKey { spot: batch.spot(at as usize), column: column.unwrap_or_default() }
}
