//! One line of the log.

use std::fmt;

use base16ct::lower::encode_string;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use sha2::{Digest, Sha256};

use super::AuditError;
use crate::framing::{list, push};
use crate::shown::one_line;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The policy was written.
    Create,
    /// Fields were sealed.
    Seal,
    /// Fields were opened.
    Open,
    /// The key of one cell was handed on.
    Grant,
    /// All shares were checked.
    Verify,
    /// Holders were refused.
    Refuse,
    /// A holder came.
    AddHolder,
    /// A holder went.
    RemoveHolder,
    /// A holder got another key.
    ReplaceKey,
    /// The key was shared anew.
    Refresh,
    /// The key was changed.
    Rotate,
    /// The rules were changed.
    Amend,
    /// The holders agreed that the time of the log ran ahead, and put it right.
    SetClock,
}

impl Action {
    /// Whether the time of such a line counts for expiry. Anybody can seal, be refused or write a policy: a clock that ran ahead then must not
    /// lock holders out.
    pub(super) fn tells_time(self) -> bool {
        !matches!(self, Self::Create | Self::Seal | Self::Refuse)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "create",
            Self::Seal => "seal",
            Self::Open => "open",
            Self::Grant => "grant",
            Self::Verify => "verify",
            Self::Refuse => "refuse",
            Self::AddHolder => "add-holder",
            Self::RemoveHolder => "remove-holder",
            Self::ReplaceKey => "replace-key",
            Self::Refresh => "refresh",
            Self::Rotate => "rotate",
            Self::Amend => "amend",
            Self::SetClock => "set-clock",
        })
    }
}

/// What is to be written into the log. No plaintext, share or key belongs here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What was done.
    pub action: Action,
    /// The policy.
    pub policy: String,
    /// Its epoch after that.
    pub epoch: u32,
    /// Its generation after that.
    pub generation: u32,
    /// Who took part.
    pub holders: Vec<String>,
    /// What else there is to say, such as the file and the number of cells.
    pub note: String,
    /// The code of the policy file after that, [`crate::policy::Policy::code`] in base64: two files of one epoch and generation differ in it.
    pub code: Option<String>,
    /// The fingerprint of that file, [`crate::policy::Policy::fingerprint`]: the code alone stays as it is if somebody edits the rest.
    pub fingerprint: Option<String>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The number of the line, from 1.
    pub n: u64,
    /// When: by the clock, and not before the time that is known from lines before.
    pub at: Timestamp,
    /// What was done.
    pub action: Action,
    /// The policy.
    pub policy: String,
    /// Its epoch after that.
    pub epoch: u32,
    /// Its generation after that.
    #[serde(rename = "gen")]
    pub generation: u32,
    /// Who took part.
    pub holders: Vec<String>,
    /// What else there is to say.
    pub note: String,
    /// The code of the policy file after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The fingerprint of the policy file after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The time that counts for expiry after this line, if it is not that of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Timestamp>,
    /// The hash of the line before, or zeros.
    pub prev: String,
    /// The hash of this line.
    pub hash: String,
}

/// Longest note, in characters, so that a line stays a line.
const LONGEST_NOTE: usize = 10_000;

/// The hash before the first line.
pub(super) fn no_hash() -> String {
    "0".repeat(64)
}

impl Entry {
    /// The entry that follows another one. Whether its time counts for expiry, whoever appends it knows.
    pub(super) fn after(last: Option<&Self>, clock: Timestamp, event: Event, counts: bool) -> Self {
        let before = last.map_or(Timestamp::UNIX_EPOCH, Self::known_time);
        let at = if event.action == Action::SetClock { clock } else { clock.max(before) };
        let known = (!counts && at != before).then_some(before);
        let mut entry = Self {
            // A hostile log may end with the last number there is; the next line then does not follow, as `check` says.
            n: last.map_or(1, |last| last.n.saturating_add(1)),
            at,
            action: event.action,
            policy: event.policy,
            epoch: event.epoch,
            generation: event.generation,
            holders: event.holders,
            note: event.note.chars().take(LONGEST_NOTE).collect(),
            code: event.code,
            fingerprint: event.fingerprint,
            known,
            prev: last.map_or_else(no_hash, |last| last.hash.clone()),
            hash: String::new(),
        };
        entry.hash = entry.computed_hash();
        entry
    }

    /// The entry of a line, or what is wrong with that, which may be anything that somebody wrote there.
    pub(super) fn from_line(line: &[u8]) -> Result<Self, &'static str> {
        serde_json::from_slice(line).map_err(|error| match error.classify() {
            Category::Eof => "it is cut off",
            Category::Syntax | Category::Io => "it is not written as JSON",
            Category::Data => "it lacks a value, or has one of a form that no entry has",
        })
    }

    /// The line, with its end.
    pub(super) fn to_line(&self) -> Result<Vec<u8>, AuditError> {
        let mut line = serde_json::to_vec(self).map_err(|error| AuditError::Recent(error.to_string()))?;
        line.push(b'\n');
        Ok(line)
    }

    /// The time that counts for expiry after this line.
    pub fn known_time(&self) -> Timestamp {
        self.known.unwrap_or(self.at)
    }

    /// The hash that the line must have: SHA-256 of all its values, framed.
    pub(super) fn computed_hash(&self) -> String {
        let mut bytes = list([
            b"UCRYPT1 audit".as_slice(),
            self.prev.as_bytes(),
            self.n.to_string().as_bytes(),
            self.at.to_string().as_bytes(),
            self.action.to_string().as_bytes(),
            self.policy.as_bytes(),
            self.epoch.to_string().as_bytes(),
            self.generation.to_string().as_bytes(),
            &list(self.holders.iter().map(String::as_bytes)),
        ]);
        push(self.note.as_bytes(), &mut bytes);
        // What a line does not say is left out at the end, and empty before something that it says.
        let further = [self.code.clone(), self.fingerprint.clone(), self.known.map(|known| known.to_string())];
        let count = further.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for text in &further[..count] {
            push(text.as_deref().unwrap_or_default().as_bytes(), &mut bytes);
        }
        encode_string(&Sha256::digest(&bytes))
    }
}

/// For people: `audit show`. Names of files and of holders are texts of others.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>4}  {:.0}  {:<13} {} epoch {} gen {}",
            self.n,
            self.at,
            self.action.to_string(),
            one_line(&self.policy),
            self.epoch,
            self.generation
        )?;
        if !self.holders.is_empty() {
            write!(f, "  by {}", one_line(&self.holders.join(", ")))?;
        }
        if !self.note.is_empty() {
            write!(f, "  {}", one_line(&self.note))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Entry, Event};

    #[test]
    fn known_answer_of_the_manual() {
        let event = Event {
            action: Action::Open,
            policy: "p7Q2".into(),
            epoch: 1,
            generation: 1,
            holders: vec!["doctor".into(), "payer".into()],
            note: "2 cells".into(),
            code: None,
            fingerprint: None,
        };
        let at = "2026-02-01T12:00:00Z".parse().unwrap();
        let entry = Entry::after(None, at, event.clone(), true);
        assert_eq!(entry.hash, "f9d8ff515f6d7476a23526c74cd1db2821f77de835966dd90a7608c447142a1f");
        let entry = Entry::after(None, at, Event { code: Some("AAAA".into()), ..event }, true);
        assert_eq!(entry.hash, "b32494671c6481d76e6b2dcb7e269c23d7f40b96d1298e1ee4613a293d4d4889");
    }
}
