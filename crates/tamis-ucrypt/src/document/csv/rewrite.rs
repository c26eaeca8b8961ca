//! Rewriting a file, block by block.

use std::io::{Read, Write};

use super::field::Fields;
use super::scan::{Block, Scanner};
use crate::document::Treatment;
use crate::document::rows::{
    Charset, Columns, Compared, Form, KeyHasher, Keys, Marks, Plan, Problem, RawRow, RewriteError, RowsError, SeenKey,
    Summary, Treater, UniqueKeys, Value,
};

/// How a file is written, and what to look for.
#[derive(Debug, Clone)]
pub struct Options {
    /// What stands between fields.
    pub delimiter: u8,
    /// How text is written as bytes.
    pub charset: Charset,
    /// Names of the elements around sealed values.
    pub elements: Vec<String>,
    /// Whether records may share a key.
    pub keys: Keys,
}

impl Default for Options {
    fn default() -> Self {
        Self { delimiter: b',', charset: Charset::default(), elements: vec!["UCRYPT".into()], keys: Keys::Any }
    }
}

/// Treats the selected and the sealed values of a file, and copies everything else byte for byte.
///
/// A value in a column that no selector names is handed over only if it is sealed; it belongs to the table and the key of the first
/// selector, and its field is the name of its column. Without selectors, the record is its number.
pub fn rewrite<T: Treatment>(
    input: impl Read,
    mut output: impl Write,
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let mut scanner = Scanner::new(input, options.delimiter)?;
    let first = scanner.next()?.ok_or(RowsError::NoHeader)?;
    let plan = header(&first, options, selectors)?;
    let fields = Fields { delimiter: options.delimiter, charset: options.charset, lonely: plan.columns.len() == 1 };
    let marks = Marks::new(options.elements.iter().map(String::as_str));
    let mut treater = Treater::new(treatment, marks, KeyHasher::default(), options.keys == Keys::Unique);
    let mut unique = UniqueKeys::default();
    let mut summary = Summary::default();
    let mut block = Some(first);
    let mut out = Vec::new();
    while let Some(now) = block {
        out.clear();
        summary.add(&treat(&now, &plan, fields, &mut treater, &mut out)?);
        if let Some(seen) = &mut treater.seen {
            compare(seen, &mut unique, &now, &plan)?;
        }
        output.write_all(&out).map_err(RowsError::Write)?;
        block = scanner.next()?;
    }
    output.flush().map_err(RowsError::Write)?;
    summary.compared = unique.limit().map_or(Compared::All, Compared::First);
    Ok(summary)
}

fn header(block: &Block, options: &Options, selectors: &[Columns]) -> Result<Plan, RowsError> {
    let Some(record) = block.records.first() else { return Err(RowsError::NoHeader) };
    let fields = Fields { delimiter: options.delimiter, charset: options.charset, lonely: false };
    let columns = block.fields.len() / block.records.len();
    let mut names = Vec::with_capacity(columns);
    for (position, span) in block.fields[..columns].iter().enumerate() {
        let Ok(Value::Text(name, _)) = fields.read(span.of(&block.bytes)) else {
            let (column, charset) = (format!("{} of the header", position + 1), options.charset.name());
            return Err(RowsError::NotText { spot: block.line_of(record.start), column, charset });
        };
        names.push(name.into_owned());
    }
    Plan::new("the file".into(), names, &selectors.iter().collect::<Vec<_>>(), false)
}

fn treat<T: Treatment>(
    block: &Block,
    plan: &Plan,
    fields: Fields,
    treater: &mut Treater<'_, T>,
    out: &mut Vec<u8>,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let mut summary = Summary::default();
    let mut copied = 0;
    let columns = plan.columns.len();
    let header = usize::from(block.number == 0);
    for (position, span) in block.records.iter().enumerate().skip(header) {
        out.extend_from_slice(&block.bytes[copied..span.start as usize]);
        copied = span.end as usize;
        let values = &block.fields[position * columns..(position + 1) * columns];
        let number = block.number + position as u64;
        let row = RawRow { bytes: &block.bytes, span: *span, values, number };
        let treated = treater.treat(row, plan, &fields, out);
        let done = treated.map_err(|problem: Problem<_>| problem.at(block.line_of(span.start), plan))?;
        summary.records += 1;
        summary.dropped += u64::from(!done.kept);
        summary.sealed += done.sealed;
        summary.changed += done.changed;
    }
    out.extend_from_slice(&block.bytes[copied..]);
    Ok(summary)
}

fn compare(seen: &mut Vec<SeenKey>, unique: &mut UniqueKeys, block: &Block, plan: &Plan) -> Result<(), RowsError> {
    for key in seen.drain(..) {
        if !unique.insert(key.hash) {
            let column = plan.columns[plan.keys[key.group].position].clone();
            return Err(RowsError::DoubledKey { spot: block.line_of(key.at), column });
        }
    }
    Ok(())
}
