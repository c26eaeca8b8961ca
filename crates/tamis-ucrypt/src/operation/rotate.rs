//! A new key for a policy, and documents sealed for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::change::{Outlet, exchanged, said};
use super::damage::Damages;
use super::gathered::Gathered;
use super::headers::{self, Found, header_of, read_sidecar, sidecar};
use super::held::Held;
use super::nested::holds_cell;
use super::of_file::OfFile as _;
use super::open::explained;
use super::opening::unnamed;
use super::place::{Readers, target};
use super::policy_file::policy_at;
use super::rewrite::{Fields, Rewrite, Staged};
use super::steps::Steps;
use super::{Counts, Form, Kind, OperationError, PolicyFile};
use crate::audit::Action;
use crate::cell::{CellError, Opener, Refusal, Sealer, Value};
use crate::document::header::KeyHeader;
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::first_few;
use crate::policy::{Member, Offer, Policy, Unlocked};

/// How much of a document changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The data keys are wrapped for the new key. The cells stay: whoever once had a data key still has it.
    Headers,
    /// Every cell is sealed anew under a new data key.
    Full,
}

impl Depth {
    /// What the log calls it.
    fn said(self) -> &'static str {
        match self {
            Self::Headers => "data keys only",
            Self::Full => "full",
        }
    }
}

/// A change of key.
///
/// Files take their names in this order: new shares as `HOLDER.g2.POLICY.ushare.next`; the old policy as `NAME.e1.upolicy`, for documents
/// that were forgotten; the new policy as `NAME.upolicy.next`; the shares under their own names; each document; the new policy under its
/// own name. While both policies are there, opening tries both. So
/// whatever was done when the power failed, every document opens with the holders of the one or the other, and the same command again
/// finishes the work.
#[derive(Clone, Copy)]
pub struct Rotation<'a> {
    /// The policy, locked.
    pub file: &'a PolicyFile,
    /// The holders from now on.
    pub members: &'a [Member],
    /// How many of them are needed.
    pub threshold: usize,
    /// How much of the documents changes.
    pub depth: Depth,
    /// What the log calls it.
    pub action: Action,
    /// Where shares outside the policy go.
    pub outlet: Outlet<'a>,
}

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotated {
    /// The policy.
    pub policy: Policy,
    /// The files of shares, to be handed to their holders.
    pub shares: Vec<PathBuf>,
    /// What was done to each document.
    pub documents: Vec<(PathBuf, Counts)>,
    /// Documents in which nothing is sealed under the policy.
    pub untouched: Vec<PathBuf>,
    /// Where the old policy is kept.
    pub kept: PathBuf,
    /// Whether this finished a change that was interrupted.
    pub is_resumed: bool,
}

