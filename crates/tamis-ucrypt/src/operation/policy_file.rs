//! A policy in its file, with what stands beside it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::OperationError;
use super::error::OfFile as _;
use crate::audit::{Action, Event, Log, TrustedNow};
use crate::cell::Opener;
use crate::document::header::KeyHeaders;
use crate::key::KeyError;
use crate::policy::{Offer, Policy, PolicyError, Unlocked};

/// Longest file that is read.
const LONGEST: u64 = 8 << 20;

/// A policy in its file, its successor if a change was interrupted, and its log.
#[derive(Debug)]
pub struct PolicyFile {
    /// The file.
    pub path: PathBuf,
    /// The policy.
    pub policy: Policy,
    /// What waits in `NAME.upolicy.next`: some documents may be sealed for it already.
    pub next: Option<Policy>,
    /// Why what waits there cannot be read: whoever only seals or opens can go on without it.
    pub unread: Option<OperationError>,
    /// The log.
    pub log: Log,
    /// Keeps other programs from changing the policy at the same time.
    _lock: Option<File>,
}

/// The holders that came, and what their keys open.
pub(super) struct Gathered<'p> {
    /// The policy, or its successor where a change was interrupted and only that opens.
    pub(super) unlocked: Vec<Unlocked<'p>>,
}

impl PolicyFile {
    /// Reads a policy.
    pub fn read(path: &Path) -> Result<Self, OperationError> {
        Self::with(path, None, &text(path)?)
    }

    /// Reads a policy that is going to be changed: nobody else changes it meanwhile.
    pub fn lock(path: &Path) -> Result<Self, OperationError> {
        loop {
            let mut file = File::open(path).of(path)?;
            file.lock().of(path)?;
            let mut locked = String::new();
            file.by_ref().take(LONGEST).read_to_string(&mut locked).of(path)?;
            // Another program may have put another file in its place before the lock was there.
            if locked == text(path)? {
                let file = Self::with(path, Some(file), &locked)?;
                file.tidy()?;
                return Ok(file);
            }
        }
    }

    /// The same file as it is now.
    pub(super) fn again(&self) -> Result<Self, OperationError> {
        Self::read(&self.path)
    }

    /// Takes away a successor that has taken its place: its change stopped just before the end.
    fn tidy(&self) -> Result<(), OperationError> {
        let waiting = Self::next_path(&self.path);
        if self.next.is_some() || !waiting.exists() {
            return Ok(());
        }
        let stale = successor(&waiting)?;
        if stale == self.policy { fs::remove_file(&waiting).of(&waiting) } else { Ok(()) }
    }

    fn with(path: &Path, lock: Option<File>, text: &str) -> Result<Self, OperationError> {
        let policy = Policy::from_file(text)?;
        let waiting = Self::next_path(path);
        let (next, unread) = match fs::symlink_metadata(&waiting) {
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            _ => match successor(&waiting) {
                Ok(next) => (Some(next), None),
                // Whoever only opens need not have it; whoever changes the policy must know what it is.
                Err(error) if lock.is_none() => (None, Some(error)),
                Err(error) => return Err(error),
            },
        };
        // Only a successor of this very policy is meant; one that is older was finished and left behind.
        let next = next.filter(|next| next.id == policy.id && next.epoch > policy.epoch);
        Ok(Self { path: path.to_owned(), policy, next, unread, log: Log::beside(path), _lock: lock })
    }

    /// Refuses to begin a change while another one waits, or while what waits is nothing that the holders agreed to.
    pub(super) fn refuse_waiting(&self, unlocked: &Unlocked<'_>) -> Result<(), OperationError> {
        match &self.next {
            None => Ok(()),
            Some(next) if unlocked.agreed_to(next) => Err(OperationError::Interrupted(Self::next_path(&self.path))),
            Some(_) => Err(OperationError::NotAgreed(Self::next_path(&self.path))),
        }
    }

