//! Joining linked tables: T1, T3 and T2 back to the table they were made from; see [`Link`](super::link::Link).

use super::link::ensure_unique;
use crate::columns::named_columns;
use crate::{Input, Output, TransformError, Transformation};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tamis_table::{Column, Table};

/// Join a table of quasi-identifiers with its sensitive values through the secret table that links them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Join {
    /// The secret table that links ids with secret ids
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE", required = true))]
    pub link: String,
    /// The table of sensitive values
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE", required = true))]
    pub sensitive: String,
    /// The column that identifies the rows, here and in the link
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMN", default_value = "ID"))]
    pub id: String,
    /// The column of secret ids in the link and the table of sensitive values
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMN", default_value = "IDP"))]
    pub secret_id: String,
    /// The columns of the result in their order; those of both tables if left out
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

impl Default for Join {
    fn default() -> Self {
        Self {
            link: String::new(),
            sensitive: String::new(),
            id: "ID".to_owned(),
            secret_id: "IDP".to_owned(),
            columns: Vec::new(),
        }
    }
}

const KIND: &str = "join";

impl Transformation for Join {
    /// One hash look-up a row and table.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        for (parameter, path) in [("link", &self.link), ("sensitive", &self.sensitive)] {
            if path.is_empty() {
                return Err(TransformError::BadParameter {
                    kind: KIND,
                    parameter,
                    found: "not given".to_owned(),
                    expected: "a file that `link` made".to_owned(),
                });
            }
        }
        let first = input.table;
        let third = input.files.table(&self.link)?;
        let second = input.files.table(&self.sensitive)?;
        let row_in_link = partners(
            (first.column(&self.id)?, "the table"),
            (third.column(&self.id).map_err(|error| in_file(&self.link, &error))?, &self.link),
        )?;
        let row_in_sensitive = partners(
            (third.column(&self.secret_id).map_err(|error| in_file(&self.link, &error))?, &self.link),
            (second.column(&self.secret_id).map_err(|error| in_file(&self.sensitive, &error))?, &self.sensitive),
        )?;
        let rows: Vec<usize> = row_in_link.iter().map(|&row| row_in_sensitive[row]).collect();
        let values = second.columns().iter().filter(|column| column.name() != self.secret_id);
        let joined =
            Table::new(first.columns().iter().cloned().chain(values.map(|column| column.select(&rows))).collect())?;
        if self.columns.is_empty() {
            return Ok(Output::of(joined));
        }
        let chosen = named_columns(KIND, "columns", &self.columns, &joined)?;
        Ok(Output::of(Table::new(chosen.into_iter().cloned().collect())?))
    }

    fn files(&self) -> Vec<&str> {
        vec![&self.link, &self.sensitive]
    }
}

fn in_file(path: &str, error: &tamis_table::TableError) -> TransformError {
    TransformError::File(format!("{path}: {error}"))
}

/// The row on the right for each row on the left; both sides name every row once, and the same rows.
fn partners(
    (left, left_place): (&Column, &str),
    (right, right_place): (&Column, &str),
) -> Result<Vec<usize>, TransformError> {
    ensure_unique(KIND, left_place, left)?;
    ensure_unique(KIND, right_place, right)?;
    let unmatched = |row: usize, column: &Column, place: &str, other: &str| TransformError::BadTable {
        kind: KIND,
        reason: format!(
            "`{}` as `{}` in row {} of {place} is not in {other}; the tables must come from one `link`",
            column.text(row),
            column.name(),
            row + 1
        ),
    };
    let row_of: HashMap<&str, usize> = (0..right.codes().len()).map(|row| (right.text(row), row)).collect();
    let mut is_met = vec![false; right.codes().len()];
    let mut rows = Vec::with_capacity(left.codes().len());
    for row in 0..left.codes().len() {
        let partner = *row_of.get(left.text(row)).ok_or_else(|| unmatched(row, left, left_place, right_place))?;
        is_met[partner] = true;
        rows.push(partner);
    }
    match is_met.iter().position(|&met| !met) {
        Some(row) => Err(unmatched(row, right, right_place, left_place)),
        None => Ok(rows),
    }
}
