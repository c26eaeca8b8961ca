//! Sealed values that do not open, and are left as they are so that the others can be.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cell::{CellError, Marker, MarkerError, Opener, Refusal};
use crate::counted;
use crate::document::header::HeaderError;
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::shown::shown;

/// How many are told one by one: a hostile document may hold any number.
const MOST: usize = 20;

/// A sealed value that was left as it is, since it was edited, cut off or moved, or its key is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where it stands in the document.
    pub at: At,
    /// Whose it is, and what is wrong with it.
    pub cell: CellError,
    /// Whether it was asked for.
    pub is_chosen: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellError { record, field, refusal, .. } = &self.cell;
        match refusal {
            Refusal::Marker(reason) => {
                let (field, record) = (shown(field), shown(record));
                write!(f, "{}: the field {field} of record {record} is a damaged sealed value: {reason}", self.at)
            }
            _ => write!(f, "{}: {}", self.at, self.cell),
        }
    }
}

/// What was left as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// How many sealed values.
    pub count: u64,
    /// How many of them were asked for.
    pub chosen: u64,
    /// The first of them, those that were asked for before the others.
    pub first: Vec<Damage>,
    /// What is wrong with the first of the damaged headers of data keys.
    pub headers: Vec<String>,
}

impl Left {
    /// Whether anything is left, or a header of a data key of which nobody knows what it was for.
    pub fn is_any(&self) -> bool {
        self.count > 0 || !self.headers.is_empty()
    }

    /// Takes note of damaged headers.
    pub(super) fn note_headers(&mut self, damaged: &[HeaderError]) {
        self.headers = damaged.iter().take(MOST).map(HeaderError::to_string).collect();
    }

    /// A sentence for each, and one for those that are too many.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        let more = self.count - self.first.len() as u64;
        let more =
            (more > 0).then(|| format!("{} more left as they are", counted(more, "sealed value", "sealed values")));
        let headers = self.headers.iter().map(|damage| format!("left as it is: {damage}"));
        self.first.iter().map(|damage| format!("left as it is, {damage}")).chain(more).chain(headers)
    }
}

/// Takes note of them, from several threads.
#[derive(Default)]
pub(super) struct Damages(Mutex<Noted>);

/// Whether it was not asked for, where it stands, its record, and how many were noted before.
type Rank = (bool, At, String, u64);

#[derive(Default)]
struct Noted {
    count: u64,
    chosen: u64,
    /// By what is told first, so that it does not depend on threads; those of one record as they came, since one thread reads it.
    first: BTreeMap<Rank, (Damage, Option<Marker>)>,
}

impl Damages {
    /// Takes note of what was a sealed value before it was cut off or edited.
    pub(super) fn note_broken(&self, at: At, place: Place<'_>, damage: MarkerError, is_chosen: bool) {
        // One whose record is not known may be what was asked for.
        self.note(at, Refusal::Marker(damage).at(place), is_chosen || damage == MarkerError::NoRecord, None);
    }

    /// Takes note of a sealed value that does not open.
    pub(super) fn note_refused(&self, at: At, content: &Content<'_>, refusal: CellError, is_chosen: bool) {
        let marker = if let Content::Sealed(marker) = content { Some(marker) } else { None };
        self.note(at, refusal, is_chosen, marker);
    }

    fn note(&self, at: At, cell: CellError, is_chosen: bool, marker: Option<&Marker>) {
        let mut noted = self.noted();
        noted.count += 1;
        noted.chosen += u64::from(is_chosen);
        let key = (!is_chosen, at.clone(), cell.record.clone(), noted.count);
        let is_late = noted.first.len() >= MOST && noted.first.last_key_value().is_some_and(|(last, _)| *last <= key);
        if is_late {
            return;
        }
        // Only a cell that may have been moved is looked for in other places.
        let is_moved = matches!(cell.refusal, Refusal::NotAuthentic | Refusal::NoSuchField);
        let marker = marker.filter(|_| is_moved).cloned();
        noted.first.insert(key, (Damage { at, cell, is_chosen }, marker));
        if noted.first.len() > MOST {
            noted.first.pop_last();
        }
    }

    /// What was noted. `look` reads the document once more if a cell may have been moved.
    pub(super) fn left(&self, opener: &Opener, look: impl FnOnce(&Tracing<'_>)) -> Left {
        let mut noted = self.noted();
        let suspects = noted.first.values().filter_map(|(damage, marker)| Some((damage.cell.clone(), marker.clone()?)));
        let tracing = Tracing { opener, suspects: suspects.map(|(cell, marker)| Suspect::new(cell, marker)).collect() };
        if !tracing.suspects.is_empty() {
            look(&tracing);
        }
        for (damage, _) in noted.first.values_mut() {
            tracing.explain(&mut damage.cell);
        }
        let first = noted.first.values().map(|(damage, _)| damage.clone()).collect();
        Left { count: noted.count, chosen: noted.chosen, first, headers: Vec::new() }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks for the places where cells were before somebody moved them: there they would open.
pub(super) struct Tracing<'a> {
    opener: &'a Opener,
    suspects: Vec<Suspect>,
}

struct Suspect {
    cell: CellError,
    marker: Marker,
    origin: Mutex<Option<Refusal>>,
}

impl Suspect {
    fn new(cell: CellError, marker: Marker) -> Self {
        Self { cell, marker, origin: Mutex::default() }
    }
}

impl Tracing<'_> {
    /// Says of a cell where it comes from, if that was found.
    fn explain(&self, cell: &mut CellError) {
        let found = self.suspects.iter().find(|suspect| suspect.cell == *cell);
        if let Some(origin) = found.and_then(|suspect| locked(&suspect.origin).clone()) {
            cell.refusal = origin;
        }
    }
}

impl Treatment for Tracing<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn needs_keys(&self) -> bool {
        false
    }

    fn field(&self, place: Place<'_>, _: &Content<'_>) -> Result<Outcome, CellError> {
        for suspect in &self.suspects {
            if locked(&suspect.origin).is_none() && self.opener.open(place, &suspect.marker).is_ok() {
                let Place { table, record, field } = place;
                let (table, record, field) = (table.to_owned(), record.to_owned(), field.to_owned());
                *locked(&suspect.origin) = Some(Refusal::Moved { table, record, field });
            }
        }
        Ok(Outcome::Keep)
    }

    fn leaves_damaged(&self, _: At, _: Place<'_>, _: MarkerError) -> bool {
        true
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
