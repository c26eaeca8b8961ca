//! A policy in its file, with what stands beside it.

mod epochs;
mod provenance;

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::gathered::Gathered;
use super::headers::sidecar;
use super::held::{self, is_one_file};
use super::of_file::OfFile as _;
use super::{Form, Kind, OperationError};
use crate::audit::{Action, Event, Log, TrustedNow};
use crate::directory::followed;
use crate::key::ShareError;
use crate::lock::{Access, wait};
use crate::policy::{Keeping, Offer, Policy, PolicyError, Unlocked};
pub(super) use epochs::policies_beside;

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
    /// The code by which the holders of the policy know again what waits there.
    handover: Option<[u8; 32]>,
    /// Why what waits there cannot be used: whoever only seals or opens can go on without it.
    pub unread: Option<OperationError>,
    /// The log.
    pub log: Log,
    /// Keeps other programs from changing the policy at the same time.
    lock: Option<File>,
}

impl PolicyFile {
    /// Reads a policy.
    pub fn read(path: &Path) -> Result<Self, OperationError> {
        let path = &followed(path);
        Self::with(path, None, &text(path)?)
    }

    /// Reads a policy that is going to be changed: nobody else changes it meanwhile.
    pub fn lock(path: &Path) -> Result<Self, OperationError> {
        let path = &followed(path);
        loop {
            refuse_pipe(path)?;
            let Some(mut file) = held::opened(path, Access::Replace).of(path)? else {
                // It may not be read, and the system says so.
                return Self::read(path);
            };
            wait(&file, Access::Replace, path).of(path)?;
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
        if self.next.is_none() && waiting.exists() { fs::remove_file(&waiting).of(&waiting) } else { Ok(()) }
    }

    /// What whoever uses the policy as it is should know of a change that was interrupted. Whoever changes it finishes that one, or is
    /// refused.
    pub fn waiting(&self) -> Option<String> {
        match (&self.unread, &self.next) {
            (Some(error), _) => Some(error.to_string()),
            (None, Some(next)) if self.lock.is_none() && self.is_logged(next) == Some(false) => Some(format!(
                "{} says that it follows this policy, and the log does not tell of it: if no change was interrupted, somebody else put it there, so \
                 ask the holders before anything is done with it",
                Self::next_path(&self.path).display()
            )),
            (None, Some(_)) if self.lock.is_none() => Some(format!(
                "a change of this policy was interrupted and waits in {}; the same command again finishes it",
                Self::next_path(&self.path).display()
            )),
            _ => None,
        }
    }

    /// What whoever uses the policy should know: that a change of it was interrupted, that an older file may have been put back in its
    /// place, that the end of its log was edited.
    pub fn remarks(&self) -> Vec<String> {
        self.waiting().into_iter().chain(self.waiting_shares()).chain(self.by_the_log()).collect()
    }

    /// Says that a change stopped before its shares had their names.
    fn waiting_shares(&self) -> Option<String> {
        let Policy { id, generation, .. } = &self.policy;
        let outside = self.policy.holders.iter().filter(|holder| holder.keeping == Keeping::Bare);
        let paths = outside.map(|holder| self.path.with_file_name(waiting_name(&holder.name, *generation, id)));
        let there: Vec<String> = paths.filter(|path| path.exists()).map(|path| path.display().to_string()).collect();
        (!there.is_empty()).then(|| {
            format!(
                "a change was interrupted before shares had their names: {} (the next change names them)",
                there.join(", ")
            )
        })
    }

    /// What there is to know of the clock before anything is done by it.
    pub fn clock_remark(&self, clock: Timestamp) -> Option<String> {
        let trusted = self.log.trusted_now(clock).ok()?;
        if trusted.set_back {
            return Some(format!(
                "the clock stands before the last entry of the log; expiry is judged by {:.0} (if the clock ran ahead by then, \
                 `audit set-clock` with enough holders puts that right)",
                trusted.now
            ));
        }
        trusted.ahead_of.map(|last| {
            format!(
                "the clock says {clock:.0}, and the last line of the log is of {last:.0}: if the clock runs ahead, set it right first, as holders who take \
                 part by it make its time count for expiry"
            )
        })
    }

    /// Whether another command holds the policy to change it.
    pub fn is_being_changed(&self) -> bool {
        let is_held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        self.lock.is_none() && File::open(&self.path).is_ok_and(is_held)
    }

    fn with(path: &Path, lock: Option<File>, text: &str) -> Result<Self, OperationError> {
        let policy = Policy::from_file(text)?;
        let waiting = Self::next_path(path);
        let (next, unread) = match fs::symlink_metadata(&waiting) {
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            _ => match successor(&waiting, &policy) {
                Ok(next) => (next, None),
                // Whoever only opens need not have it; whoever changes the policy must know what it is.
                Err(error) if lock.is_none() => (None, Some(error)),
                Err(error) => return Err(error),
            },
        };
        let (next, handover) = next.unzip();
        let handover = handover.flatten();
        Ok(Self { path: path.to_owned(), policy, next, handover, unread, log: Log::beside(path), lock })
    }

    /// Refuses to begin a change while another one waits, or while what waits is nothing that the holders agreed to.
    pub(super) fn refuse_waiting(&self, unlocked: &Unlocked<'_>) -> Result<(), OperationError> {
        match &self.next {
            None => Ok(()),
            Some(next) if unlocked.agreed_to(next) => Err(OperationError::Interrupted(Self::next_path(&self.path))),
            Some(_) => Err(OperationError::NotAgreed(Self::next_path(&self.path))),
        }
    }

    /// Refuses to finish a change if what waits is not, to the word, what the holders wrote: a damaged share in it would be the end of
    /// every document.
    pub(super) fn refuse_altered(&self, unlocked: &Unlocked<'_>) -> Result<(), OperationError> {
        match &self.next {
            Some(next) if !unlocked.handed_over(next, self.handover.as_ref()) => Err(OperationError::Successor {
                path: Self::next_path(&self.path),
                why: "it was damaged or edited since the holders wrote it".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Where the successor waits while documents are sealed for it.
    pub(super) fn next_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".next");
        name.into()
    }

    /// The time to judge by.
    pub fn now(&self, clock: Timestamp) -> Result<TrustedNow, OperationError> {
        Ok(self.log.trusted_now(clock)?)
    }

    /// Brings holders together. Who is refused is written into the log.
    pub(super) fn gather<'a>(
        &'a self,
        offers: &'a [Offer<'a>],
        clock: Timestamp,
    ) -> Result<Gathered<'a>, OperationError> {
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
                self.note_refusal(&error, offers, now, clock);
                Err(error.into())
            }
            _ => Ok(Gathered { unlocked, offers, now }),
        }
    }

    /// Brings the holders of the policy itself together, as a change of it needs.
    pub(super) fn unlock(&self, offers: &[Offer<'_>], clock: Timestamp) -> Result<Unlocked<'_>, OperationError> {
        let now = self.now(clock)?.now;
        match self.policy.unlock(offers, now) {
            Ok(unlocked) => Ok(unlocked),
            Err(error) => {
                self.note_refusal(&error, offers, now, clock);
                Err(error.into())
            }
        }
    }

    /// Puts the time that the log knows back to the clock, if it is ahead of that: p holders agree that a clock ran ahead. Expiry is judged by the
    /// clock alone here, as the log may have expired everybody. Gives the time that counted before.
    pub fn set_clock(&self, offers: &[Offer<'_>], clock: Timestamp) -> Result<Option<Timestamp>, OperationError> {
        let trusted = self.now(clock)?;
        let unlocked = self.policy.unlock(offers, clock).inspect_err(|error| {
            self.note_refusal(error, offers, clock, clock);
        })?;
        if !trusted.set_back {
            return Ok(None);
        }
        let note = format!("expiry is judged from {clock:.0} on, instead of {:.0}", trusted.now);
        self.append(&self.policy, clock, Action::SetClock, unlocked.holders(), note)?;
        Ok(Some(trusted.now))
    }

    /// Writes into the log whose key or share could not even be read.
    pub fn log_refused(&self, refused: &ShareError, clock: Timestamp) {
        self.append_refusal(std::slice::from_ref(&refused.holder), refused.to_string(), clock);
    }

    /// Writes into the log who was refused, or who came where nobody was.
    fn note_refusal(&self, error: &PolicyError, offers: &[Offer<'_>], now: Timestamp, clock: Timestamp) {
        let came = |offer: &Offer<'_>| Some(self.policy.check_offer(*offer, now).ok()?.0.name.clone());
        let holders = match error {
            PolicyError::Share(share) => vec![share.holder.clone()],
            _ => offers.iter().filter_map(came).collect(),
        };
        self.append_refusal(&holders, error.to_string(), clock);
    }

    /// Writes a failure into the log: the holders came together all the same.
    pub(super) fn log_failed(&self, gathered: &Gathered<'_>, why: &str, clock: Timestamp) {
        self.append_refusal(gathered.holders(), format!("nothing of {why}"), clock);
    }

    fn append_refusal(&self, holders: &[String], note: String, clock: Timestamp) {
        // Where the log cannot be written, the refusal is still what must be said.
        let _ = self.append(&self.policy, clock, Action::Refuse, holders, note);
    }

    /// Refuses documents and outputs that are the policy, its log or what waits for its place, under whatever name: the command would wait for
    /// the lock that it has itself, or write over them.
    pub(super) fn refuse_own<'d>(
        &self,
        documents: impl IntoIterator<Item = (&'d Path, &'d Form)>,
    ) -> Result<(), OperationError> {
        let waiting = Self::next_path(&self.path);
        let own = [(self.path.as_path(), "policy"), (self.log.path(), "log"), (&waiting, "policy that waits")];
        for (path, form) in documents {
            let keys = (form.kind == Kind::Csv).then(|| sidecar(path));
            for given in [Some(path), keys.as_deref()].into_iter().flatten() {
                if let Some((file, what)) = own.iter().find(|(file, _)| is_one_file(given, file)) {
                    return Err(OperationError::OwnFile { path: given.to_owned(), file: file.to_path_buf(), what });
                }
            }
        }
        Ok(())
    }

    /// What is written into the log.
    pub(super) fn event(policy: &Policy, action: Action, holders: &[String], note: String) -> Event {
        Event {
            action,
            policy: policy.id.clone(),
            epoch: policy.epoch,
            generation: policy.generation,
            holders: holders.to_vec(),
            note,
            code: Some(policy.code_in_base64()),
            fingerprint: Some(policy.fingerprint()),
        }
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
        let event = Self::event(policy, action, holders, note);
        // The policy may be locked, and would be waited for under its other name.
        if is_one_file(&self.path, self.log.path()) {
            let (path, file) = (self.log.path().to_owned(), self.path.clone());
            return Err(OperationError::OwnFile { path, file, what: "policy" });
        }
        self.log.refuse_other(&policy.id)?;
        // Where no holder took part, anybody's clock may have run ahead, that of the reader of a grant too.
        if holders.is_empty() {
            self.log.append_aside(clock, event)?
        } else {
            self.log.append(clock, event)?
        };
        Ok(())
    }
}

/// A policy that waits, and the code by which the holders before know it again.
type Successor = (Policy, Option<[u8; 32]>);

/// The policy that waits in a file to take the place of this one, unless it has taken it.
fn successor(path: &Path, policy: &Policy) -> Result<Option<Successor>, OperationError> {
    let damaged = |why: String| OperationError::Successor { path: path.to_owned(), why };
    let text = text(path).map_err(|error| match error {
        OperationError::File { source, .. } => damaged(source.to_string()),
        error => error,
    })?;
    let (next, handover) = Policy::from_waiting_file(&text).map_err(|error| damaged(error.to_string()))?;
    // Another one would be lost if a change put its own in that place, and with it the shares that it holds.
    match next {
        next if next == *policy => Ok(None),
        next if next.id != policy.id => Err(damaged(format!("this is policy {}, not {}", next.id, policy.id))),
        next if next.epoch <= policy.epoch => {
            Err(damaged(format!("this is epoch {} of a policy that is at epoch {}", next.epoch, policy.epoch)))
        }
        next => Ok(Some((next, handover))),
    }
}

/// The policy in a file, if there is one.
pub(super) fn policy_at(path: &Path) -> Option<Policy> {
    text(path).ok().and_then(|text| Policy::from_file(&text).ok())
}

/// The text of a policy file.
fn text(path: &Path) -> Result<String, OperationError> {
    let mut text = String::new();
    refuse_pipe(path)?;
    File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)).of(path)?;
    Ok(text)
}

/// Refuses what is no file: a pipe could keep the program waiting for ever.
fn refuse_pipe(path: &Path) -> Result<(), OperationError> {
    let is_file = fs::metadata(path).of(path)?.is_file();
    if is_file { Ok(()) } else { Err(OperationError::PolicyNotAFile(path.to_owned())) }
}

/// What a share is called that belongs to nothing yet.
pub(super) fn waiting_name(holder: &str, generation: u32, policy: &str) -> String {
    format!("{holder}.g{generation}.{policy}.ushare.next")
}