impl Rotation<'_> {
    /// Changes the key and rewrites the documents in their places. On failure nothing changes.
    pub fn run(
        &self,
        offers: &[Offer<'_>],
        documents: &[(PathBuf, Form)],
        clock: Timestamp,
    ) -> Result<Rotated, OperationError> {
        refuse_twice(documents)?;
        self.file.refuse_own(documents.iter().map(|(path, form)| (path.as_path(), form)))?;
        let mut held = Held::to_replace(documents)?;
        let (steps, rotated) = self.prepare(&mut held, offers, documents, clock)?;
        steps.run()?;
        Ok(rotated)
    }

    /// Everything but giving names.
    pub(super) fn prepare(
        &self,
        held: &mut Held,
        offers: &[Offer<'_>],
        documents: &[(PathBuf, Form)],
        clock: Timestamp,
    ) -> Result<(Steps, Rotated), OperationError> {
        self.file.refuse_superseded()?;
        let now = self.file.now(clock)?.now;
        let gathered = Gathered { unlocked: vec![self.file.unlock(offers, clock)?], offers, now };
        let prepared = self.prepare_with(&gathered, held, offers, documents, clock);
        if let Err(error) = &prepared {
            self.file.log_failed(&gathered, &format!("{}: {error}", named(documents)), clock);
        }
        prepared
    }

    /// The same with the holders that came.
    fn prepare_with(
        &self,
        gathered: &Gathered<'_>,
        held: &mut Held,
        offers: &[Offer<'_>],
        documents: &[(PathBuf, Form)],
        clock: Timestamp,
    ) -> Result<(Steps, Rotated), OperationError> {
        let path = &self.file.path;
        let old = &self.file.policy;
        let waiting = PolicyFile::next_path(path);
        let unlocked = &gathered.unlocked[0];
        let now = self.file.now(clock)?.now;
        let successor = self.file.next.as_ref().and_then(|next| next.unlock(offers, now).ok());
        let mut steps = Steps::default();
        let mut bare = Vec::new();
        let policy = if let Some(next) = &self.file.next {
            let is_same = next.threshold == self.threshold && next.members() == self.members;
            if !is_same || !unlocked.agreed_to(next) {
                self.file.refuse_waiting(unlocked)?;
            }
            self.file.refuse_altered(unlocked)?;
            next.clone()
        } else {
            let change = unlocked.rekey(self.threshold, self.members)?;
            self.outlet.name_waiting(old, &mut steps)?;
            self.outlet.write_waiting(&change.bare, &mut steps)?;
            bare = change.bare;
            change.policy
        };
        let kept = PolicyFile::epoch_path(path, old.epoch);
        // A policy of that name with another key would be lost, and its documents with it.
        let has_this_key = || policy_at(&kept).is_some_and(|there| there.id == old.id && there.public == old.public);
        if kept.exists() && !has_this_key() {
            return Err(OperationError::Exists(kept));
        }
        let text = policy.to_file();
        steps.write(&kept, Readers::Usual, old.to_file().as_bytes())?;
        steps.write(&waiting, Readers::Usual, unlocked.handover_file(&policy).as_bytes())?;
        let shares = match &self.file.next {
            Some(next) => self.outlet.name_waiting(next, &mut steps)?,
            None => self.outlet.name_written(&bare, &mut steps)?,
        };
        let mut done = Vec::new();
        let mut untouched = Vec::new();
        for (document, form) in documents {
            let staged = self.document(gathered, successor.as_ref(), &policy, (document, form), clock)?;
            if !self.concerns(document, form, &staged.counts)? {
                untouched.push(document.clone());
            }
            steps.append(staged.steps);
            done.push((document.clone(), staged.counts));
        }
        // A mistyped name would leave every sealed document behind, under a key that its holders may lose.
        if !documents.is_empty() && untouched.len() == documents.len() {
            return Err(OperationError::NothingToRotate);
        }
        steps.write(path, Readers::Usual, text.as_bytes())?;
        steps.remove(&waiting);
        let is_resumed = self.file.next.is_some();
        let note = [vec![said(&policy)], exchanged(old, &policy), vec![named(documents), self.depth.said().to_owned()]]
            .concat()
            .join("; ");
        held.confirm()?;
        self.file.append(&policy, clock, self.action, unlocked.holders(), note)?;
        Ok((steps, Rotated { policy, shares, documents: done, untouched, kept, is_resumed }))
    }

    /// Whether anything in a document belongs to the policy.
    fn concerns(&self, path: &Path, form: &Form, counts: &Counts) -> Result<bool, OperationError> {
        let old = &self.file.policy;
        match self.depth {
            Depth::Full if counts.changed > 0 || self.file.next.is_none() => Ok(counts.changed > 0),
            // What was done before the change was interrupted shows in the data keys only.
            Depth::Full | Depth::Headers => {
                let found = headers::read(path, form, &old.element)?;
                Ok(found.headers.as_slice().iter().any(|header| header.pol() == old.id))
            }
        }
    }

    /// Whether a data key that does not open any more was wrapped for the new key before the change was interrupted.
    fn is_done(&self, header: &KeyHeader, successor: Option<&Unlocked<'_>>) -> bool {
        // New data keys say the new epoch. Those that were only wrapped anew look like any that was edited to holders who have no part in
        // the new key.
        let is_new = |next: &Policy| self.depth == Depth::Headers || header.ep() == next.epoch;
        self.file.next.as_ref().is_some_and(is_new)
            && successor.is_none_or(|unlocked| unlocked.data_key(header.ep(), header.kid(), header.dk()).is_ok())
    }

    /// Unwraps the data keys that were only wrapped anew before the change was interrupted, so that a full one seals their cells anew as
    /// well. Gives their ids.
    fn open_rewrapped(&self, found: &Found, successor: Option<&Unlocked<'_>>, opener: &mut Opener) -> Vec<String> {
        let Some(unlocked) = successor.filter(|_| self.depth == Depth::Full) else { return Vec::new() };
        let next = unlocked.policy();
        let mut kids = Vec::new();
        for header in
            found.headers.as_slice().iter().filter(|header| header.pol() == next.id && header.ep() < next.epoch)
        {
            if let Ok(key) = unlocked.data_key(header.ep(), header.kid(), header.dk()) {
                opener.insert(header.pol(), header.ep(), header.kid(), &key);
                kids.push(header.kid().to_string());
            }
        }
        kids
    }

    fn document(
        &self,
        gathered: &Gathered<'_>,
        successor: Option<&Unlocked<'_>>,
        next: &Policy,
        (path, form): (&Path, &Form),
        clock: Timestamp,
    ) -> Result<Staged, OperationError> {
        let old = &self.file.policy;
        let mut found = headers::read(path, form, &old.element)?;
        let all = found.headers.clone();
        let (mut opener, closed) = gathered.opener(&found.headers);
        let rewrapped = self.open_rewrapped(&found, successor, &mut opener);
        let is_closed = |header: &KeyHeader| closed.iter().any(|(kid, _)| *kid == header.kid().as_str());
        let own = found.headers.as_slice().iter().filter(|header| header.pol() == old.id && is_closed(header));
        let done: Vec<String> =
            own.filter(|header| self.is_done(header, successor)).map(|header| header.kid().to_string()).collect();
        let refused = |source| OperationError::Header { path: path.to_owned(), source };
        let unlocked = &gathered.unlocked[0];
        let is_old = |header: &KeyHeader| {
            header.pol() == old.id
                && (unlocked.data_key(header.ep(), header.kid(), header.dk()).is_ok()
                    || rewrapped.iter().any(|kid| kid == header.kid().as_str()))
        };
        match self.depth {
            Depth::Headers => {
                for header in found.headers.clone().as_slice().iter().filter(|header| is_old(header)) {
                    let dk = unlocked.rewrap(next, header.ep(), header.kid(), header.dk())?;
                    found.headers.replace(header.rewrapped(&dk).map_err(refused)?);
                }
                // A cell whose key is missing would not open afterwards either, and nobody would know since when.
                self.headers_only(path, form, &found, &Leaving { policy: &old.id, opener: &opener, done: &done })
                    .map_err(|error| explained(error, closed, &all, gathered, self.file, form, path))
            }
            Depth::Full => {
                let run = next.sealing_run()?;
                let mut gone = Vec::new();
                found.headers.retain(|header| {
                    let stays = !is_old(header);
                    if !stays {
                        gone.push(header.kid().to_string());
                    }
                    stays
                });
                let mut with_new = found.clone();
                with_new.headers.add(header_of(next, &run, Some(clock)).of(path)?).of(path)?;
                let damages = Damages::default();
                let treatment =
                    Resealing { policy: old, opener: &opener, sealer: &run.sealer, done: &done, damages: &damages };
                let rewrite = Rewrite {
                    headers: Some(&with_new),
                    gone: &gone,
                    ..Rewrite::new(form, Fields::Of(old), &treatment)
                };
                let traced = |mut error| {
                    if let OperationError::Cell { cell, .. } = &mut error {
                        let left = damages.left(&opener, |tracing| {
                            // What cannot be found out is not said.
                            let _ = Rewrite::new(form, Fields::Of(old), tracing).look(path);
                        });
                        let is_it = |known: &CellError| (&known.record, &known.field) == (&cell.record, &cell.field);
                        if let Some(damage) = left.first.into_iter().find(|damage| is_it(&damage.cell)) {
                            *cell = damage.cell;
                        }
                    }
                    explained(error, closed, &all, gathered, self.file, form, path)
                };
                let staged = rewrite.stage(path, path, Readers::Usual).map_err(traced)?;
                if !staged.named.is_empty() {
                    return Err(OperationError::StillNamed { path: path.to_owned(), kids: staged.named });
                }
                if staged.counts.changed > 0 {
                    return Ok(staged);
                }
                // Nothing needs the new key, nor the old ones.
                if !gone.is_empty() {
                    let leaving = Leaving { policy: &old.id, opener: &opener, done: &done };
                    return self.headers_only(path, form, &found, &leaving);
                }
                Ok(Staged { steps: Steps::default(), ..staged })
            }
        }
    }

    fn headers_only(
        &self,
        path: &Path,
        form: &Form,
        found: &Found,
        leaving: &Leaving<'_>,
    ) -> Result<Staged, OperationError> {
        let rewrite = Rewrite { headers: Some(found), ..Rewrite::new(form, Fields::Of(&self.file.policy), leaving) };
        if form.kind == Kind::Csv {
            let counts = rewrite.look(path)?;
            let keys = sidecar(path);
            // Those that open no cell here any more may be the keys of a copy.
            let there = read_sidecar(&keys)?;
            let mut left = there.clone();
            found.headers.as_slice().iter().for_each(|header| left.replace(header.clone()));
            let mut steps = Steps::default();
            if left != there {
                steps.write(&keys, Readers::Usual, left.to_sidecar().as_bytes())?;
            }
            return Ok(Staged { counts, steps, named: Vec::new() });
        }
        rewrite.stage(path, path, Readers::Usual)
    }
}

/// Refuses a document that is named twice: what the second rewriting makes of the file before would take the place of what the first made. The
/// same holds of the keys of two CSV files, if they are one file.
fn refuse_twice(documents: &[(PathBuf, Form)]) -> Result<(), OperationError> {
    let (mut seen, mut seen_keys) = (BTreeMap::new(), BTreeMap::new());
    for (path, form) in documents {
        if let Some(first) = seen.insert(target(path), path) {
            return Err(OperationError::NamedTwice { first: first.clone(), second: path.clone() });
        }
        if form.kind != Kind::Csv {
            continue;
        }
        let keys = target(&sidecar(path));
        if let Some(first) = seen_keys.insert(keys.clone(), path) {
            return Err(OperationError::SharedKeys { first: first.clone(), second: path.clone(), keys });
        }
    }
    Ok(())
}

/// The names of documents for the log: the first few.
fn named(documents: &[(PathBuf, Form)]) -> String {
    if documents.is_empty() {
        return "no documents".to_owned();
    }
    first_few(documents.iter().map(|(path, _)| path.file_name().unwrap_or_default().to_string_lossy()), 5)
}

/// Looks whether every cell of the policy has its data key.
struct Leaving<'a> {
    policy: &'a str,
    opener: &'a Opener,
    /// Data keys that were wrapped anew before.
    done: &'a [String],
}

impl Treatment for Leaving<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        if let Content::Sealed(marker) = content
            && marker.attributes.pol == self.policy
            && !self.done.contains(&marker.attributes.kid)
        {
            self.opener.require(place, marker)?;
        }
        Ok(Outcome::Keep)
    }
}

struct Resealing<'a> {
    policy: &'a Policy,
    opener: &'a Opener,
    sealer: &'a Sealer,
    /// Data keys whose cells were sealed anew before.
    done: &'a [String],
    /// What does not open, to tell where it comes from.
    damages: &'a Damages,
}

impl Treatment for Resealing<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        let is_done = self.done.contains(&marker.attributes.kid);
        if marker.attributes.pol != self.policy.id || is_done {
            return Ok(Outcome::Keep);
        }
        let opened = self.opener.open(place, marker);
        let value = opened.map_err(|error| unnamed(self.policy, place, error))?;
        let sealed = match &value {
            Value::Fragment(xml) if holds_cell(xml) => Err(Refusal::Nested.at(place)),
            value => self.sealer.seal(place, value),
        };
        value.erase();
        Ok(Outcome::Sealed(sealed?))
    }

    // Nothing is left as it is: the key that mending may take would be gone.
    fn leaves_refused(&self, at: At, _: Place<'_>, content: &Content<'_>, refusal: CellError) -> Result<(), CellError> {
        self.damages.note_refused(at, content, refusal.clone(), true);
        Err(refusal)
    }
}
