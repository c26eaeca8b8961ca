//! Whether a log tells of the policy that stands beside it.

use super::{Action, AuditError, Entry};
use crate::policy::Policy;

/// Where a log and a policy file do not agree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Disagreement {
    /// There is no entry that the policy was written.
    #[error("the log does not tell of the writing of the policy: its beginning is missing, or it was begun anew")]
    NoBeginning,
    /// An entry of another policy.
    #[error("line {line} of the log is about policy {policy:?}, not about this one")]
    OtherPolicy {
        /// The line.
        line: u64,
        /// The policy that it names.
        policy: String,
    },
    /// The last change is not the one that made the policy what it is.
    #[error(
        "after line {line} of the log ({action}) the policy is at epoch {}, generation {}, but its file is at epoch {}, generation {}: {}",
        logged.0, logged.1, file.0, file.1,
        if logged > file { "a change was not finished, or an older file was put back" }
        else { "lines of the log are missing, or the file comes from elsewhere" }
    )]
    State {
        /// The line of the last change.
        line: u64,
        /// What it was.
        action: Action,
        /// Epoch and generation by the log.
        logged: (u32, u32),
        /// Epoch and generation by the policy.
        file: (u32, u32),
    },
    /// The last change gave the policy other rules than its file has.
    #[error(
        "line {line} of the log ({action}) gave the policy other rules than its file has: the change was not finished, or an older file was put back"
    )]
    Rules {
        /// The line of the last change.
        line: u64,
        /// What it was.
        action: Action,
    },
    /// No change in the log made the policy file.
    #[error(
        "the policy file is none that the log tells of: it was edited since line {line} of the log ({action}), or comes from elsewhere; compare its \
         fingerprint with what the holders have, and put theirs back"
    )]
    Edited {
        /// The line of the last change.
        line: u64,
        /// What it was.
        action: Action,
    },
}

/// What was done with another file of a policy than the last change before it had made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the log ({action}) was done with another file of the policy, {}, than line {changed} had made, {}: while that change was under \
     way, after it was interrupted, or with a file put back or edited for it",
    state(*used), state(*known)
)]
pub struct Outdated {
    /// The line.
    pub line: u64,
    /// What was done.
    pub action: Action,
    /// Epoch and generation of the file that was used.
    pub used: (u32, u32),
    /// The line of the last change before.
    pub changed: u64,
    /// Epoch and generation after it.
    pub known: (u32, u32),
}

fn state((epoch, generation): (u32, u32)) -> String {
    format!("epoch {epoch}, generation {generation}")
}

/// The first few entries that were made with another file of the policy than the last change had made. A change that goes on from an older file
/// is one as well, and what follows is compared with what it made. Time linear in the log.
pub fn outdated(entries: impl IntoIterator<Item = Result<Entry, AuditError>>) -> Result<Vec<Outdated>, AuditError> {
    const MOST: usize = 10;
    let mut last: Option<Entry> = None;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let used = (entry.epoch, entry.generation);
        if let Some(last) = &last {
            let known = (last.epoch, last.generation);
            let differs =
                |one: &Option<String>, other: &Option<String>| one.is_some() && other.is_some() && one != other;
            let has_other_rules =
                used == known && (differs(&entry.code, &last.code) || differs(&entry.fingerprint, &last.fingerprint));
            let is_other = if changes(entry.action) { used < known } else { used != known || has_other_rules };
            if is_other && found.len() < MOST {
                found.push(Outdated { line: entry.n, action: entry.action, used, changed: last.n, known });
            }
        }
        if changes(entry.action) {
            last = Some(entry);
        }
    }
    Ok(found)
}

/// Compares the entries of a log with the policy: its id, and the epoch, generation and code that the last change gave it.
pub fn compare(
    entries: impl IntoIterator<Item = Result<Entry, AuditError>>,
    policy: &Policy,
) -> Result<Option<Disagreement>, AuditError> {
    let mut is_begun = false;
    let mut changes = Changes::of(policy);
    for entry in entries {
        let entry = entry?;
        is_begun |= entry.action == Action::Create && entry.policy == policy.id;
        changes.note(entry);
    }
    Ok(changes.found().or_else(|| (!is_begun).then_some(Disagreement::NoBeginning)))
}

