//! What a policy names and a document does not have: a slip in a path must not leave a document unsealed and its owner unaware.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::fields::{is_among, listed};
use super::of_file::OfFile as _;
use super::{Counts, Form, Kind, OperationError};
use crate::document::{Place, xml};
use crate::policy::{Policy, Selection};

/// The fields that a policy names, and whether they were met. Columns of tables are looked up before anything is read, so there only the tables
/// count of which a record was chosen.
pub(super) struct Met<'a> {
    /// Those of an XML document.
    fields: Vec<Field<'a>>,
    /// The tables that the document may have, if fields were asked for by their names.
    tables: Vec<Table<'a>>,
    /// The names.
    asked: &'a [String],
}

struct Table<'a> {
    selection: &'a Selection,
    has_chosen: AtomicBool,
}

struct Field<'a> {
    table: &'a str,
    name: &'a str,
    in_any: AtomicBool,
    in_chosen: AtomicBool,
}

impl<'a> Met<'a> {
    pub(super) fn new(policy: &'a Policy, form: &Form, fields: &'a [String]) -> Self {
        let mut met = Vec::new();
        let asked = policy.tables(form.table.as_deref()).filter(|_| !fields.is_empty());
        let tables = asked.map(|selection| Table { selection, has_chosen: AtomicBool::new(false) }).collect();
        for selection in policy.tables(form.table.as_deref()).filter(|_| form.kind == Kind::Xml) {
            let named = selection.fields.iter().filter(|field| is_among(fields, &field.name));
            met.extend(named.map(|field| Field {
                table: &selection.name,
                name: &field.name,
                in_any: AtomicBool::new(false),
                in_chosen: AtomicBool::new(false),
            }));
        }
        Self { fields: met, tables, asked: fields }
    }

