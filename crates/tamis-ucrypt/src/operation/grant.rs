//! Grants: the keys of single cells, for somebody who is no holder. They tell nothing of the data key and open nothing else.
//!
//! The file is an armoured age file for the reader's public key. Inside is one JSON object a line: table, record, field and key.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

use super::{Open, OperationError};
use crate::cell::{CellError, CellKey, Opener};
use crate::document::{Content, Outcome, Place, Treatment};
use crate::key::{HolderSecret, open_parcel, seal_parcel};

/// The key of one cell, and where the cell is.
pub struct Grant {
    table: String,
    record: String,
    field: String,
    pub(super) key: CellKey,
}

impl Grant {
    /// Table, record and field.
    pub fn place(&self) -> (&str, &str, &str) {
        (&self.table, &self.record, &self.field)
    }
}

/// Keys of cells.
#[derive(Default)]
pub struct Grants {
    keys: Vec<Grant>,
    /// Who reads, as far as the reader's key says.
    pub(super) reader: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    record: String,
    field: String,
    key: String,
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

    /// The text of a file that only the owner of this public key (`age1...`) can read.
    pub fn to_file(&self, recipient: &str) -> Result<String, OperationError> {
        // Room for all of it, escaped as it may be, so that no copy of a part stays behind where a longer one was needed.
        let longest = |grant: &Grant| 6 * (grant.table.len() + grant.record.len() + grant.field.len()) + 128;
        let mut text = Zeroizing::new(Vec::with_capacity(self.keys.iter().map(longest).sum()));
        for grant in &self.keys {
            let (table, record, field) = grant.place();
            let key = STANDARD.encode(grant.key.bytes());
            let line = Line { table: table.to_owned(), record: record.to_owned(), field: field.to_owned(), key };
            serde_json::to_writer(&mut *text, &line).map_err(|_| OperationError::Grant("it cannot be written"))?;
            text.push(b'\n');
        }
        Ok(seal_parcel(recipient, &text)?)
    }

    /// Reads the text of a file with the key that it was written for.
    pub fn from_file(text: &str, reader: &HolderSecret) -> Result<Self, OperationError> {
        let inside =
            open_parcel(reader, text).ok_or(OperationError::Grant("it was written for another key, or is damaged"))?;
        let inside = str::from_utf8(&inside).map_err(|_| OperationError::Grant("it is not text"))?;
        let grant = |line: &str| {
            let line: Line = serde_json::from_str(line).ok()?;
            let bytes = Zeroizing::new(STANDARD.decode(&line.key).ok()?);
            let mut key = Zeroizing::new([0; 32]);
            if bytes.len() != key.len() {
                return None;
            }
            key.copy_from_slice(&bytes);
            let (table, record, field) = (line.table.clone(), line.record.clone(), line.field.clone());
            Some(Grant { table, record, field, key: CellKey::from_bytes(key) })
        };
        let grants: Option<Vec<Grant>> = inside.lines().map(grant).collect();
        let keys = grants.ok_or(OperationError::Grant("a line of it has an unknown form"))?;
        Ok(Self { keys, reader: reader.known_name().map(str::to_owned) })
    }
}

/// Collects the keys of the cells that are asked for.
pub(super) struct Collecting<'a> {
    scope: &'a Open<'a>,
    opener: &'a Opener,
    grants: Mutex<Vec<Grant>>,
    /// The records that were asked for and are there.
    there: Mutex<BTreeSet<String>>,
}

impl<'a> Collecting<'a> {
    pub(super) fn new(scope: &'a Open<'a>, opener: &'a Opener) -> Self {
        Self { scope, opener, grants: Mutex::default(), there: Mutex::default() }
    }

    /// The keys, and the records that were asked for and are there.
    pub(super) fn grants(self) -> (Grants, BTreeSet<String>) {
        let mut grants = self.grants.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Threads finish in any order.
        grants.sort_by(|left, right| left.place().cmp(&right.place()));
        (Grants { keys: grants, reader: None }, self.there.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Treatment for Collecting<'_> {
    type Refusal = CellError;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        self.scope.note_record(&self.there, place);
        if let Content::Sealed(marker) = content
            && marker.attributes.pol == self.scope.file.policy.id
            && self.scope.asks_for(place)
        {
            let key = CellKey::of(self.opener, place, marker)?;
            let grant = Grant {
                table: place.table.to_owned(),
                record: place.record.to_owned(),
                field: place.field.to_owned(),
                key,
            };
            self.grants.lock().unwrap_or_else(PoisonError::into_inner).push(grant);
        }
        Ok(Outcome::Keep)
    }
}
