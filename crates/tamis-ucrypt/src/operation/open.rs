//! Opening what p holders may read.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use super::fields::{check_fields, is_among, listed};
use super::gathered::Gathered;
use super::grant::{Collecting, Grants, Reader};
use super::headers::{self, Found, sidecar, sidecar_with};
use super::held::Held;
use super::opening::Opening;
use super::place::Readers;
use super::rewrite::{Fields, Rewrite, Staged};
use super::{Counts, Form, Kind, Left, OperationError, PolicyFile};
use crate::audit::Action;
use crate::cell::Refusal;
use crate::counted;
use crate::document::Place;
use crate::document::header::{KeyHeader, KeyHeaders};
use crate::key::KeyError;
use crate::policy::{Offer, Policy, without_number};

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
    /// What the fingerprint of the policy must be, if whoever opens knows.
    pub fingerprint: Option<&'a str>,
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
    /// Sealed values that do not open, and are left as they are.
    pub left: Left,
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
    /// The text of their file, which the reader alone can read.
    pub file: String,
    /// Records that were asked for and of which nothing was granted.
    pub unmet: Vec<Unmet>,
    /// Sealed values that do not open, and are not granted.
    pub left: Left,
    /// The epoch of the policy that was used.
    pub epoch: u32,
}

impl<'a> Open<'a> {
    /// Opens everything that the policy guards.
    pub fn new(file: &'a PolicyFile, form: &'a Form) -> Self {
        Self { file, form, fields: &[], records: &[], leave_foreign: false, fingerprint: None }
    }

