//! Rewriting a file, block by block.

use std::io::{Read, Write};
use std::marker::PhantomData;

use super::field::Fields;
use super::header::Header;
use super::scan::{Block, Scanner};
use super::wide::{Decoded, Encoded};
use crate::document::batch::{Ends, in_order};
use crate::document::rows::{
    Charset, Columns, Form, Keys, Marks, Namesake, Plan, RawRow, RewriteError, RowsError, Summary, Treater, Value,
    namesakes, shown_key,
};
use crate::document::{KeyHasher, Readable, ReadablePlace, Treatment, UniqueKeys};
use crate::shown::shown;

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
    /// How many threads treat records, beside the one that reads and writes; with 1 or 0 that one does everything. The result does not
    /// depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            delimiter: b',',
            charset: Charset::default(),
            elements: vec!["UCRYPT".into()],
            keys: Keys::Any,
            threads: 1,
        }
    }
}

impl Options {
    /// The same for the file as it is once it was decoded.
    fn decoded(&self) -> Self {
        let charset = if self.charset.wide().is_some() { Charset::UTF_8 } else { self.charset };
        Self { charset, ..self.clone() }
    }
}

/// Treats the selected and the sealed values of a file, and copies everything else byte for byte.
///
/// A value in a column that no selector names is handed over only if it is sealed; it belongs to the table and the key of the first
/// selector, and its field is the name of its column. Without selectors, the record is its number. After an error, what was written is
/// of no use.
pub fn rewrite<T: Treatment>(
    input: impl Read,
    output: impl Write,
    options: &Options,
    selectors: &[Columns],
    treatment: &T,
) -> Result<Summary, RewriteError<T::Refusal>> {
    let input = Decoded::open(input, options.charset).map_err(RowsError::Read)?;
    let output = Encoded::new(output, input.wide);
    let options = &options.decoded();
    let mut scanner = Scanner::new(input, options.delimiter)?;
    let first = scanner.next()?.ok_or(RowsError::NoHeader)?;
    let plan = header(&first, options, selectors)?;
    if treatment.looks_for_readable() {
        for Namesake { position, column, sealed } in namesakes(&plan, &selectors.iter().collect::<Vec<_>>()) {
            let place = format!("column {} of the header, {}, beside {}", position + 1, shown(column), shown(sealed));
            let order = (1, position as u64);
            treatment.stays_readable(ReadablePlace { order, kind: Readable::Namesakes, place });
        }
    }
    let fields = Fields { delimiter: options.delimiter, charset: options.charset, lonely: plan.columns.len() == 1 };
    let header = treatment.looks_for_readable().then(|| Header::new(&first, &plan, selectors));
    let hasher = KeyHasher::default();
    let mut file = File {
        scanner,
        first: Some(first),
        output,
        plan: &plan,
        fields,
        unique: UniqueKeys::default(),
        summary: Summary::default(),
        refusal: PhantomData,
    };
    in_order(&mut file, options.threads, || {
        let marks = Marks::new(options.elements.iter().map(String::as_str));
        let mut treater = Treater::new(treatment, marks, hasher.clone(), options.keys == Keys::Unique);
        let (plan, header) = (&plan, header.as_ref());
        move |mut block: Block| {
            if let Some(header) = header {
                header.look_for_others(&block, treatment);
            }
            treat(&mut block, plan, fields, &mut treater)?;
            Ok(block)
        }
    })?;
    let File { mut output, unique, mut summary, .. } = file;
    output.flush().map_err(RowsError::Write)?;
    summary.compared = unique.compared();
    Ok(summary.unmixed()?)
}

/// The columns that the first line of a file names.
pub(crate) fn column_names(input: impl Read, options: &Options) -> Result<Vec<String>, RowsError> {
    let input = Decoded::open(input, options.charset).map_err(RowsError::Read)?;
    let options = &options.decoded();
    let first = Scanner::new(input, options.delimiter)?.next()?.ok_or(RowsError::NoHeader)?;
    names(&first, options)
}

fn header(block: &Block, options: &Options, selectors: &[Columns]) -> Result<Plan, RowsError> {
    Plan::new("the file".into(), names(block, options)?, &selectors.iter().collect::<Vec<_>>(), false)
}

fn names(block: &Block, options: &Options) -> Result<Vec<String>, RowsError> {
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
    Ok(names)
}

fn treat<T: Treatment>(
    block: &mut Block,
    plan: &Plan,
    fields: Fields,
    treater: &mut Treater<'_, T>,
) -> Result<(), RewriteError<T::Refusal>> {
    let (mut out, mut seen) = (std::mem::take(&mut block.out), std::mem::take(&mut block.seen));
    let mut summary = Summary::default();
    let mut copied = 0;
    let columns = plan.columns.len();
    let header = usize::from(block.number == 0);
    for (position, span) in block.records.iter().enumerate().skip(header) {
        out.extend_from_slice(&block.bytes[copied..span.start as usize]);
        copied = span.end as usize;
        let values = &block.fields[position * columns..(position + 1) * columns];
        let spot = || block.line_of(span.start);
        let number = block.number + position as u64;
        let row = RawRow { bytes: &block.bytes, span: *span, values, number, spot: &spot };
        let done = treater.treat(row, plan, &fields, &mut out, &mut seen);
        summary.count(done.map_err(|problem| problem.at(spot(), plan))?);
    }
    out.extend_from_slice(&block.bytes[copied..]);
    summary.other_charset = fields.charset.fault_in(&block.bytes).map(|at| block.line_of(at as u32));
    (block.out, block.seen, block.summary) = (out, seen, summary);
    Ok(())
}

/// The file on both sides of the treatment. Knows what a treatment may refuse only to share its error.
struct File<'p, R, W, E> {
    scanner: Scanner<R>,
    first: Option<Block>,
    output: W,
    plan: &'p Plan,
    fields: Fields,
    unique: UniqueKeys,
    summary: Summary,
    refusal: PhantomData<E>,
}

impl<R: Read, W: Write, E: Send> Ends for File<'_, R, W, E> {
    type Item = Block;
    type Product = Block;
    type Error = RewriteError<E>;

    fn next(&mut self) -> Result<Option<Block>, RewriteError<E>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => Ok(self.scanner.next()?),
        }
    }

    fn weight(block: &Block) -> usize {
        block.bytes.len()
    }

    fn longest(block: &Block) -> usize {
        block.records.iter().map(|record| record.len()).max().unwrap_or_default()
    }

    fn too_heavy(block: &Block) -> RewriteError<E> {
        let longest = block.records.iter().max_by_key(|record| record.len());
        RowsError::NoMemory(block.line_of(longest.map_or(0, |record| record.start))).into()
    }

    fn take(&mut self, block: Block) -> Result<(), RewriteError<E>> {
        for key in &block.seen {
            if !self.unique.insert(key.hash) {
                let column = Some(self.plan.columns[self.plan.keys[key.group].position].clone());
                let record = shown_key(key, &block.bytes, &self.fields);
                return Err(RowsError::DoubledKey { spot: block.line_of(key.at), record, column }.into());
            }
        }
        self.output.write_all(&block.out).map_err(RowsError::Write)?;
        self.summary.add(&block.summary);
        self.scanner.recycle(block);
        Ok(())
    }
}
