//! The records that meet a condition.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::rewrite::{Fields, Rewrite};
use super::{Form, Kind, OperationError, selectors};
use crate::cell::CellError;
use crate::document::rows::KeyHasher;
use crate::document::{Content, Outcome, Place, Treatment};
use crate::policy::{Field, Policy};

/// What the records have in common that are sealed.
#[derive(Debug, Clone, Copy)]
pub struct Condition<'a> {
    /// A column of a table, by its name in the policy or in the document; or what stands at this path of an XML record.
    pub column: &'a str,
    /// The value that it has.
    pub value: &'a str,
}

/// Most records that are remembered: 8 MiB.
const MOST: usize = 1 << 20;

/// Most records that are few.
const FEW: usize = 1 << 18;

/// The records of a document that meet a condition.
pub(super) enum Matching {
    /// The one with this key, and whether it was met.
    Key(String, AtomicBool),
    /// Those with these hashes, in order. The keys themselves would take as much memory as a part of the document. Two different ones
    /// of a million look the same with a probability of one in thirty million.
    Hashes(KeyHasher, Vec<u64>),
}

impl Matching {
    /// Looks for the records: what a record is known by may stand behind what is to be sealed, so the document is read twice.
    pub(super) fn find(
        condition: Condition<'_>,
        policy: &Policy,
        form: &Form,
        input: &Path,
    ) -> Result<Self, OperationError> {
        let Condition { column, value } = condition;
        let mut policy = policy.clone();
        if form.kind == Kind::Csv {
            // What the file is shows in all the columns of its table, of which only one is asked for below.
            let tables = selectors::columns(&policy, form, input)?;
            policy.selections.retain(|selection| tables.iter().any(|table| table.table == selection.name));
        }
        for selection in &mut policy.selections {
            let is_key = |key: &Option<String>| key.as_deref() == Some(column);
            if is_key(&selection.key) || is_key(&selection.record_key) {
                return Ok(Self::Key(value.to_owned(), AtomicBool::new(false)));
            }
            let named = selection.fields.iter().find(|field| field.name == column).cloned();
            selection.fields = vec![named.unwrap_or_else(|| Field { name: column.to_owned(), ..Field::default() })];
        }
        let finding = Finding {
            value,
            hasher: KeyHasher::default(),
            hashes: Mutex::default(),
            more: AtomicBool::new(false),
            keyless: AtomicBool::new(false),
        };
        Rewrite::new(form, Fields::Of(&policy), &finding).look(input)?;
        let mut hashes = finding.hashes.into_inner().unwrap_or_else(PoisonError::into_inner);
        // The value may be what is to be sealed, so it is not repeated.
        if hashes.is_empty() {
            return Err(OperationError::NoMatch(format!("that value in {column:?}")));
        }
        if finding.keyless.into_inner() {
            return Err(OperationError::KeylessMatch(column.to_owned()));
        }
        if finding.more.into_inner() {
            return Err(OperationError::TooManyMatch { column: column.to_owned(), most: MOST });
        }
        hashes.sort_unstable();
        Ok(Self::Hashes(finding.hasher, hashes))
    }

    /// Whether a record is one of them.
    pub(super) fn has(&self, place: Place<'_>) -> bool {
        match self {
            Self::Key(key, met) => {
                let is_it = key == place.record;
                if is_it && !met.load(Ordering::Relaxed) {
                    met.store(true, Ordering::Relaxed);
                }
                is_it
            }
            Self::Hashes(hasher, known) => known.binary_search(&hasher.hash(place.table, place.record)).is_ok(),
        }
    }

    /// Whether they are so few that all their fields can be remembered too.
    pub(super) fn is_few(&self) -> bool {
        match self {
            Self::Key(..) => true,
            Self::Hashes(_, known) => known.len() <= FEW,
        }
    }

    /// The key that no record has.
    pub(super) fn missed(&self) -> Option<&str> {
        match self {
            Self::Key(key, met) if !met.load(Ordering::Relaxed) => Some(key),
            _ => None,
        }
    }
}

struct Finding<'a> {
    value: &'a str,
    hasher: KeyHasher,
    hashes: Mutex<Vec<u64>>,
    /// Whether there are more than are remembered.
    more: AtomicBool,
    /// Whether one of them has no key.
    keyless: AtomicBool,
}

impl Treatment for Finding<'_> {
    type Refusal = CellError;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let text = match content {
            Content::Text(text) | Content::Unusual(text) | Content::Spelled { text: Some(text), .. } => Some(*text),
            _ => None,
        };
        if text == Some(self.value) {
            let hash = self.hasher.hash(place.table, place.record);
            let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            if place.record.is_empty() {
                self.keyless.store(true, Ordering::Relaxed);
            }
            if hashes.len() < MOST {
                hashes.push(hash);
            } else {
                self.more.store(true, Ordering::Relaxed);
            }
        }
        Ok(Outcome::Keep)
    }
}