    /// Opens into another document, which nobody but its owner may read if it is new. On failure the output is not touched.
    pub fn run(
        &self,
        offers: &[Offer<'_>],
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Opened, OperationError> {
        self.file.refuse_own([(input, self.form), (output, self.form)])?;
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
        self.file.refuse_other(self.fingerprint)?;
        let gathered = self.file.gather(offers, clock)?;
        let mut found = headers::read_sound(input, self.form, &policy.element)?;
        let is_sound = found.damaged.is_empty();
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
        if self.is_of_all() && is_sound {
            gone.extend(all.as_slice().iter().filter(|header| is_own(header)).map(|header| header.kid().to_string()));
            found.headers = without(&gone);
        }
        let stage =
            |found: &Found, gone: &[String]| self.stage(found, gone, &Opening::new(self, &opener, &all), input, output);
        let mut done = stage(&found, &gone);
        if let Ok(first) = &mut done
            && (first.left.count > 0 || !is_sound)
        {
            // Whoever mends a damaged cell needs its key, and it may not say any more which one that is.
            first.idle.clear();
            if !gone.is_empty() {
                gone.clear();
                found.headers = all.clone();
                done = stage(&found, &[]);
            }
        } else if let Ok(first) = &mut done
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
        let done = done
            .map_err(|error| explained(error, closed, &all, &gathered, self.file, self.form, input))
            .map_err(|error| or_damaged(error, &found));
        let Done { staged, others, unmet, mut left, .. } = self.or_noted(done, &gathered, input, clock)?;
        left.note_headers(&found.damaged);
        held.confirm()?;
        // The log comes first: nothing is read that it does not know of.
        let mut note = format!("{} of {}", counted(staged.counts.changed, "cell", "cells"), input.display());
        if left.chosen > 0 {
            note = format!("{note}; {} not", counted(left.chosen, "cell", "cells"));
        }
        self.file.append(policy, clock, Action::Open, gathered.holders(), note)?;
        staged.steps.run()?;
        let holders = gathered.holders().to_vec();
        Ok(Opened { counts: staged.counts, others, holders, epoch: policy.epoch, kept, unmet, left, log: None })
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
        // A damaged header may be mended some day. Beside a CSV file, only sound ones are added to those that are there.
        let headers = Some(found).filter(|found| found.damaged.is_empty() || self.form.kind == Kind::Csv);
        let rewrite = Rewrite { headers, gone, ..Rewrite::new(self.form, fields, treatment) };
        let staged = rewrite.stage(input, output, Readers::Owner)?;
        let left = treatment.damages.left(treatment.opener, |tracing| {
            // What cannot be found out is not said.
            let _ = Rewrite::new(self.form, fields, tracing).look(input);
        });
        if staged.counts.changed == 0 {
            return Err(nothing_opened(input, treatment, left));
        }
        Ok(Done { staged, others: treatment.others(), unmet: treatment.unmet(), idle: treatment.idle(), left })
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
        to: Reader<'_>,
        clock: Timestamp,
    ) -> Result<Handed, OperationError> {
        self.file.refuse_own([(input, self.form)])?;
        let mut held = Held::to_read(input, self.form)?;
        let file = self.file.again()?;
        let policy = &file.policy;
        check_fields(policy, self.fields, without_number)?;
        file.refuse_other(self.fingerprint)?;
        let gathered = file.gather(offers, clock)?;
        let open = Open { file: &file, ..*self };
        let (grants, unmet, left) = open.or_noted(open.collect(&gathered, input), &gathered, input, clock)?;
        held.confirm()?;
        let cells = counted(grants.len() as u64, "cell", "cells");
        let note = format!("{cells} of {} ({}) to {}", input.display(), self.fields.join(", "), to.name);
        let text = grants.to_file(to.recipient, &gathered.unlocked[0])?;
        file.append(policy, clock, Action::Grant, gathered.holders(), note)?;
        Ok(Handed { grants, file: text, unmet, left, epoch: policy.epoch })
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

    fn collect(&self, gathered: &Gathered<'_>, input: &Path) -> Result<(Grants, Vec<Unmet>, Left), OperationError> {
        let policy = &self.file.policy;
        let found = headers::read_sound(input, self.form, &policy.element)?;
        let (opener, closed) = gathered.opener(&found.headers);
        let treatment = Collecting::new(self, &opener);
        let rewrite = Rewrite::new(self.form, Fields::Of(policy), &treatment);
        let explain =
            |error| or_damaged(explained(error, closed, &found.headers, gathered, self.file, self.form, input), &found);
        if let Err(error) = rewrite.look(input) {
            return Err(explain(error));
        }
        let mut left = treatment.damages.left(&opener, |tracing| {
            let _ = Rewrite::new(self.form, Fields::Of(policy), tracing).look(input);
        });
        left.note_headers(&found.damaged);
        let (grants, there) = treatment.grants();
        if grants.is_empty() && left.chosen > 0 {
            return Err(explain(refused(input, left).unwrap_or(OperationError::NothingChosen)));
        }
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
        Ok((grants, unmet, left))
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
    left: Left,
}

/// Why nothing was opened: what was asked for is damaged, or not there.
fn nothing_opened(input: &Path, treatment: &Opening<'_>, left: Left) -> OperationError {
    let told = left.sentences().next().map_or_else(String::new, |damage| format!("; {damage}"));
    let why = treatment.why_nothing(left.count > 0) + &told;
    let nothing = || OperationError::NothingToOpen { path: input.to_owned(), why };
    refused(input, left).unwrap_or_else(nothing)
}

/// What is wrong with the first of the values that were asked for and left as they are.
pub(super) fn refused(input: &Path, left: Left) -> Option<OperationError> {
    let path = input.to_owned();
    let more = left.chosen.saturating_sub(1);
    let damage = left.first.into_iter().next().filter(|damage| damage.is_chosen)?;
    Some(match damage.cell.refusal {
        // What can be said about its data key is said by whoever knows the keys of the document.
        Refusal::NoKey { .. } | Refusal::Orphan => OperationError::Cell { path, cell: damage.cell },
        _ => OperationError::Damaged { path, damage: Box::new(damage), more },
    })
}

/// Says of a data key that is not there that a header is damaged, which may be its own.
fn or_damaged(error: OperationError, found: &Found) -> OperationError {
    match (error, found.damaged.first()) {
        (OperationError::KeyDropped { path, .. }, Some(source)) => {
            OperationError::Header { path, source: source.clone() }
        }
        (error, _) => error,
    }
}

/// Says why a data key is not there: its header does not open, or is missing, or the file of headers is.
pub(super) fn explained(
    error: OperationError,
    closed: Vec<(String, KeyError)>,
    headers: &KeyHeaders,
    gathered: &Gathered<'_>,
    file: &PolicyFile,
    form: &Form,
    input: &Path,
) -> OperationError {
    let OperationError::Cell { path, mut cell } = error else { return error };
    let is_missing = match &cell.refusal {
        Refusal::NoKey { kid, policy, .. } => {
            if let Some((_, key)) = closed.into_iter().find(|(closed, _)| closed == kid) {
                let born = if let KeyError::DataKey { epoch, .. } = &key { *epoch } else { file.policy.epoch };
                let header = headers.find(policy, kid);
                let opens = |kept: &Policy| header.is_some_and(|header| gathered.opens_with(kept, header));
                let way_out = file.way_out(born, opens);
                cell.refusal = Refusal::ClosedKey { kid: kid.clone(), policy: policy.clone(), epoch: born };
                return OperationError::Closed { path, cell, way_out };
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
    // A copy of a CSV file may have been made without its keys.
    let elsewhere = match &cell.refusal {
        Refusal::NoKey { kid, policy, .. } if form.kind == Kind::Csv => sidecar_with(&keys, policy, kid),
        _ => None,
    };
    let home = match form.kind {
        Kind::Csv if !keys.exists() => return OperationError::NoKeyFile { path, cell, keys, elsewhere },
        Kind::Csv => format!("line in {}", keys.display()),
        Kind::Xml => "<?ucrypt-key?> instruction".to_owned(),
        Kind::Sql | Kind::Sqlite => "row in the table ucrypt_keys".to_owned(),
    };
    OperationError::KeyDropped { path, cell, home, elsewhere }
}
