//! Columns put in the place of others.

use crate::{TransformError, builder_like};
use tamis_table::{Column, Table, TableError};

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

/// A column of the same name and values with other rows, each given by the code of its value. Panics past the last code.
pub fn column_of_codes(column: &Column, codes: impl IntoIterator<Item = u32>) -> Result<Column, TableError> {
    let mut builder = builder_like(column);
    for code in codes {
        builder.push(column.dictionary().text(code))?;
    }
    Ok(builder.finish())
}
