//! A header inside a file that was put together from several: below it, columns may hold something else than the first line says.

use super::scan::Block;
use crate::document::rows::{Columns, Plan, Span};
use crate::document::{Readable, ReadablePlace, Treatment};

/// The names of columns as they stand in the first line.
pub(super) struct Header {
    names: Vec<Vec<u8>>,
    /// The columns that are to be sealed.
    sealed: Vec<usize>,
    keys: Vec<usize>,
}

impl Header {
    pub(super) fn new(first: &Block, plan: &Plan, selectors: &[Columns]) -> Self {
        let is_sealed = |name: &String| {
            let mut columns = selectors.iter().flat_map(|table| &table.columns);
            columns.any(|column| column.required && column.column == *name)
        };
        let sealed = (0..plan.columns.len()).filter(|at| is_sealed(&plan.columns[*at])).collect();
        let names = first.fields.iter().take(plan.columns.len());
        let names = names.map(|span| bare(*span, &first.bytes).to_vec()).collect();
        Self { names, sealed, keys: plan.keys.iter().map(|key| key.position).collect() }
    }

    /// Tells of the records of a block that are headers of another order.
    pub(super) fn look_for_others<T: Treatment>(&self, block: &Block, treatment: &T) {
        let columns = self.names.len();
        for (number, values) in block.fields.chunks(columns.max(1)).enumerate() {
            let is_first = block.number == 0 && number == 0;
            if is_first || !self.is_other(values, &block.bytes) {
                continue;
            }
            let Some(record) = block.records.get(number) else { break };
            let spot = block.line_of(record.start);
            let place = format!(
                "{spot}, which names the columns anew and in another order, so that the file must be split there"
            );
            let order = (block.number + number as u64, 0);
            treatment.stays_readable(ReadablePlace { order, kind: Readable::Namesakes, place });
        }
    }

    /// Whether values are the names of columns, and that of one which is to be sealed stands in another place. A record of a table that lists
    /// names of columns has few of them.
    fn is_other(&self, values: &[Span], bytes: &[u8]) -> bool {
        let names = |value: &[u8], at: usize| value.eq_ignore_ascii_case(&self.names[at]) && !value.is_empty();
        let is_moved = |(at, span): (usize, &Span)| {
            let value = bare(*span, bytes);
            self.sealed.iter().any(|sealed| *sealed != at && names(value, *sealed))
        };
        if !values.iter().enumerate().any(is_moved) {
            return false;
        }
        let values: Vec<&[u8]> = values.iter().map(|span| bare(*span, bytes)).collect();
        let is_name = |value: &&&[u8]| (0..self.names.len()).any(|at| names(value, at));
        let has_key = self.keys.iter().any(|key| values.iter().any(|value| names(value, *key)));
        has_key || 2 * values.iter().filter(is_name).count() > values.len()
    }
}

/// A value without the quotation marks and white space around it.
fn bare(span: Span, bytes: &[u8]) -> &[u8] {
    let mut value = span.of(bytes).trim_ascii();
    if let [b'"', inner @ .., b'"'] = value {
        value = inner.trim_ascii();
    }
    value
}
