//! The columns that a step names.

use crate::TransformError;
use tamis_table::{Column, Table};

/// The columns called so, in this order; all of the table if none is named. None may be named twice.
pub fn chosen_columns<'a>(
    kind: &'static str,
    table: &'a Table,
    names: &[String],
) -> Result<Vec<&'a Column>, TransformError> {
    if names.is_empty() {
        return Ok(table.columns().iter().collect());
    }
    let mut columns: Vec<&Column> = Vec::with_capacity(names.len());
    for name in names {
        if columns.iter().any(|column| column.name() == name) {
            let (found, expected) = (format!("`{name}` twice"), "each column once".to_owned());
            return Err(TransformError::BadParameter { kind, parameter: "columns", found, expected });
        }
        columns.push(table.column(name)?);
    }
    Ok(columns)
}
