//! Which records are sealed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::document::Place;

/// The records that their owner chose. What was not chosen is not touched.
#[derive(Debug, Default)]
pub struct Chosen {
    all: bool,
    records: BTreeMap<String, AtomicBool>,
    /// Places that were sealed, to notice that a record is there twice.
    sealed: Mutex<BTreeSet<(String, String, String)>>,
}

impl Chosen {
    /// No record.
    pub const fn nothing() -> Self {
        Self { all: false, records: BTreeMap::new(), sealed: Mutex::new(BTreeSet::new()) }
    }

    /// Every record.
    pub fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// The records with these keys.
    pub fn records<R: Into<String>>(records: impl IntoIterator<Item = R>) -> Self {
        let records = records.into_iter().map(|record| (record.into(), AtomicBool::new(false))).collect();
        Self { records, ..Self::default() }
    }

    /// Whether nothing was chosen.
    pub fn is_nothing(&self) -> bool {
        !self.all && self.records.is_empty()
    }

    /// Whether a record was chosen; it is remembered that it was met.
    pub(super) fn has(&self, record: &str) -> bool {
        match self.records.get(record) {
            Some(met) => {
                met.store(true, Ordering::Relaxed);
                true
            }
            None => self.all,
        }
    }

    /// Remembers that a field of a record that was named is sealed. False if it was before: then two records have one key, and
    /// their cells could be exchanged unnoticed.
    pub(super) fn is_first(&self, place: Place<'_>) -> bool {
        if self.all {
            // Memory must not grow with the document.
            return true;
        }
        let place = (place.table.to_owned(), place.record.to_owned(), place.field.to_owned());
        self.sealed.lock().map_or(true, |mut sealed| sealed.insert(place))
    }

    /// The records that were not met.
    pub(super) fn missed(&self) -> Vec<&str> {
        let missed = self.records.iter().filter(|(_, met)| !met.load(Ordering::Relaxed));
        missed.map(|(record, _)| record.as_str()).collect()
    }
}
