//! Opening what p holders may read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use super::fields::{check_fields, is_among, listed};
use super::gathered::Gathered;
use super::grant::{Collecting, Grants};
use super::headers::{self, Found};
use super::held::Held;
use super::place::Readers;
use super::rewrite::{Fields, Rewrite};
use super::{Counts, Form, Kind, OperationError, PolicyFile};
use crate::audit::Action;
use crate::cell::{CellError, Marker, Opener, Refusal, Value};
use crate::counted;
use crate::document::header::KeyHeaders;
use crate::document::{Content, Outcome, Place, Treatment};
use crate::key::KeyError;
use crate::policy::{Offer, Policy, Selection, without_number};

/// What is to be opened.
#[derive(Debug, Clone, Copy)]
pub struct Open<'a> {
    /// The policy.
    pub file: &'a PolicyFile,
    /// How the document is written.
    pub form: &'a Form,
    /// The fields, by the names of the policy; all of them if empty.
    pub fields: &'a [String],
    /// The records; all of them if empty.
    pub records: &'a [String],
    /// Whether cells of other tools, and cells whose data key is not in the document, are left as they are instead of refused.
    pub leave_foreign: bool,
}

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// What was read and changed.
    pub counts: Counts,
    /// Cells of other policies, which stay sealed.
    pub others: u64,
    /// Who came; nobody where a grant opened.
    pub holders: Vec<String>,
    /// The epoch of the policy that was used.
    pub epoch: u32,
    /// Data keys that stay, as the opened document still names them.
    pub kept: Vec<String>,
    /// Records that were asked for and of which nothing was opened.
    pub unmet: Vec<String>,
    /// Why the log could not be written: whoever reads by a grant need not have it.
    pub log: Option<String>,
}

/// What was granted.
pub struct Handed {
    /// The keys.
    pub grants: Grants,
    /// Records that were asked for and of which nothing was granted.
    pub unmet: Vec<String>,
    /// The epoch of the policy that was used.
    pub epoch: u32,
}

impl<'a> Open<'a> {
    /// Opens everything that the policy guards.
    pub fn new(file: &'a PolicyFile, form: &'a Form) -> Self {
        Self { file, form, fields: &[], records: &[], leave_foreign: false }
    }