    /// Remembers a field.
    pub(super) fn note(&self, place: Place<'_>, is_chosen: bool) {
        for table in self.tables.iter().filter(|table| is_chosen && table.selection.name == place.table) {
            if !table.has_chosen.load(Ordering::Relaxed) {
                table.has_chosen.store(true, Ordering::Relaxed);
            }
        }
        // The second one of a record is called `name[2]`, and there is no second one without a first.
        let known = self.fields.iter().find(|field| field.name == place.field && field.table == place.table);
        let Some(known) = known else { return };
        for (flag, is_met) in [(&known.in_any, true), (&known.in_chosen, is_chosen)] {
            // Writing what is there already would only slow the other threads down.
            if is_met && !flag.load(Ordering::Relaxed) {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    fn has(&self, table: &str) -> bool {
        self.fields.iter().any(|field| field.table == table && field.in_chosen.load(Ordering::Relaxed))
    }

    /// Whether any record of a table has a field that was asked for.
    fn has_any(&self, table: &str) -> bool {
        self.fields.iter().any(|field| field.table == table && field.in_any.load(Ordering::Relaxed))
    }

    /// Refuses fields that were asked for and that no table has of which a record was chosen: what their names meant would stay unsealed.
    pub(super) fn all_asked(&self, policy: &Policy, input: &Path) -> Result<(), OperationError> {
        let names = |selection: &Selection, name: &str| selection.fields.iter().any(|field| field.name == name);
        let is_met = |name: &str| {
            let mut chosen = self.tables.iter().filter(|table| table.has_chosen.load(Ordering::Relaxed));
            chosen.any(|table| names(table.selection, name))
        };
        let missing: Vec<&str> = self.asked.iter().map(String::as_str).filter(|name| !is_met(name)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let has_any = |table: &&Selection| missing.iter().any(|name| names(table, name));
        let tables: Vec<&str> = policy.selections.iter().filter(has_any).map(|table| table.name.as_str()).collect();
        let (fields, tables) = (listed(&missing), listed(&tables));
        Err(OperationError::NotInChosen { path: input.to_owned(), fields, tables })
    }

    /// Refuses fields that no record has, in the tables of which other fields were met: their paths are mistaken, perhaps. Tells those that
    /// other records have, and none that was chosen.
    pub(super) fn all_fields(&self, input: &Path) -> Result<Vec<String>, OperationError> {
        let is_met = |field: &Field<'_>| field.in_any.load(Ordering::Relaxed);
        let is_nowhere = |name: &str| !self.fields.iter().any(|field| field.name == name && is_met(field));
        // One that was asked for by its name, and that no table has, is missing in any case.
        let is_missing = |field: &&Field<'_>| {
            !is_met(field) && (self.has(field.table) || !self.asked.is_empty() && is_nowhere(field.name))
        };
        let missing: Vec<&str> = self.fields.iter().filter(is_missing).map(|field| field.name).collect();
        if !missing.is_empty() {
            return Err(not_matched(input, &missing));
        }
        let chosen = |table: &Table<'_>| table.has_chosen.load(Ordering::Relaxed);
        let has_chosen = |name: &str| self.tables.iter().any(|table| table.selection.name == name && chosen(table));
        let is_told = |field: &&Field<'_>| {
            let is_only_elsewhere = is_met(field) && !field.in_chosen.load(Ordering::Relaxed);
            is_only_elsewhere && (self.has(field.table) || has_chosen(field.table))
        };
        Ok(self.fields.iter().filter(is_told).map(|field| field.name.to_owned()).collect())
    }
}

/// Refuses a document that has no record of the policy, no table that was asked for, or no field of it at all. Tables of an XML document
/// that were not met are added to those that are absent.
pub(super) fn missing(
    policy: &Policy,
    form: &Form,
    input: &Path,
    met: &Met<'_>,
    counts: &mut Counts,
) -> Result<(), OperationError> {
    let no_records = |wanted: String| Err(OperationError::NoRecordsRead { path: input.to_owned(), wanted });
    if form.kind == Kind::Xml {
        if counts.records == 0 {
            return no_records(wanted_of_xml(policy, form, input)?);
        }
        if !met.fields.is_empty() && !met.fields.iter().any(|field| field.in_any.load(Ordering::Relaxed)) {
            let names: Vec<&str> = met.fields.iter().map(|field| field.name).collect();
            return Err(not_matched(input, &names));
        }
        let tables =
            policy.tables(form.table.as_deref()).filter(|table| table.record.is_some() && !met.has_any(&table.name));
        counts.absent.extend(tables.map(|table| table.name.clone()));
        return Ok(());
    }
    let tables: Vec<&str> =
        policy.tables(form.table.as_deref()).filter(|table| table.key.is_some()).map(Selection::source).collect();
    if form.kind != Kind::Csv
        && (counts.absent.len() == tables.len() || form.table.is_some() && !counts.absent.is_empty())
    {
        return no_records(format!("there is no table {}", counts.absent.join(", ")));
    }
    match counts.records {
        0 => no_records(if form.kind == Kind::Csv {
            "there is no row".into()
        } else {
            format!("no row of {}", tables.join(", "))
        }),
        _ => Ok(()),
    }
}

fn not_matched(input: &Path, fields: &[&str]) -> OperationError {
    OperationError::NotMatched { path: input.to_owned(), fields: listed(fields) }
}

/// Where records were looked for in an XML document, and what its root is.
fn wanted_of_xml(policy: &Policy, form: &Form, input: &Path) -> Result<String, OperationError> {
    let paths: Vec<&str> = policy.tables(form.table.as_deref()).filter_map(|table| table.record.as_deref()).collect();
    let root = xml::Document::open(File::open(input).of(input)?).of(input)?.root();
    let root = root.map_or_else(String::new, |root| match root.namespace.as_str() {
        "" => format!("; the root is {:?} in no namespace", root.local),
        namespace => format!("; the root is {:?} in the namespace {namespace:?}", root.local),
    });
    Ok(format!("nothing stands at {}{root}", paths.join(", ")))
}
