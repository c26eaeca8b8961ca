//! Small tables for tests.

use tamis_table::{ColumnBuilder, Table, TableError};

/// A table of named columns of texts.
pub(crate) fn table<S: AsRef<str>, C: AsRef<[S]>>(columns: &[(&str, C)]) -> Result<Table, TableError> {
    let build = |(name, texts): &(&str, C)| {
        let mut column = ColumnBuilder::new(*name);
        for text in texts.as_ref() {
            column.push(text.as_ref())?;
        }
        Ok(column.finish())
    };
    Table::new(columns.iter().map(build).collect::<Result<Vec<_>, TableError>>()?)
}
