//! Opening what p holders may read.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use super::fields::{check_fields, is_among, listed};
use super::gathered::Gathered;
use super::grant::{Collecting, Grants};
use super::headers::{self, Found, sidecar};
use super::held::Held;
use super::opening::Opening;
use super::place::Readers;
use super::rewrite::{Fields, Rewrite, Staged};
use super::{Counts, Form, Kind, OperationError, PolicyFile};
use crate::audit::Action;
use crate::cell::Refusal;
use crate::counted;
use crate::document::Place;
use crate::document::header::{KeyHeader, KeyHeaders};
use crate::key::KeyError;
use crate::policy::{Offer, without_number};

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
    pub unmet: Vec<Unmet>,
    /// Why the log could not be written: whoever reads by a grant need not have it.
    pub log: Option<String>,
}

/// A record that was asked for and of which nothing was opened or granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    /// Its key.
    pub record: String,
    /// Whether a record with that key has a field of the policy.
    pub is_there: bool,
}

/// What was granted.
pub struct Handed {
    /// The keys.
    pub grants: Grants,
    /// Records that were asked for and of which nothing was granted.
    pub unmet: Vec<Unmet>,
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
        let is_own = |header: &KeyHeader| header.pol() == policy.id;
        let without = |gone: &[String]| {
            let gone: BTreeSet<&str> = gone.iter().map(String::as_str).collect();
            let mut headers = all.clone();
            headers.retain(|header| !is_own(header) || !gone.contains(header.kid().as_str()));
            headers
        };
        let mut gone = Vec::new();
        if self.is_of_all() {
            gone.extend(all.as_slice().iter().filter(|header| is_own(header)).map(|header| header.kid().to_string()));
            found.headers = without(&gone);
        }
        let stage =
            |found: &Found, gone: &[String]| self.stage(found, gone, &Opening::new(self, &opener, &all), input, output);
        let mut done = stage(&found, &gone);
        if let Ok(first) = &mut done
            && !first.idle.is_empty()
        {
            // Data keys stand before the cells in most documents, and which of them are needed no more shows behind all cells.
            gone = std::mem::take(&mut first.idle);
            found.headers = without(&gone);
            done = stage(&found, &gone);
        }
        let mut kept = Vec::new();
        if let Ok(first) = &mut done
            && !first.staged.named.is_empty()
        {
            // A cell inside another one, or one that is not recognised, needs its key later.
            kept = std::mem::take(&mut first.staged.named);
            let named: BTreeSet<&String> = kept.iter().collect();
            gone.retain(|kid| !named.contains(kid));
            found.headers = without(&gone);
            done = stage(&found, &[]);
        }
        let done = done.map_err(|error| explained(error, closed, &all, self.file, self.form, input));
        let Done { staged, others, unmet, .. } = self.or_noted(done, &gathered, input, clock)?;
        held.confirm()?;
        // The log comes first: nothing is read that it does not know of.
        let note = format!("{} of {}", counted(staged.counts.changed, "cell", "cells"), input.display());
        self.file.append(policy, clock, Action::Open, gathered.holders(), note)?;
        staged.steps.run()?;
        let holders = gathered.holders().to_vec();
        Ok(Opened { counts: staged.counts, others, holders, epoch: policy.epoch, kept, unmet, log: None })
    }

    /// Writes the opened document, with these data keys and without those that are gone.
    fn stage(
        &self,
        found: &Found,
        gone: &[String],
        treatment: &Opening<'_>,
        input: &Path,
        output: &Path,
    ) -> Result<Done, OperationError> {
        let fields = Fields::Of(&self.file.policy);
        let rewrite = Rewrite { headers: Some(found), gone, ..Rewrite::new(self.form, fields, treatment) };
        let staged = rewrite.stage(input, output, Readers::Owner)?;
        if staged.counts.changed == 0 {
            return Err(OperationError::NothingToOpen { path: input.to_owned(), why: treatment.why_nothing() });
        }
        Ok(Done { staged, others: treatment.others(), unmet: treatment.unmet(), idle: treatment.idle() })
    }

    /// Whether everything of the policy is opened.
    pub(super) fn is_of_all(&self) -> bool {
        self.fields.is_empty() && self.records.is_empty() && !self.leave_foreign
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
        let (grants, unmet) = open.or_noted(open.collect(&gathered, input), &gathered, input, clock)?;
        held.confirm()?;
        let cells = counted(grants.len() as u64, "cell", "cells");
        let note = format!("{cells} of {} ({}) to {to}", input.display(), self.fields.join(", "));
        file.append(policy, clock, Action::Grant, gathered.holders(), note)?;
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

    fn collect(&self, gathered: &Gathered<'_>, input: &Path) -> Result<(Grants, Vec<Unmet>), OperationError> {
        let policy = &self.file.policy;
        let found = headers::read(input, self.form, &policy.element)?;
        let (opener, closed) = gathered.opener(&found.headers);
        let treatment = Collecting::new(self, &opener);
        let rewrite = Rewrite::new(self.form, Fields::Of(policy), &treatment);
        let looked = rewrite.look(input);
        looked.map_err(|error| explained(error, closed, &found.headers, self.file, self.form, input))?;
        let (grants, there) = treatment.grants();
        if grants.is_empty() {
            let (path, mut fields) = (input.to_owned(), self.fields.join(", "));
            if !self.records.is_empty() {
                let records: Vec<&str> = self.records.iter().map(String::as_str).collect();
                fields = format!("{fields} of record {}", listed(&records));
            }
            return Err(OperationError::NothingToGrant { path, fields });
        }
        let granted: BTreeSet<&str> = grants.iter().map(|grant| grant.place().1).collect();
        let unmet = self.unmet(|record| granted.contains(record), &there);
        Ok((grants, unmet))
    }

    /// The records that were asked for and of which nothing was met, given those that are there.
    pub(super) fn unmet(&self, is_met: impl Fn(&str) -> bool, there: &BTreeSet<String>) -> Vec<Unmet> {
        let unmet = self.records.iter().filter(|record| !is_met(record));
        unmet.map(|record| Unmet { record: record.clone(), is_there: there.contains(record) }).collect()
    }

    /// Takes note of a record, if it was asked for.
    pub(super) fn note_record(&self, noted: &Mutex<BTreeSet<String>>, place: Place<'_>) {
        if self.records.iter().any(|record| record == place.record) {
            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
            if !noted.contains(place.record) {
                noted.insert(place.record.to_owned());
            }
        }
    }

    /// Whether a place is one of those asked for.
    pub(super) fn asks_for(&self, place: Place<'_>) -> bool {
        is_among(self.fields, place.field)
            && (self.records.is_empty() || self.records.iter().any(|record| record == place.record))
    }
}

