//! The fields of a policy in the terms of each kind of document.

use std::fs::File;

use super::fields::Needed;
use super::of_file::OfFile as _;
use super::{Form, Kind, OperationError};
use crate::document::csv;
use crate::document::rows::{Column, Columns, RowsError};
use crate::document::xml::{self, Path, Selector, Selectors};
use crate::policy::{Field, Policy, Selection};

/// Refuses fields by which no document could be sealed, before anything is.
pub(super) fn check(policy: &Policy) -> Result<(), OperationError> {
    if policy.selections.iter().any(|selection| selection.record.is_some()) {
        xml(policy, None)?.refuse_lost_keys()?;
    }
    for selection in &policy.selections {
        let Some(key) = selection.key.as_deref() else { continue };
        let mut columns: Vec<&str> = selection.fields.iter().map(Field::column).collect();
        columns.sort_unstable();
        let twice = columns.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let table = selection.name.clone();
        let error = match (columns.contains(&key), twice) {
            (true, _) => RowsError::SealedKey { column: key.to_owned(), table },
            (false, Some(twice)) => RowsError::SelectedTwice { column: twice.to_owned(), table },
            (false, None) => continue,
        };
        return Err(OperationError::Columns(error));
    }
    Ok(())
}

/// The selectors of a policy for XML documents.
pub(super) fn xml(policy: &Policy, table: Option<&str>) -> Result<Selectors, OperationError> {
    let mut selectors = Vec::new();
    for selection in policy.tables(table) {
        let Some(record) = &selection.record else { continue };
        let field = |field: &Field| {
            Ok(xml::Field { name: field.name.clone(), path: Path::relative(field.path(), &policy.namespaces)? })
        };
        selectors.push(Selector {
            table: selection.name.clone(),
            record: Path::absolute(record, &policy.namespaces)?,
            key: selection.record_key.as_ref().map(|key| Path::relative(key, &policy.namespaces)).transpose()?,
            fields: selection.fields.iter().map(field).collect::<Result<_, OperationError>>()?,
        });
    }
    if selectors.is_empty() {
        return Err(none(policy, table, Kind::Xml));
    }
    Ok(Selectors::new(&policy.element, selectors)?)
}

/// The selectors of a policy for the tables of a document.
pub(super) fn columns(
    policy: &Policy,
    form: &Form,
    input: &std::path::Path,
    needed: Needed<'_>,
) -> Result<Vec<Columns>, OperationError> {
    let table = form.table.as_deref();
    let mut found = Vec::new();
    for selection in policy.tables(table) {
        let Some(key) = &selection.key else { continue };
        let column = |field: &Field| Column {
            column: field.column().to_owned(),
            field: field.name.clone(),
            required: needed.has(&field.name),
        };
        found.push(Columns {
            source: selection.source().to_owned(),
            table: selection.name.clone(),
            key: key.clone(),
            columns: selection.fields.iter().map(column).collect(),
            element: policy.element.clone(),
        });
    }
    if found.is_empty() {
        return Err(none(policy, table, form.kind));
    }
    if form.kind == Kind::Csv && found.len() > 1 {
        return Ok(vec![only(found, form, input)?]);
    }
    Ok(found)
}

/// The table that a CSV file is: the one that it is named after, otherwise the only one whose columns are all there.
fn only(mut tables: Vec<Columns>, form: &Form, input: &std::path::Path) -> Result<Columns, OperationError> {
    let stem = input.file_stem().and_then(|stem| stem.to_str());
    let named = |table: &Columns| stem.is_some_and(|stem| table.table == stem || table.source == stem);
    if let Some(position) = tables.iter().position(named) {
        return Ok(tables.swap_remove(position));
    }
    let options = csv::Options { delimiter: form.delimiter, charset: form.charset, ..csv::Options::default() };
    let header = csv::column_names(File::open(input).of(input)?, &options).of(input)?;
    let fits = |table: &Columns| {
        let mut wanted = table.columns.iter().map(|column| &column.column).chain([&table.key]);
        wanted.all(|column| header.contains(column))
    };
    let fitting: Vec<usize> = (0..tables.len()).filter(|&position| fits(&tables[position])).collect();
    if let [position] = fitting[..] {
        return Ok(tables.swap_remove(position));
    }
    Err(OperationError::WhichTable {
        path: input.to_owned(),
        tables: tables.iter().map(|table| table.table.as_str()).collect::<Vec<_>>().join(", "),
        fitting: if fitting.is_empty() { "none" } else { "more than one" },
    })
}

fn none(policy: &Policy, table: Option<&str>, kind: Kind) -> OperationError {
    match table {
        Some(table) => no_table(policy, table, kind),
        None => OperationError::NoFields(kind.name()),
    }
}

/// Says that a policy does not have a table, and which it has for documents of a kind.
pub fn no_table(policy: &Policy, table: &str, kind: Kind) -> OperationError {
    let is_there = |table: &&Selection| if kind == Kind::Xml { table.record.is_some() } else { table.key.is_some() };
    let known = policy.selections.iter().filter(is_there).map(|table| table.name.clone()).collect();
    OperationError::NoTable { table: table.to_owned(), known }
}
