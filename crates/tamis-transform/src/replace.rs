//! Columns put in the place of others.

use crate::TransformError;
use tamis_table::{Column, Table};

/// The table with some of its columns replaced by columns of the same names.
pub fn replace_columns(table: &Table, replacements: Vec<Column>) -> Result<Table, TransformError> {
    let mut columns = table.columns().to_vec();
    for replacement in replacements {
        let name = table.column(replacement.name())?.name();
        if let Some(place) = columns.iter_mut().find(|column| column.name() == name) {
            *place = replacement;
        }
    }
    Ok(Table::new(columns)?)
}