/// An opened document that does not have its name yet.
struct Done {
    staged: Staged,
    /// Cells of other policies.
    others: u64,
    unmet: Vec<Unmet>,
    /// Data keys of cells that were opened, and that no other cell needs.
    idle: Vec<String>,
}

/// Says why a data key is not there: its header does not open, or is missing, or the file of headers is.
pub(super) fn explained(
    error: OperationError,
    closed: Vec<(String, KeyError)>,
    headers: &KeyHeaders,
    file: &PolicyFile,
    form: &Form,
    input: &Path,
) -> OperationError {
    let OperationError::Cell { path, mut cell } = error else { return error };
    let is_missing = match &cell.refusal {
        Refusal::NoKey { kid, policy, .. } => {
            if let Some((_, key)) = closed.into_iter().find(|(closed, _)| closed == kid) {
                let born = if let KeyError::DataKey { epoch, .. } = &key { *epoch } else { file.policy.epoch };
                cell.refusal = Refusal::ClosedKey { kid: kid.clone(), policy: policy.clone(), epoch: born };
                return OperationError::Closed { path, cell, way_out: file.way_out(born) };
            }
            headers.find(policy, kid).is_none()
        }
        Refusal::Orphan => headers.as_slice().is_empty(),
        _ => false,
    };
    if !is_missing {
        return OperationError::Cell { path, cell };
    }
    let keys = sidecar(input);
    let home = match form.kind {
        Kind::Csv if !keys.exists() => return OperationError::NoKeyFile { path, cell, keys },
        Kind::Csv => format!("line in {}", keys.display()),
        Kind::Xml => "<?ucrypt-key?> instruction".to_owned(),
        Kind::Sql | Kind::Sqlite => "row in the table ucrypt_keys".to_owned(),
    };
    OperationError::KeyDropped { path, cell, home }
}
