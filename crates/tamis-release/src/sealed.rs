//! What sealed fields do to the figures of sensitive columns.

use std::collections::BTreeMap;
use tamis_table::{Column, Table};

/// Of these columns, a note on each that holds sealed fields in rows that count: models count them as one value, like missing ones, and
/// whoever relies on the figures must know.
pub(crate) fn notes_on_sealed<'a>(
    table: &Table,
    names: impl Iterator<Item = &'a str>,
    is_counted: impl Fn(usize) -> bool,
) -> BTreeMap<String, String> {
    names.filter_map(|name| Some((name.to_owned(), note_on(table.column(name).ok()?, &is_counted)?))).collect()
}

fn note_on(column: &Column, is_counted: impl Fn(usize) -> bool) -> Option<String> {
    let sealed_code = column.sealed()?.0;
    let (mut sealed, mut rows) = (0u64, 0u64);
    column.codes().for_each(|row, code| {
        if is_counted(row) {
            rows += 1;
            sealed += u64::from(code == sealed_code);
        }
    });
    (sealed > 0).then(|| {
        format!(
            "`{}` is sealed in {sealed} of {rows} rows; sealed values count as one value of their own, which can make diversity look higher than what is visible",
            column.name()
        )
    })
}
