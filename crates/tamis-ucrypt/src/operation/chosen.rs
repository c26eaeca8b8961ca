//! Which records are sealed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::OperationError;
use super::fields::listed;
use super::key_list::KeyList;
use crate::document::Place;
use crate::document::{Compared, KeyHasher, UniqueKeys};

/// The records that their owner chose. What was not chosen is not touched.
#[derive(Debug, Default)]
pub struct Chosen {
    all: bool,
    /// In order, each with whether it was met.
    records: Vec<(Box<str>, AtomicBool)>,
    list: Option<KeyList>,
    hasher: OnceLock<KeyHasher>,
    /// Hashes of the places that were sealed, to notice that a record is there twice: the places themselves would take as much
    /// memory as the document.
    sealed: Mutex<Option<UniqueKeys>>,
}

impl Chosen {
    /// No record.
    pub const fn nothing() -> Self {
        Self { all: false, records: Vec::new(), list: None, hasher: OnceLock::new(), sealed: Mutex::new(None) }
    }

    /// Every record.
    pub fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// The records with these keys.
    pub fn records<R: Into<String>>(records: impl IntoIterator<Item = R>) -> Self {
        let mut keys: Vec<Box<str>> = records.into_iter().map(|record| record.into().into_boxed_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        let records = keys.into_iter().map(|key| (key, AtomicBool::new(false))).collect();
        Self { records, ..Self::default() }
    }

    /// These, and the records whose keys are the lines of a file: half a million at most.
    pub fn and_lines_of(self, path: &Path) -> Result<Self, OperationError> {
        Ok(Self { list: Some(KeyList::read(path)?), ..self })
    }

    /// Whether nothing was chosen.
    pub fn is_nothing(&self) -> bool {
        !self.all && self.records.is_empty() && self.list.as_ref().is_none_or(KeyList::is_empty)
    }

    /// Whether every record was chosen.
    pub(super) fn is_all(&self) -> bool {
        self.all
    }

    /// Whether a record was chosen; it is remembered that it was met.
    pub(super) fn has(&self, record: &str) -> bool {
        let is_listed = self.list.as_ref().is_some_and(|list| list.has(record));
        match self.records.binary_search_by(|(key, _)| (**key).cmp(record)) {
            Ok(at) => {
                self.records[at].1.store(true, Ordering::Relaxed);
                true
            }
            Err(_) => self.all || is_listed,
        }
    }

    /// How many keys of a file are remembered.
    pub(super) fn listed(&self) -> usize {
        self.list.as_ref().map_or(0, KeyList::count)
    }

    /// How many records were chosen, if not all.
    pub(super) fn count(&self) -> Option<usize> {
        (!self.all).then(|| self.records.len() + self.listed())
    }

    /// Remembers that a field of a record is sealed. False if it was before: then two records have one key, and their cells could be
    /// exchanged unnoticed. A record without a key has nothing to be exchanged by.
    pub(super) fn is_first(&self, place: Place<'_>) -> bool {
        if place.record.is_empty() {
            return true;
        }
        let hash = self.hasher.get_or_init(KeyHasher::default).hash_place(place);
        let mut sealed = self.sealed.lock().unwrap_or_else(PoisonError::into_inner);
        sealed.get_or_insert_default().insert(hash)
    }

    /// How many places were compared with all others.
    pub(super) fn compared(&self) -> Compared {
        let sealed = self.sealed.lock().unwrap_or_else(PoisonError::into_inner);
        sealed.as_ref().map_or(Compared::All, UniqueKeys::compared)
    }

    /// The records that were not met, in words.
    pub(super) fn missed(&self) -> Option<String> {
        let missed = self.records.iter().filter(|(_, met)| !met.load(Ordering::Relaxed));
        let missed: Vec<&str> = missed.map(|(record, _)| &**record).collect();
        let named = (!missed.is_empty()).then(|| listed(&missed));
        let in_list = self.list.as_ref().and_then(KeyList::missed);
        let both: Vec<String> = named.into_iter().chain(in_list).collect();
        (!both.is_empty()).then(|| both.join(", and none "))
    }
}
