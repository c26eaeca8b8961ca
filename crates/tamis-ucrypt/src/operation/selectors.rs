//! The fields of a policy in the terms of each kind of document.

use super::{Form, Kind, OperationError};
use crate::document::rows::{Column, Columns};
use crate::document::xml::{Field, Path, Selector, Selectors};
use crate::policy::{Policy, Selection};

/// The selectors of a policy for XML documents.
pub(super) fn xml(policy: &Policy, table: Option<&str>) -> Result<Selectors, OperationError> {
    let mut selectors = Vec::new();
    for selection in tables(policy, table) {
        let Some(record) = &selection.record else { continue };
        let field = |field: &crate::policy::Field| {
            Ok(Field { name: field.name.clone(), path: Path::relative(field.path(), &policy.namespaces)? })
        };
        selectors.push(Selector {
            table: selection.name.clone(),
            record: Path::absolute(record, &policy.namespaces)?,
            key: selection.record_key.as_ref().map(|key| Path::relative(key, &policy.namespaces)).transpose()?,
            fields: selection.fields.iter().map(field).collect::<Result<_, OperationError>>()?,
        });
    }
    if selectors.is_empty() {
        return Err(none(table, Kind::Xml));
    }
    Ok(Selectors::new(&policy.element, selectors)?)
}

/// The selectors of a policy for tables.
pub(super) fn columns(policy: &Policy, form: &Form, stem: Option<&str>) -> Result<Vec<Columns>, OperationError> {
    let table = form.table.as_deref();
    let mut found: Vec<(&Selection, Columns)> = Vec::new();
    for selection in tables(policy, table) {
        let Some(key) = &selection.key else { continue };
        let column =
            |field: &crate::policy::Field| Column { column: field.column().to_owned(), field: field.name.clone() };
        let columns = Columns {
            source: selection.source().to_owned(),
            table: selection.name.clone(),
            key: key.clone(),
            columns: selection.fields.iter().map(column).collect(),
            element: policy.element.clone(),
        };
        found.push((selection, columns));
    }
    if found.is_empty() {
        return Err(none(table, form.kind));
    }
    // A CSV file is one table, and its name may say which.
    if form.kind == Kind::Csv && found.len() > 1 {
        let named = |(selection, _): &(&Selection, Columns)| {
            stem.is_some_and(|stem| selection.name == stem || selection.source() == stem)
        };
        if let Some(position) = found.iter().position(named) {
            return Ok(vec![found.swap_remove(position).1]);
        }
        let tables: Vec<&str> = found.iter().map(|(selection, _)| selection.name.as_str()).collect();
        return Err(OperationError::WhichTable(tables.join(", ")));
    }
    Ok(found.into_iter().map(|(_, columns)| columns).collect())
}

fn tables<'p>(policy: &'p Policy, table: Option<&'p str>) -> impl Iterator<Item = &'p Selection> {
    policy.selections.iter().filter(move |selection| table.is_none_or(|table| selection.name == table))
}

fn none(table: Option<&str>, kind: Kind) -> OperationError {
    match table {
        Some(table) => OperationError::NoTable(table.to_owned()),
        None => OperationError::NoFields(kind.name()),
    }
}
