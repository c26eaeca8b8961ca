//! Columns named by parameters, and columns made from others.

use crate::{TransformError, builder_like};
use tamis_table::{Column, ColumnBuilder, Table, TableError};

/// The named columns: at least one, all of them there, none named twice.
pub(crate) fn named_columns<'t>(
    kind: &'static str,
    parameter: &'static str,
    names: &[String],
    table: &'t Table,
) -> Result<Vec<&'t Column>, TransformError> {
    let bad = |found: String| TransformError::BadParameter {
        kind,
        parameter,
        found,
        expected: "the names of one or more columns, each once".to_owned(),
    };
    if names.is_empty() {
        return Err(bad("not given".to_owned()));
    }
    if let Some(twice) = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(name)) {
        return Err(bad(format!("a list with `{twice}` twice")));
    }
    names.iter().map(|name| table.column(name).map_err(TransformError::from)).collect()
}

/// The column with the text for its code in place of every cell; what stays missing keeps its spelling. One look-up a row.
pub(crate) fn recoded(column: &Column, text_of_code: &[String]) -> Result<Column, TableError> {
    let mut builder = builder_like(column);
    for row in 0..column.codes().len() {
        builder.push(&text_of_code[column.codes().get(row) as usize])?;
    }
    Ok(builder.finish().spelled_like(column))
}

/// A new column of these texts.
pub(crate) fn column_of(name: &str, texts: impl Iterator<Item = String>) -> Result<Column, TableError> {
    let mut builder = ColumnBuilder::new(name);
    for text in texts {
        builder.push(&text)?;
    }
    Ok(builder.finish())
}
