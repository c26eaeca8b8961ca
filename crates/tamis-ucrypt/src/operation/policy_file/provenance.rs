//! Whether a policy file is the one that its holders made, as far as its log or a fingerprint tells.

use std::io::ErrorKind;

use super::{OperationError, PolicyFile};
use crate::audit::{AuditError, Disagreement, Log, compare, compare_last_change, tells_of};
use crate::policy::Policy;

/// How much of a log is looked at, from its end, by commands that only want to know what it says of the policy.
const LONGEST_LOG: u64 = 64 << 20;

/// The end of a log is looked at first, as the last change is mostly there.
const WINDOWS: [u64; 2] = [2 << 20, LONGEST_LOG];

impl PolicyFile {
    /// Whether the log tells of the change that made a policy: that of this file or, if a rotation kept it, of the one that it was kept from.
    /// Nothing if no log can tell. Anybody can write a file that looks like a later policy.
    pub(super) fn is_logged(&self, policy: &Policy) -> Option<bool> {
        let main =
            self.is_of_earlier_epoch().then(|| Log::beside(&self.path.with_extension("").with_extension("upolicy")));
        let tells = |log: &Log| told_by(log, policy).ok()?;
        let told: Vec<bool> = [Some(&self.log), main.as_ref()].into_iter().flatten().filter_map(tells).collect();
        (!told.is_empty()).then(|| told.contains(&true))
    }

    /// Refuses another policy than the one with this fingerprint, where somebody gave one.
    pub(in crate::operation) fn refuse_other(&self, fingerprint: Option<&str>) -> Result<(), OperationError> {
        let (found, path) = (self.policy.fingerprint(), self.path.clone());
        match fingerprint {
            Some(wanted) if !found.eq_ignore_ascii_case(wanted) => {
                Err(OperationError::OtherFingerprint { path, found, wanted: wanted.to_ascii_lowercase() })
            }
            _ => Ok(()),
        }
    }

    /// The same and, where nobody gave one, refuses a policy that no change in its log made: with another public key in it, a forger would read
    /// what is sealed, or would have written what a grant shows. Whoever has the fingerprint from the holders knows more than the log, which may
    /// be gone or somebody else's.
    pub(in crate::operation) fn refuse_unmeant(&self, fingerprint: Option<&str>) -> Result<(), OperationError> {
        self.refuse_other(fingerprint)?;
        if fingerprint.is_some() {
            return Ok(());
        }
        let path = || self.path.clone();
        let log = || self.log.path().to_owned();
        match self.log.refuse_empty().and_then(|()| told_by(&self.log, &self.policy)) {
            // A log that may not be read is told of, and may be somebody else's. One that was edited, or in whose place something else was
            // put, may be so to hide what it said.
            Ok(_) => {}
            Err(AuditError::File { source, .. }) if source.kind() == ErrorKind::PermissionDenied => {}
            Err(found) => return Err(OperationError::EditedLog { path: path(), log: log(), found }),
        }
        match self.is_logged(&self.policy) {
            Some(false) => {
                let found = self.compared().ok().flatten().map_or_else(
                    || {
                        "the policy file is none that the log tells of: it was edited, or comes from elsewhere"
                            .to_owned()
                    },
                    |found| found.to_string(),
                );
                Err(OperationError::EditedSince { path: path(), log: log(), found })
            }
            Some(true) | None => Ok(()),
        }
    }

    /// Says that nothing tells whether the holders made this policy, where whoever seals for it, or believes it about a grant, has no
    /// fingerprint of it from them.
    pub fn unvouched(&self, fingerprint: Option<&str>) -> Option<String> {
        (fingerprint.is_none() && self.is_logged(&self.policy).is_none()).then(|| {
            format!(
                "no log tells whether the holders made {}: compare its fingerprint with theirs, {} (--policy-fingerprint refuses any other)",
                self.path.display(),
                self.policy.fingerprint()
            )
        })
    }

    /// What is to be said of the log by whoever asks what there is to say of the policy: that it is not there, or lacks its beginning.
    pub fn missing_log(&self) -> Option<String> {
        match self.log.entries() {
            Ok(None) => Some(format!(
                "there is no log beside the policy ({}), so nothing tells whether the holders made it: compare its fingerprint with theirs",
                self.log.path().display()
            )),
            Ok(Some(entries)) => compare(entries, &self.policy)
                .ok()?
                .filter(|found| *found == Disagreement::NoBeginning)
                .map(|found| found.to_string()),
            Err(_) => None,
        }
    }

    pub(super) fn by_the_log(&self) -> Option<String> {
        // Sealing needs the policy only, whose log may be somebody else's; while a change waits, the log is ahead of the file.
        if self.next.is_some() || self.log.path().symlink_metadata().is_err() {
            return None;
        }
        let said = match self.compared() {
            Ok(found) => found?.to_string(),
            Err(error @ AuditError::File { .. }) => error.to_string(),
            Err(error) => format!("{}: {error}", self.log.path().display()),
        };
        // Somebody may be changing the policy, and have written the log already, or the file since it was read.
        let is_same = self.again().is_ok_and(|now| now.policy == self.policy && now.next.is_none());
        (is_same && !self.is_being_changed()).then_some(said)
    }

    /// Compares the policy with the last change in its log, which is looked for at the end and then further back.
    fn compared(&self) -> Result<Option<Disagreement>, AuditError> {
        let mut last = None;
        for window in WINDOWS {
            let Some(entries) = self.log.recent(window)? else { break };
            match compare_last_change(entries, &self.policy)? {
                Some(Ok(())) => return Ok(None),
                // Further back, a change may have made the file.
                Some(Err(found)) => last = Some(found),
                None => {}
            }
        }
        Ok(last)
    }
}

/// Whether a change in a log made this very policy; nothing if it cannot tell.
fn told_by(log: &Log, policy: &Policy) -> Result<Option<bool>, AuditError> {
    let mut told = None;
    for window in WINDOWS {
        let Some(entries) = log.recent(window)? else { break };
        told = tells_of(entries, policy)?;
        if told == Some(true) {
            break;
        }
    }
    Ok(told)
}