/// Compares the last change among these entries with the policy; nothing if there is none.
pub fn compare_last_change(
    entries: impl IntoIterator<Item = Result<Entry, AuditError>>,
    policy: &Policy,
) -> Result<Option<Result<(), Disagreement>>, AuditError> {
    let mut changes = Changes::of(policy);
    for entry in entries {
        changes.note(entry?);
    }
    let found = changes.found();
    Ok((changes.last.is_some() || found.is_some()).then_some(found.map_or(Ok(()), Err)))
}

/// Whether a change among these entries made this very policy; nothing if they cannot tell, as those of programs that wrote no fingerprints.
pub fn tells_of(
    entries: impl IntoIterator<Item = Result<Entry, AuditError>>,
    policy: &Policy,
) -> Result<Option<bool>, AuditError> {
    let mut changes = Changes::of(policy);
    for entry in entries {
        changes.note(entry?);
    }
    Ok((changes.is_known || changes.has_fingerprint || changes.other.is_some()).then_some(changes.is_known))
}

/// The changes of a policy, as entries tell of them.
struct Changes<'a> {
    policy: &'a Policy,
    fingerprint: String,
    last: Option<Entry>,
    /// Whether one of them made the policy what it is.
    is_known: bool,
    /// Whether all of them are here, from the writing of the policy on, with their fingerprints.
    is_whole: bool,
    /// Whether one of them has a fingerprint, as all that follow must.
    has_fingerprint: bool,
    /// The first line about another policy, which tells nothing of this one.
    other: Option<(u64, String)>,
}

impl<'a> Changes<'a> {
    fn of(policy: &'a Policy) -> Self {
        let fingerprint = policy.fingerprint();
        Self { policy, fingerprint, last: None, is_known: false, is_whole: true, has_fingerprint: false, other: None }
    }

    fn note(&mut self, entry: Entry) {
        if entry.policy != self.policy.id {
            self.other.get_or_insert((entry.n, entry.policy));
        } else if changes(entry.action) {
            self.is_known |= self.is_of(&entry);
            let is_next = self.last.is_some() || entry.action == Action::Create;
            self.is_whole &= is_next && entry.fingerprint.is_some();
            self.has_fingerprint |= entry.fingerprint.is_some();
            self.last = Some(entry);
        }
    }

    /// Whether a change made the policy: by everything that it says, as one value that somebody copied into a line of their own proves nothing.
    fn is_of(&self, change: &Entry) -> bool {
        change.fingerprint.as_ref() == Some(&self.fingerprint)
            && (change.epoch, change.generation) == (self.policy.epoch, self.policy.generation)
            && change.code.as_ref() == Some(&self.policy.code_in_base64())
    }

    /// Where the entries and the policy do not agree.
    fn found(&self) -> Option<Disagreement> {
        let other = self.other.as_ref().map(|(line, policy)| (*line, policy.clone()));
        let other = other.map(|(line, policy)| Disagreement::OtherPolicy { line, policy });
        other.or_else(|| self.after(self.last.as_ref()?))
    }

    /// Whether the policy is not what its last change has made it.
    fn after(&self, change: &Entry) -> Option<Disagreement> {
        let (policy, line, action) = (self.policy, change.n, change.action);
        let (logged, file) = ((change.epoch, change.generation), (policy.epoch, policy.generation));
        let has_other_code = change.code.as_ref().is_some_and(|code| *code != policy.code_in_base64());
        // A line that says less than one before it was not written by a program that had said more.
        let is_other = self.has_fingerprint && !self.is_of(change);
        if logged < file {
            return Some(Disagreement::State { line, action, logged, file });
        }
        if is_other && !self.is_known && (self.is_whole || (logged == file && !has_other_code)) {
            return Some(Disagreement::Edited { line, action });
        }
        if logged != file {
            return Some(Disagreement::State { line, action, logged, file });
        }
        (has_other_code || is_other).then_some(Disagreement::Rules { line, action })
    }
}

/// Whether an action writes the policy file anew.
fn changes(action: Action) -> bool {
    match action {
        Action::Create
        | Action::AddHolder
        | Action::RemoveHolder
        | Action::ReplaceKey
        | Action::Refresh
        | Action::Rotate
        | Action::Amend => true,
        Action::Seal | Action::Open | Action::Grant | Action::Verify | Action::Refuse | Action::SetClock => false,
    }
}
