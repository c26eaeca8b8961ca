//! Grants: the keys of single cells, for somebody who is no holder. They tell nothing of the data key and open nothing else.
//!
//! The file is an armoured age file for the reader's public key. Inside is one JSON object a line: table, record, field, key, and the hash of the
//! cell that was granted. The last line is the code by which the reader knows that the holders gave it: anybody could write the rest, and with
//! it a document in which the reader finds what the writer chose.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zeroize::{Zeroize as _, Zeroizing};

use super::damage::Damages;
use super::opening::stays;
use super::{Open, OperationError};
use crate::cell::{CellError, CellKey, Marker, MarkerError, Opener, Refusal, Value};
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::framing::list;
use crate::key::{HolderSecret, is_vouched_for, open_parcel, seal_parcel};
use crate::policy::{Policy, Unlocked};

/// The key of one cell, and where the cell is.
pub struct Grant {
    table: String,
    record: String,
    field: String,
    pub(super) key: CellKey,
    /// The hash of the cell: others who were granted it know its key too, and could put another value in its place.
    cell: [u8; 32],
}

impl Grant {
    /// Table, record and field.
    pub fn place(&self) -> (&str, &str, &str) {
        (&self.table, &self.record, &self.field)
    }

    /// Opens the cell that was granted, and no other one in its place.
    pub(super) fn open(&self, place: Place<'_>, marker: &Marker) -> Result<Value<'static>, CellError> {
        self.check(place, marker)?;
        self.key.open(place, marker)
    }

    /// Whether this is the cell that was granted.
    pub(super) fn check(&self, place: Place<'_>, marker: &Marker) -> Result<(), CellError> {
        if hash_of(marker) == self.cell { Ok(()) } else { Err(Refusal::NotAuthentic.at(place)) }
    }
}

/// What tells a cell from every other one: white space in it is free.
fn hash_of(marker: &Marker) -> [u8; 32] {
    let body: Vec<u8> = marker.body.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    Sha256::digest(&body).into()
}

/// Who shall read what is granted.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The name, for the log.
    pub name: &'a str,
    /// The public key, as `age1...`.
    pub recipient: &'a str,
}

/// Keys of cells.
#[derive(Default)]
pub struct Grants {
    keys: Vec<Grant>,
    /// Who reads, as far as the reader's key says.
    pub(super) reader: Option<String>,
    /// Whether the holders of the policy say that they gave them: nothing is opened otherwise.
    pub(super) is_vouched: bool,
}

/// What is said of a grant that somebody else wrote.
pub(super) const NOT_GIVEN: OperationError = OperationError::Grant(
    "the holders of this policy did not give it, neither under its key of today nor under the one before; nothing of it is shown, as somebody else may \
     have chosen what there is to read: ask the holders for another grant, or for the policy that it was given under",
);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    record: String,
    field: String,
    key: String,
    cell: String,
}

