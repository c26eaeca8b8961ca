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
}

impl Disagreement {
    /// Whether the log tells of a later state of the policy than its file.
    pub fn is_of_older_file(&self) -> bool {
        match self {
            Self::State { logged, file, .. } => logged > file,
            Self::Rules { .. } => true,
            Self::NoBeginning | Self::OtherPolicy { .. } => false,
        }
    }
}

/// What was done with an older file of a policy than the log told of by then: one that was put back for it, unless a change was under way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the log ({action}) was done with the policy of epoch {}, generation {}, when it was at epoch {}, generation {}: while that change was under way, or with an older file put back for it",
    used.0, used.1, known.0, known.1
)]
pub struct Outdated {
    /// The line.
    pub line: u64,
    /// What was done.
    pub action: Action,
    /// Epoch and generation of the file that was used.
    pub used: (u32, u32),
    /// Epoch and generation by the lines before.
    pub known: (u32, u32),
}

/// The first few entries that were made with an older file of the policy. Time linear in the log.
pub fn outdated(entries: impl IntoIterator<Item = Result<Entry, AuditError>>) -> Result<Vec<Outdated>, AuditError> {
    const MOST: usize = 10;
    let mut known = (0, 0);
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let used = (entry.epoch, entry.generation);
        if used < known && found.len() < MOST {
            found.push(Outdated { line: entry.n, action: entry.action, used, known });
        }
        known = known.max(used);
    }
    Ok(found)
}

/// Compares the entries of a log with the policy: its id, and the epoch, generation and code that the last change gave it.
pub fn compare(
    entries: impl IntoIterator<Item = Result<Entry, AuditError>>,
    policy: &Policy,
) -> Result<Option<Disagreement>, AuditError> {
    let mut is_begun = false;
    let mut last = None;
    for entry in entries {
        let entry = entry?;
        if entry.policy != policy.id {
            return Ok(Some(Disagreement::OtherPolicy { line: entry.n, policy: entry.policy }));
        }
        is_begun |= entry.action == Action::Create;
        if changes(entry.action) {
            last = Some(entry);
        }
    }
    let file = (policy.epoch, policy.generation);
    Ok(match last {
        Some(last) if (last.epoch, last.generation) != file => {
            let logged = (last.epoch, last.generation);
            Some(Disagreement::State { line: last.n, action: last.action, logged, file })
        }
        Some(Entry { n: line, action, code: Some(code), .. }) if code != policy.code_in_base64() => {
            Some(Disagreement::Rules { line, action })
        }
        _ if !is_begun => Some(Disagreement::NoBeginning),
        _ => None,
    })
}

/// Whether an action gives the policy an epoch or a generation.
fn changes(action: Action) -> bool {
    match action {
        Action::Create
        | Action::AddHolder
        | Action::RemoveHolder
        | Action::ReplaceKey
        | Action::Refresh
        | Action::Rotate
        | Action::Amend => true,
        Action::Seal | Action::Open | Action::Grant | Action::Verify | Action::Refuse => false,
    }
}
