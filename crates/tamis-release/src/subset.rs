//! Which rows of a population are to be released.

use crate::{Input, ReleaseError, Sources, prepare::Requirement};
use std::collections::HashMap;
use tamis_privacy::{Parameters, Value};
use tamis_source::ColumnFilter;
use tamis_table::Table;

/// The column that a `subset = { column = ..., equals = ... }` looks at.
pub(crate) fn column_of(parameters: &Parameters) -> Option<&str> {
    match parameters.get("subset")? {
        Value::Table(rule) => match rule.get("column")? {
            Value::Text(column) => Some(column),
            _ => None,
        },
        _ => None,
    }
}

/// Whether each row of the table is in the subset to release, if a requirement names one.
pub fn subset_of(
    requirements: &[Requirement<'_>],
    table: &Table,
    (input, has_entity): (&Input, bool),
    sources: &dyn Sources,
) -> Result<Option<Vec<bool>>, ReleaseError> {
    let mut subsets = requirements.iter().filter_map(|(_, parameters)| parameters.get("subset"));
    let Some(subset) = subsets.next() else { return Ok(None) };
    if subsets.any(|other| other != subset) {
        return Err(ReleaseError::Setting("two models name different subsets; a release has one".to_owned()));
    }
    if has_entity {
        return Err(ReleaseError::Setting(
            "a subset of a population together with `entity` is not supported: presence counts rows, not people"
                .to_owned(),
        ));
    }
    match subset {
        Value::Text(path) => of_file(path, table, input, sources).map(Some),
        Value::Table(rule) => of_rule(rule, table).map(Some),
        _ => Err(bad_rule()),
    }
}

fn bad_rule() -> ReleaseError {
    ReleaseError::Setting(
        "`subset` is either the path of a file with the rows to release or { column = \"...\", equals = \"...\" }"
            .to_owned(),
    )
}

fn of_rule(rule: &std::collections::BTreeMap<String, Value>, table: &Table) -> Result<Vec<bool>, ReleaseError> {
    let text = |key: &str| match rule.get(key) {
        Some(Value::Text(text)) => Some(text.clone()),
        Some(Value::Truth(truth)) => Some(truth.to_string()),
        Some(Value::Integer(number)) => Some(number.to_string()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let (Some(column), Some(equals), 2) = (text("column"), text("equals"), rule.len()) else { return Err(bad_rule()) };
    let column = table.column(&column)?;
    Ok((0..table.rows()).map(|row| column.text(row) == equals).collect())
}

/// The rows of the input that the file lists: each listed row takes one row of the input that agrees on all columns both have.
fn of_file(path: &str, table: &Table, input: &Input, sources: &dyn Sources) -> Result<Vec<bool>, ReleaseError> {
    let listing = Input { path: path.to_owned(), ..input.clone() };
    let listed = sources.table(&listing, ColumnFilter::All)?;
    let shared: Vec<&str> =
        table.columns().iter().map(tamis_table::Column::name).filter(|name| listed.column(name).is_ok()).collect();
    if shared.is_empty() {
        return Err(ReleaseError::Setting(format!("{path} has no column in common with {}", input.path)));
    }
    let row_text = |table: &Table, row: usize| -> Result<Vec<String>, ReleaseError> {
        shared.iter().map(|name| Ok(table.column(name)?.text(row).to_owned())).collect()
    };
    let mut wanted: HashMap<Vec<String>, u64> = HashMap::new();
    for row in 0..listed.rows() {
        *wanted.entry(row_text(&listed, row)?).or_default() += 1;
    }
    let mut subset = vec![false; table.rows()];
    for (row, is_in) in subset.iter_mut().enumerate() {
        if let Some(left) = wanted.get_mut(&row_text(table, row)?)
            && *left > 0
        {
            *left -= 1;
            *is_in = true;
        }
    }
    let unmatched: u64 = wanted.values().sum();
    if unmatched > 0 {
        return Err(ReleaseError::Setting(format!(
            "{unmatched} of the {} rows of {path} are not in {}; the population must contain every row to release",
            listed.rows(),
            input.path
        )));
    }
    Ok(subset)
}