/// The last line: who gave the grant.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    policy: String,
    epoch: u32,
    code: String,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl Grants {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.keys.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The text of a file that only this reader can read, and in which the holders say that it is theirs.
    pub(super) fn to_file(&self, recipient: &str, unlocked: &Unlocked<'_>) -> Result<String, OperationError> {
        // Room for all of it, escaped as it may be, so that no copy of a part stays behind where a longer one was needed.
        let longest = |grant: &Grant| 6 * (grant.table.len() + grant.record.len() + grant.field.len()) + 256;
        let mut text = Zeroizing::new(Vec::with_capacity(self.keys.iter().map(longest).sum::<usize>() + 512));
        let unwritten = |_| OperationError::Grant("it cannot be written");
        for grant in &self.keys {
            let (table, record, field) = grant.place();
            let (key, cell) = (STANDARD.encode(grant.key.bytes()), STANDARD.encode(grant.cell));
            let line = Line { table: table.to_owned(), record: record.to_owned(), field: field.to_owned(), key, cell };
            serde_json::to_writer(&mut *text, &line).map_err(unwritten)?;
            text.push(b'\n');
        }
        let policy = unlocked.policy();
        let code = unlocked.vouch(recipient, &statement(&policy.id, policy.epoch, &text))?;
        let given = Given { policy: policy.id.clone(), epoch: policy.epoch, code };
        serde_json::to_writer(&mut *text, &given).map_err(unwritten)?;
        text.push(b'\n');
        Ok(seal_parcel(recipient, &text)?)
    }

    /// Reads the text of a file with the key that it was written for, and finds out whether the holders of the policy gave it: under its key of today
    /// or, as a rotation of the headers does not end a grant, under the one before.
    pub fn from_file(text: &str, reader: &HolderSecret, policy: &Policy) -> Result<Self, OperationError> {
        let inside =
            open_parcel(reader, text).ok_or(OperationError::Grant("it was written for another key, or is damaged"))?;
        let inside = str::from_utf8(&inside).map_err(|_| OperationError::Grant("it is not text"))?;
        let unsigned = OperationError::Grant(
            "it does not say which holders gave it, so anybody may have written it: ask them for another one",
        );
        let Some((cells, given)) = last_line(inside) else { return Err(unsigned) };
        let Ok(given) = serde_json::from_str::<Given>(given) else { return Err(unsigned) };
        let said = statement(&given.policy, given.epoch, cells.as_bytes());
        let keys = [Some(policy.public), policy.proof.as_ref().map(|proof| proof.public)];
        let is_given = |public| is_vouched_for(public, reader, &said, &given.code);
        if given.policy != policy.id {
            return Err(NOT_GIVEN);
        }
        let is_vouched = keys.into_iter().flatten().any(is_given);
        let grant = |line: &str| {
            let line: Line = serde_json::from_str(line).ok()?;
            let bytes = Zeroizing::new(STANDARD.decode(&line.key).ok()?);
            let mut key = Zeroizing::new([0; 32]);
            if bytes.len() != key.len() {
                return None;
            }
            key.copy_from_slice(&bytes);
            let cell = STANDARD.decode(&line.cell).ok()?.try_into().ok()?;
            let (table, record, field) = (line.table.clone(), line.record.clone(), line.field.clone());
            Some(Grant { table, record, field, key: CellKey::from_bytes(key), cell })
        };
        let grants: Option<Vec<Grant>> = cells.lines().map(grant).collect();
        let keys = grants.ok_or(OperationError::Grant("a line of it has an unknown form"))?;
        Ok(Self { keys, reader: reader.known_name().map(str::to_owned), is_vouched })
    }
}

/// The last line of a text, and what stands before it.
fn last_line(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let start = text.rfind('\n').map_or(0, |newline| newline + 1);
    text.split_at_checked(start)
}

/// What the holders vouch for: all lines but the last, for this policy.
fn statement(policy: &str, epoch: u32, lines: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(list([policy.as_bytes(), epoch.to_string().as_bytes(), lines]))
}

/// Collects the keys of the cells that are asked for.
pub(super) struct Collecting<'a> {
    scope: &'a Open<'a>,
    opener: &'a Opener,
    grants: Mutex<Vec<Grant>>,
    /// The records that were asked for and are there.
    there: Mutex<BTreeSet<String>>,
    /// What does not open.
    pub(super) damages: Damages,
}

impl<'a> Collecting<'a> {
    pub(super) fn new(scope: &'a Open<'a>, opener: &'a Opener) -> Self {
        Self { scope, opener, grants: Mutex::default(), there: Mutex::default(), damages: Damages::default() }
    }

    /// The keys, and the records that were asked for and are there.
    pub(super) fn grants(self) -> (Grants, BTreeSet<String>) {
        let mut grants = self.grants.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Threads finish in any order.
        grants.sort_by(|left, right| left.place().cmp(&right.place()));
        let grants = Grants { keys: grants, reader: None, is_vouched: true };
        (grants, self.there.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Treatment for Collecting<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn needs_keys(&self) -> bool {
        false
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        self.scope.note_record(&self.there, place);
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        let policy = &self.scope.file.policy;
        if marker.attributes.pol != policy.id || !self.scope.asks_for(place) {
            return stays(policy, self.opener, place, marker);
        }
        let key = CellKey::of(self.opener, place, marker)?;
        let grant = Grant {
            table: place.table.to_owned(),
            record: place.record.to_owned(),
            field: place.field.to_owned(),
            key,
            cell: hash_of(marker),
        };
        self.grants.lock().unwrap_or_else(PoisonError::into_inner).push(grant);
        Ok(Outcome::Keep)
    }

    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        self.damages.note_broken(at, place, damage, self.scope.asks_for(place));
        true
    }

    fn leaves_refused(
        &self,
        at: At,
        place: Place<'_>,
        content: &Content<'_>,
        refusal: CellError,
    ) -> Result<(), CellError> {
        self.damages.note_refused(at, content, refusal, self.scope.asks_for(place));
        Ok(())
    }
}