    /// Where the successor waits while documents are sealed for it.
    pub(super) fn next_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".next");
        name.into()
    }

    /// Where the policy of an earlier epoch is kept, for documents that nobody rewrote: `NAME.e1.upolicy`.
    pub(super) fn epoch_path(path: &Path, epoch: u32) -> PathBuf {
        let mut name: OsString = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!(".e{epoch}.upolicy"));
        path.with_file_name(name)
    }

    /// Refuses a policy beside which a file holds a later epoch of it: what is sealed for the old key, holders who left can read.
    pub(super) fn refuse_superseded(&self) -> Result<(), OperationError> {
        let directory = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A directory that cannot be listed says nothing; neither does a file that is no policy.
        let Ok(entries) = fs::read_dir(directory) else { return Ok(()) };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_none_or(|extension| extension != "upolicy") || !path.is_file() {
                continue;
            }
            let Some(other) = text(&path).ok().and_then(|text| Policy::from_file(&text).ok()) else { continue };
            if other.id == self.policy.id && other.epoch > self.policy.epoch {
                return Err(OperationError::Superseded { path, epoch: other.epoch });
            }
        }
        Ok(())
    }

    /// The time to judge by.
    pub fn now(&self, clock: Timestamp) -> Result<TrustedNow, OperationError> {
        Ok(self.log.trusted_now(clock)?)
    }

    /// Brings holders together. Who is refused is written into the log.
    pub(super) fn gather(&self, offers: &[Offer<'_>], clock: Timestamp) -> Result<Gathered<'_>, OperationError> {
        let now = self.now(clock)?.now;
        let mut unlocked = Vec::new();
        let mut refusal = None;
        for policy in [Some(&self.policy), self.next.as_ref()].into_iter().flatten() {
            match policy.unlock(offers, now) {
                Ok(one) => unlocked.push(one),
                // What is wrong with the policy itself comes first; its successor is only a way out.
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        match refusal {
            Some(error) if unlocked.is_empty() => {
                self.note_refusal(&error, clock)?;
                Err(error.into())
            }
            _ => Ok(Gathered { unlocked }),
        }
    }

    /// Brings the holders of the policy itself together, as a change of it needs.
    pub(super) fn unlock(&self, offers: &[Offer<'_>], clock: Timestamp) -> Result<Unlocked<'_>, OperationError> {
        let now = self.now(clock)?.now;
        match self.policy.unlock(offers, now) {
            Ok(unlocked) => Ok(unlocked),
            Err(error) => {
                self.note_refusal(&error, clock)?;
                Err(error.into())
            }
        }
    }

    fn note_refusal(&self, error: &PolicyError, clock: Timestamp) -> Result<(), OperationError> {
        let holders = match error {
            PolicyError::Share(share) => vec![share.holder.clone()],
            _ => Vec::new(),
        };
        self.append(&self.policy, clock, Action::Refuse, &holders, error.to_string())
    }

    /// Writes into the log what was done.
    pub(super) fn append(
        &self,
        policy: &Policy,
        clock: Timestamp,
        action: Action,
        holders: &[String],
        note: String,
    ) -> Result<(), OperationError> {
        let event = Event {
            action,
            policy: policy.id.clone(),
            epoch: policy.epoch,
            generation: policy.generation,
            holders: holders.to_vec(),
            note,
        };
        self.log.append(clock, event)?;
        Ok(())
    }
}

impl Gathered<'_> {
    /// Who came, for the log.
    pub(super) fn holders(&self) -> &[String] {
        self.unlocked.first().map_or(&[], |unlocked| unlocked.holders())
    }

    /// Unwraps the data keys of the policy, and tells which of them do not open.
    pub(super) fn opener(&self, headers: &KeyHeaders) -> (Opener, Vec<(String, KeyError)>) {
        let mut opener = Opener::default();
        let mut closed = Vec::new();
        for header in headers.as_slice() {
            let own = self.unlocked.iter().filter(|unlocked| unlocked.policy().id == header.pol());
            let mut refusal = None;
            let mut is_open = false;
            for unlocked in own {
                match unlocked.data_key(header.ep(), header.kid(), header.dk()) {
                    Ok(key) => {
                        opener.insert(header.pol(), header.ep(), header.kid(), &key);
                        is_open = true;
                        break;
                    }
                    Err(error) => refusal = Some(error),
                }
            }
            if let Some(error) = refusal.filter(|_| !is_open) {
                closed.push((header.kid().to_string(), error));
            }
        }
        (opener, closed)
    }
}

/// The policy that waits in a file.
fn successor(path: &Path) -> Result<Policy, OperationError> {
    let damaged = |why: String| OperationError::Successor { path: path.to_owned(), why };
    let text = text(path).map_err(|error| match error {
        OperationError::File { source, .. } => damaged(source.to_string()),
        error => error,
    })?;
    Policy::from_file(&text).map_err(|error| damaged(error.to_string()))
}

/// The text of a policy file.
fn text(path: &Path) -> Result<String, OperationError> {
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)).of(path)?;
    Ok(text)
}