    /// Opens into another document, which nobody but its owner may read if it is new. On failure the output is not touched.
    pub fn run(
        &self,
        offers: &[Offer<'_>],
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Opened, OperationError> {
        let mut held = Held::to_write(input, self.form, output)?;
        let file = self.file.again()?;
        Open { file: &file, ..*self }.run_held(&mut held, offers, input, output, clock)
    }

    fn run_held(
        &self,
        held: &mut Held,
        offers: &[Offer<'_>],
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Opened, OperationError> {
        let policy = &self.file.policy;
        check_fields(policy, self.fields, without_number)?;
        let gathered = self.file.gather(offers, clock)?;
        let mut found = headers::read(input, self.form, &policy.element)?;
        let (opener, closed) = gathered.opener(&found.headers);
        let all = found.headers.clone();
        let mut gone = Vec::new();
        if self.fields.is_empty() && self.records.is_empty() && !self.leave_foreign {
            let own = all.as_slice().iter().filter(|header| header.pol() == policy.id);
            gone.extend(own.map(|header| header.kid().to_string()));
            found.headers.retain(|header| header.pol() != policy.id);
        }
        let stage = |found: &Found, gone: &[String]| {
            let treatment = Opening::new(self, &opener, &all);
            let fields = Fields::Of(policy);
            let rewrite = Rewrite { headers: Some(found), gone, ..Rewrite::new(self.form, fields, &treatment) };
            match rewrite.stage(input, output, Readers::Owner)? {
                staged if staged.counts.changed == 0 => {
                    Err(OperationError::NothingToOpen { path: input.to_owned(), why: treatment.why_nothing() })
                }
                staged => Ok((staged, treatment.others.into_inner(), self.unmet(&treatment.met))),
            }
        };
        let mut done = stage(&found, &gone);
        let mut kept = Vec::new();
        if let Ok((staged, ..)) = &mut done
            && !staged.named.is_empty()
        {
            // A cell inside another one, or one that is not recognised, needs its key later.
            kept = std::mem::take(&mut staged.named);
            found.headers = all.clone();
            found
                .headers
                .retain(|header| header.pol() != policy.id || kept.iter().any(|kid| header.kid().as_str() == kid));
            done = stage(&found, &[]);
        }
        let done = done.map_err(|error| explained(error, closed, self.file, self.form, input));
        let (staged, others, unmet) = self.or_noted(done, &gathered, input, clock)?;
        held.confirm()?;
        // The log comes first: nothing is read that it does not know of.
        let note = format!("{} of {}", counted(staged.counts.changed, "cell", "cells"), input.display());
        self.file.append(policy, clock, Action::Open, gathered.holders(), note)?;
        staged.steps.run()?;
        let holders = gathered.holders().to_vec();
        Ok(Opened { counts: staged.counts, others, holders, epoch: policy.epoch, kept, unmet, log: None })
    }

    /// The keys of the chosen cells alone, for somebody who shall read these and nothing else.
    pub fn grant(
        &self,
        offers: &[Offer<'_>],
        input: &Path,
        to: &str,
        clock: Timestamp,
    ) -> Result<Handed, OperationError> {
        let mut held = Held::to_read(input, self.form)?;
        let file = self.file.again()?;
        let policy = &file.policy;
        check_fields(policy, self.fields, without_number)?;
        let gathered = file.gather(offers, clock)?;
        let open = Open { file: &file, ..*self };
        let grants = open.or_noted(open.collect(&gathered, input), &gathered, input, clock)?;
        held.confirm()?;
        let cells = counted(grants.len() as u64, "cell", "cells");
        let note = format!("{cells} of {} ({}) to {to}", input.display(), self.fields.join(", "));
        file.append(policy, clock, Action::Grant, gathered.holders(), note)?;
        let granted: BTreeSet<&str> = grants.iter().map(|grant| grant.place().1).collect();
        let unmet = self.records.iter().filter(|record| !granted.contains(record.as_str())).cloned().collect();
        Ok(Handed { grants, unmet, epoch: policy.epoch })
    }

    /// Writes a failure into the log: the holders came together all the same.
    fn or_noted<T>(
        &self,
        done: Result<T, OperationError>,
        gathered: &Gathered<'_>,
        input: &Path,
        clock: Timestamp,
    ) -> Result<T, OperationError> {
        if let Err(error) = &done {
            self.file.log_failed(gathered, &format!("{}: {error}", input.display()), clock);
        }
        done
    }

    fn collect(&self, gathered: &Gathered<'_>, input: &Path) -> Result<Grants, OperationError> {
        let policy = &self.file.policy;
        let found = headers::read(input, self.form, &policy.element)?;
        let (opener, closed) = gathered.opener(&found.headers);
        let treatment = Collecting::new(self, &opener);
        let rewrite = Rewrite::new(self.form, Fields::Of(policy), &treatment);
        rewrite.look(input).map_err(|error| explained(error, closed, self.file, self.form, input))?;
        let grants = treatment.grants();
        if grants.is_empty() {
            let (path, mut fields) = (input.to_owned(), self.fields.join(", "));
            if !self.records.is_empty() {
                let records: Vec<&str> = self.records.iter().map(String::as_str).collect();
                fields = format!("{fields} of record {}", listed(&records));
            }
            return Err(OperationError::NothingToGrant { path, fields });
        }
        Ok(grants)
    }

    /// The records that were asked for and not met.
    pub(super) fn unmet(&self, met: &Mutex<BTreeSet<String>>) -> Vec<String> {
        let met = met.lock().unwrap_or_else(PoisonError::into_inner);
        self.records.iter().filter(|record| !met.contains(*record)).cloned().collect()
    }

    /// Takes note of a record that was asked for.
    pub(super) fn note_record(&self, met: &Mutex<BTreeSet<String>>, place: Place<'_>) {
        if !self.records.is_empty() {
            met.lock().unwrap_or_else(PoisonError::into_inner).insert(place.record.to_owned());
        }
    }

    /// Whether a place is one of those asked for.
    pub(super) fn asks_for(&self, place: Place<'_>) -> bool {
        is_among(self.fields, place.field)
            && (self.records.is_empty() || self.records.iter().any(|record| record == place.record))
    }
}

/// Says why a data key is not there: its header does not open, or the file of headers is missing.
pub(super) fn explained(
    error: OperationError,
    closed: Vec<(String, KeyError)>,
    file: &PolicyFile,
    form: &Form,
    input: &Path,
) -> OperationError {
    let OperationError::Cell { path, cell } = error else { return error };
    if let Refusal::NoKey { kid, .. } = &cell.refusal
        && let Some((_, key)) = closed.into_iter().find(|(closed, _)| closed == kid)
    {
        let born = if let KeyError::DataKey { epoch, .. } = &key { *epoch } else { file.policy.epoch };
        return OperationError::Closed { path, cell, key, way_out: file.way_out(born) };
    }
    let keys = headers::sidecar(input);
    let is_missing =
        matches!(cell.refusal, Refusal::NoKey { .. } | Refusal::Orphan) && form.kind == Kind::Csv && !keys.exists();
    if is_missing { OperationError::NoKeyFile { path, cell, keys } } else { OperationError::Cell { path, cell } }
}

struct Opening<'a> {
    scope: &'a Open<'a>,
    opener: &'a Opener,
    headers: &'a KeyHeaders,
    others: AtomicU64,
    /// The policies of the others, where they say it.
    of: Mutex<BTreeSet<String>>,
    /// Whether there is any cell of the policy that was not asked for.
    own: AtomicBool,
    /// Whether there is any cell of the policy without its data key.
    keyless: AtomicBool,
    /// The records of which something is opened, where some were asked for.
    met: Mutex<BTreeSet<String>>,
}

impl<'a> Opening<'a> {
    fn new(scope: &'a Open<'a>, opener: &'a Opener, headers: &'a KeyHeaders) -> Self {
        let (others, of) = (AtomicU64::new(0), Mutex::default());
        let [own, keyless] = [false; 2].map(AtomicBool::new);
        Self { scope, opener, headers, others, of, own, keyless, met: Mutex::default() }
    }

    fn why_nothing(&self) -> String {
        let id = &self.scope.file.policy.id;
        let of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let of = of.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        match (self.own.load(Ordering::Relaxed), self.others.load(Ordering::Relaxed)) {
            (true, _) => format!("none of the cells of policy {id} is in the records and fields that were asked for"),
            _ if self.keyless.load(Ordering::Relaxed) => {
                format!("the data keys of its cells of policy {id} are not in it")
            }
            (false, 0) => format!("no cell of policy {id} is in it, nor any other"),
            (false, _) if of.is_empty() => format!("no cell of policy {id} is in it, only cells of other tools"),
            (false, _) => format!("no cell of policy {id} is in it; its cells are of policy {of}"),
        }
    }

    /// Remembers a cell of another policy.
    fn note(&self, marker: &Marker) {
        const MOST: usize = 5;
        self.others.fetch_add(1, Ordering::Relaxed);
        let pol = &marker.attributes.pol;
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if !pol.is_empty() && of.len() < MOST && !of.contains(pol) {
            of.insert(pol.clone());
        }
    }

    fn has_header(&self, marker: &Marker) -> bool {
        let attributes = &marker.attributes;
        // Numbers are compared as they are written: a cell that says 01 was edited.
        let is_plain = !attributes.ep.starts_with('+') && (attributes.ep == "0" || !attributes.ep.starts_with('0'));
        let header = self.headers.find(&attributes.pol, &attributes.kid);
        attributes.v.is_some() && is_plain && header.is_some_and(|header| attributes.ep.parse() == Ok(header.ep()))
    }
}

impl Treatment for Opening<'_> {
    type Refusal = CellError;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        let is_own = marker.attributes.pol == self.scope.file.policy.id;
        if !is_own || (self.scope.leave_foreign && !self.has_header(marker)) {
            // A cell of another policy has its key in the document. One that has not was edited, or nobody can open it.
            if !self.scope.leave_foreign && !self.has_header(marker) {
                let refusal = if marker.attributes.v.is_none() { Refusal::Foreign } else { Refusal::Orphan };
                return Err(refusal.at(place));
            }
            self.keyless.fetch_or(is_own, Ordering::Relaxed);
            self.note(marker);
            return Ok(Outcome::Keep);
        }
        if !self.scope.asks_for(place) {
            self.own.store(true, Ordering::Relaxed);
            return Ok(Outcome::Keep);
        }
        self.scope.note_record(&self.met, place);
        let opened = self.opener.open(place, marker);
        Ok(written(opened.map_err(|error| unnamed(&self.scope.file.policy, place, error))?))
    }
}

/// Says that the policy does not name the field of a cell that does not authenticate: it may have had another name.
pub(super) fn unnamed(policy: &Policy, place: Place<'_>, error: CellError) -> CellError {
    let mut tables = policy.selections.iter().filter(|table| table.name == place.table);
    let names =
        |table: &Selection| table.fields.iter().any(|field| is_among(std::slice::from_ref(&field.name), place.field));
    if error.refusal == Refusal::NotAuthentic && !tables.any(names) {
        return Refusal::NoSuchField.at(place);
    }
    error
}

pub(super) fn written(value: Value<'static>) -> Outcome {
    match value {
        Value::Text(text) => Outcome::Text(text.into_owned()),
        Value::Fragment(xml) => Outcome::Fragment(xml.into_owned()),
        Value::Null => Outcome::Null,
        Value::Unusual(text) => Outcome::Unusual(text.into_owned()),
        Value::Spelled { text, spelling } => {
            Outcome::Spelled { text: text.map(Cow::into_owned), spelling: spelling.into_owned() }
        }
    }
}
