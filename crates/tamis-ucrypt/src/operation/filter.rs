//! Leaving out the records with sealed values, or all others, without any key.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::damage::Damages;
use super::element_names::element_names;
use super::headers::Found;
use super::held::Held;
use super::of_file::OfFile as _;
use super::place::Readers;
use super::rewrite::{Fields, Rewrite};
use super::{Counts, Form, Kind, Left, OperationError, headers};
use crate::cell::{CellError, Marker, MarkerError, Opener};
use crate::document::header::KeyHeaders;
use crate::document::sql::{Dialect, Kept, where_clause};
use crate::document::xml::{self, Namespaces, Selector};
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::policy::Policy;

/// What a filter needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Filter<'a> {
    /// How the document is written.
    pub form: &'a Form,
    /// Which records stay.
    pub kept: Kept,
    /// A policy that says which elements are records and which tables are meant.
    pub policy: Option<&'a Policy>,
    /// XML without a policy: the path of the records.
    pub records: Option<&'a str>,
    /// The name of the element around sealed values.
    pub element: &'a str,
}

/// Writes the records that stay, and tells of damaged values, which count as sealed: what they hide must not pass for plain text. On failure the
/// output is not touched.
pub fn filter(filter: &Filter<'_>, input: &Path, output: &Path) -> Result<(Counts, Left), OperationError> {
    let mut treatment = Filtering { kept: filter.kept, staying: Mutex::default(), damages: Damages::default() };
    let mut held = Held::to_write(input, filter.form, output)?;
    let found = headers::read(input, filter.form, filter.element)?;
    let selectors;
    let fields = match (filter.policy, filter.records) {
        (Some(policy), _) => Fields::Of(policy),
        (None, Some(path)) if filter.form.kind == Kind::Xml => {
            let record = xml::Path::absolute(path, &Namespaces::new()).map_err(OperationError::RecordPath)?;
            let selector = Selector { table: path.to_owned(), record, key: None, fields: Vec::new() };
            selectors = xml::Selectors::new(filter.element, [selector])?;
            Fields::Records(&selectors)
        }
        (None, _) if filter.form.kind == Kind::Xml => return Err(OperationError::NoRecordPath),
        (None, _) => Fields::Sealed(filter.element),
    };
    let stage = |treatment: &Filtering, headers: &Found, gone: &[String]| {
        let rewrite = Rewrite { headers: Some(headers), gone, ..Rewrite::new(filter.form, fields, treatment) };
        rewrite.stage(input, output, Readers::of(input)?)
    };
    let staged = match filter.kept {
        Kept::Sealed => stage(&treatment, &found, &[])?,
        Kept::Unsealed => {
            // Nothing that is sealed stays, so no key has to; but cells may stand outside the records.
            let all: Vec<String> = found.headers.as_slice().iter().map(|header| header.kid().to_string()).collect();
            let mut left = found.clone();
            left.headers.retain(|_| false);
            let staged = stage(&treatment, &left, &all)?;
            let mut needed = std::mem::take(&mut *treatment.staying.lock().unwrap_or_else(PoisonError::into_inner));
            needed.extend(staged.named.iter().cloned());
            if needed.is_empty() {
                staged
            } else {
                left.headers = found.headers.clone();
                left.headers.retain(|header| needed.contains(header.kid().as_str()));
                treatment.damages = Damages::default();
                stage(&treatment, &left, &[])?
            }
        }
    };
    let Counts { records, dropped, sealed, damaged, .. } = staged.counts;
    let is_missed = match filter.kept {
        Kept::Unsealed => dropped == 0,
        Kept::Sealed => dropped == records,
    };
    if sealed > 0 && is_missed {
        return Err(OperationError::SealedElsewhere { path: input.to_owned(), sealed });
    }
    if sealed + damaged == 0 {
        refuse_other_names(filter, &found.headers, input)?;
    }
    held.confirm()?;
    staged.steps.run()?;
    Ok((staged.counts, treatment.damages.left(&Opener::default(), |_| ())))
}

/// A document with data keys and no cell may call its cells otherwise; all of them would pass as plain texts.
fn refuse_other_names(filter: &Filter<'_>, headers: &KeyHeaders, input: &Path) -> Result<(), OperationError> {
    let kids: Vec<&str> = headers.as_slice().iter().map(|header| header.kid().as_str()).collect();
    if kids.is_empty() {
        return Ok(());
    }
    let mut names = element_names(input, &kids).of(input)?;
    names.retain(|name| name != filter.element);
    if names.is_empty() {
        return Ok(());
    }
    let found = names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" or ");
    Err(OperationError::OtherElement { path: input.to_owned(), element: filter.element.to_owned(), found })
}

/// For each table of a policy, a condition for WHERE that holds for the records that stay.
pub fn where_clauses(policy: &Policy, kept: Kept, dialect: Dialect) -> Vec<(String, String)> {
    let condition = |table: &crate::policy::Selection| {
        let columns: Vec<&str> = table.fields.iter().map(crate::policy::Field::column).collect();
        (table.source().to_owned(), where_clause(&columns, &[policy.element.as_str()], kept, dialect))
    };
    policy.selections.iter().filter(|table| table.key.is_some()).map(condition).collect()
}

struct Filtering {
    kept: Kept,
    /// The data keys of cells that no filter drops.
    staying: Mutex<BTreeSet<String>>,
    damages: Damages,
}

impl Treatment for Filtering {
    type Refusal = CellError;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, CellError> {
        Ok(Outcome::Keep)
    }

    fn needs_keys(&self) -> bool {
        false
    }

    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        self.damages.note_broken(at, place, damage, true);
        true
    }

    fn stays(&self, marker: &Marker) {
        let mut staying = self.staying.lock().unwrap_or_else(PoisonError::into_inner);
        if !staying.contains(&marker.attributes.kid) {
            staying.insert(marker.attributes.kid.clone());
        }
    }

    fn keeps(&self, sealed: bool) -> bool {
        sealed == (self.kept == Kept::Sealed)
    }
}
