//! A policy in its file, with what stands beside it.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::OperationError;
use super::gathered::Gathered;
use super::held::{self, Access, wait};
use super::of_file::OfFile as _;
use crate::audit::{Action, AuditError, Disagreement, Event, Log, TrustedNow, compare_last_change, tells_of};
use crate::directory::{directory_of, followed};
use crate::key::ShareError;
use crate::policy::{Keeping, Offer, Policy, PolicyError, Unlocked};

/// Longest file that is read.
const LONGEST: u64 = 8 << 20;

/// How much of a log is looked at, from its end, by commands that only want to know what it says of the policy.
const LONGEST_LOG: u64 = 64 << 20;

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
            wait(&file, Access::Replace).of(path)?;
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

    /// Whether the log tells of the change that made a policy: that of this file or, if a rotation kept it, of the one that it was kept from.
    /// Nothing if no log can tell. Anybody can write a file that looks like a later policy.
    fn is_logged(&self, policy: &Policy) -> Option<bool> {
        let main =
            self.is_of_earlier_epoch().then(|| Log::beside(&self.path.with_extension("").with_extension("upolicy")));
        let tells = |log: &Log| tells_of(log.recent(LONGEST_LOG).ok()??, policy).ok()?;
        let told: Vec<bool> = [Some(&self.log), main.as_ref()].into_iter().flatten().filter_map(tells).collect();
        (!told.is_empty()).then(|| told.contains(&true))
    }

    /// Refuses a policy that none of the changes in its log made: with another public key in it, a forger would read what is sealed.
    pub(super) fn refuse_edited(&self) -> Result<(), OperationError> {
        match self.compared() {
            Ok(Some(found @ Disagreement::Edited { .. })) => {
                Err(OperationError::EditedSince { path: self.path.clone(), log: self.log.path().to_owned(), found })
            }
            // A log that cannot be read is told of, and may be somebody else's.
            _ => Ok(()),
        }
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

    fn by_the_log(&self) -> Option<String> {
        // Sealing needs the policy only, whose log may be somebody else's; while a change waits, the log is ahead of the file.
        if self.next.is_some() || !self.log.path().exists() {
            return None;
        }
        let said = match self.compared() {
            Ok(found) => found.filter(Disagreement::is_of_older_file)?.to_string(),
            Err(error) => format!("{}: {error}", self.log.path().display()),
        };
        // Somebody may be changing the policy, and have written the log already, or the file since it was read.
        let is_same = self.again().is_ok_and(|now| now.policy == self.policy && now.next.is_none());
        (is_same && !self.is_being_changed()).then_some(said)
    }

    /// Compares the policy with the last change in its log, which is looked for at the end and then further back.
    fn compared(&self) -> Result<Option<Disagreement>, AuditError> {
        const WINDOWS: [u64; 2] = [2 << 20, LONGEST_LOG];
        for window in WINDOWS {
            let Some(entries) = self.log.recent(window)? else { break };
            if let Some(compared) = compare_last_change(entries, &self.policy)? {
                return Ok(compared.err());
            }
        }
        Ok(None)
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

    /// Where the policy of an earlier epoch is kept, for documents that nobody rewrote: `NAME.e1.upolicy`.
    pub(super) fn epoch_path(path: &Path, epoch: u32) -> PathBuf {
        let mut name: OsString = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!(".e{epoch}.upolicy"));
        path.with_file_name(name)
    }

    /// Whether it is a file that a rotation kept.
    pub fn is_of_earlier_epoch(&self) -> bool {
        let end = format!(".e{}.upolicy", self.policy.epoch);
        self.path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end))
    }

    /// Which file may open a data key that was born in an epoch and that this policy does not open: one of those that rotations keep. Those
    /// that do open it, as far as `opens` can tell, come first, and none is left out.
    pub fn way_out(&self, born: u32, opens: impl Fn(&Policy) -> bool) -> Option<String> {
        const MOST: usize = 100;
        const NAMED: usize = 10;
        let now = self.policy.epoch;
        if born > now {
            return Some(format!(
                "this policy file is at epoch {now}: take that of epoch {born} or later from the holders, if they have one"
            ));
        }
        let name = if self.is_of_earlier_epoch() { self.path.with_extension("") } else { self.path.clone() };
        let kept = |epoch| {
            let path = Self::epoch_path(&name, epoch);
            // Another policy may have been put there under the name.
            let is_kept = |policy: &Policy| policy.id == self.policy.id && policy.epoch == epoch;
            policy_at(&path).filter(is_kept).map(|policy| (path, policy))
        };
        let there: Vec<(PathBuf, Policy)> = (born..now).rev().take(MOST).filter_map(kept).collect();
        let (open, others): (Vec<_>, Vec<_>) = there.iter().partition(|(_, policy)| opens(policy));
        let mut names: Vec<String> =
            open.into_iter().chain(others).map(|(path, _)| path.display().to_string()).collect();
        if names.len() > NAMED {
            // The oldest is what a document needs that no rotation named.
            let (last, more) = (names.pop().unwrap_or_default(), names.len() - (NAMED - 1));
            names.truncate(NAMED - 1);
            names.push(format!("one of the {more} of epochs between, or {last}"));
        }
        let files = names.join(" or ");
        match (born < now, names.is_empty()) {
            (false, _) => None,
            (true, false) => Some(format!(
                "if the document was left out of a rotation, open it with {files} and the holders of that time"
            )),
            (true, true) => Some(format!(
                "if the document was left out of a rotation, the policy of epoch {born} opens it, which is not beside this one"
            )),
        }
    }

    /// Refuses a policy beside which a file holds a later epoch of it: what is sealed for the old key, holders who left can read. Whether it is
    /// the holders' own, only a log can tell.
    pub(super) fn refuse_superseded(&self) -> Result<(), OperationError> {
        let later = policies_beside(&self.path).filter(|(_, other)| self.policy.may_become(other));
        let later = later.map(|(path, other)| (self.is_logged(&other) == Some(true), other.epoch, path));
        match later.max() {
            Some((true, epoch, path)) => Err(OperationError::Superseded { path, epoch }),
            Some((false, epoch, path)) => Err(OperationError::MaySupersede { path, epoch, this: self.path.clone() }),
            None => Ok(()),
        }
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
            code: Some(policy.code_in_base64()),
            fingerprint: Some(policy.fingerprint()),
        };
        self.log.append(clock, event)?;
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

/// The policies in the directory of a file. One that cannot be listed has none; neither has a file that is no policy.
pub(super) fn policies_beside(path: &Path) -> impl Iterator<Item = (PathBuf, Policy)> {
    let entries = fs::read_dir(directory_of(path)).into_iter().flatten().flatten().map(|entry| entry.path());
    let named =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "upolicy") && path.is_file());
    named.filter_map(|path| policy_at(&path).map(|policy| (path, policy)))
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
