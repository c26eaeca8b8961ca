//! What becomes of each cell of a document that is opened.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::damage::Damages;
use super::fields::{is_among, listed};
use super::{Open, Unmet};
use crate::cell::{CellError, Marker, MarkerError, Opener, Refusal, Value};
use crate::document::header::KeyHeaders;
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::policy::{Policy, Selection};

pub(super) struct Opening<'a> {
    scope: &'a Open<'a>,
    pub(super) opener: &'a Opener,
    headers: &'a KeyHeaders,
    /// For each header, if not everything is opened: whether a cell of its key was, and whether one stays.
    uses: Vec<Use>,
    others: AtomicU64,
    /// The policies of the others, where they say it.
    of: Mutex<BTreeSet<String>>,
    /// Whether there is any cell of the policy that was not asked for.
    own: AtomicBool,
    /// Whether there is any cell of the policy without its data key.
    keyless: AtomicBool,
    /// The records of which something is opened, where some were asked for.
    met: Mutex<BTreeSet<String>>,
    /// Those that are there at all.
    there: Mutex<BTreeSet<String>>,
    /// What does not open.
    pub(super) damages: Damages,
}

#[derive(Default)]
struct Use {
    is_opened: AtomicBool,
    stays: AtomicBool,
}

impl<'a> Opening<'a> {
    pub(super) fn new(scope: &'a Open<'a>, opener: &'a Opener, headers: &'a KeyHeaders) -> Self {
        let uses = if scope.is_of_all() { 0 } else { headers.as_slice().len() };
        let [own, keyless] = [false; 2].map(AtomicBool::new);
        let (others, of) = (AtomicU64::new(0), Mutex::default());
        let uses = (0..uses).map(|_| Use::default()).collect();
        let (met, there, damages) = (Mutex::default(), Mutex::default(), Damages::default());
        Self { scope, opener, headers, uses, others, of, own, keyless, met, there, damages }
    }

    /// Cells of other policies.
    pub(super) fn others(&self) -> u64 {
        self.others.load(Ordering::Relaxed)
    }

    /// The records that were asked for and of which nothing was opened.
    pub(super) fn unmet(&self) -> Vec<Unmet> {
        let met = locked(&self.met);
        self.scope.unmet(|record| met.contains(record), &locked(&self.there))
    }

    /// The data keys of which every cell was opened, where not everything was.
    pub(super) fn idle(&self) -> Vec<String> {
        let uses = self.headers.as_slice().iter().zip(&self.uses);
        let idle = uses.filter(|(_, one)| one.is_opened.load(Ordering::Relaxed) && !one.stays.load(Ordering::Relaxed));
        idle.map(|(header, _)| header.kid().to_string()).collect()
    }

    /// Why nothing was opened; some of what is there may be damaged.
    pub(super) fn why_nothing(&self, has_damaged: bool) -> String {
        let id = &self.scope.file.policy.id;
        let of = locked(&self.of);
        let of = of.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let there = locked(&self.there);
        match (self.own.load(Ordering::Relaxed), self.others.load(Ordering::Relaxed)) {
            (true, _) if there.is_empty() && !self.scope.records.is_empty() => {
                let records: Vec<&str> = self.scope.records.iter().map(String::as_str).collect();
                format!("no record {} with a field of policy {id} is in it", listed(&records))
            }
            (true, _) => format!("none of the cells of policy {id} is in the records and fields that were asked for"),
            _ if self.keyless.load(Ordering::Relaxed) => {
                format!("the data keys of its cells of policy {id} are not in it")
            }
            (false, 0) if has_damaged => format!("no cell of policy {id} is in it that could be read"),
            (false, 0) => format!("no cell of policy {id} is in it, nor any other"),
            (false, _) if of.is_empty() => format!("no cell of policy {id} is in it, only cells of other tools"),
            (false, _) => format!("no cell of policy {id} is in it; its cells are of policy {of}"),
        }
    }

    /// Remembers a cell of another policy.
    fn note(&self, marker: &Marker) {
        const MOST: usize = 5;
        self.others.fetch_add(1, Ordering::Relaxed);
        let pol = &marker.attributes.pol;
        let mut of = locked(&self.of);
        if !pol.is_empty() && of.len() < MOST && !of.contains(pol) {
            of.insert(pol.clone());
        }
    }

    /// Remembers that a cell of the policy was opened, or stays.
    fn note_use(&self, marker: &Marker, which: impl Fn(&Use) -> &AtomicBool) {
        if self.uses.is_empty() {
            return;
        }
        let position = self.headers.position(&marker.attributes.pol, &marker.attributes.kid);
        if let Some(flag) = position.and_then(|position| self.uses.get(position)).map(which)
            && !flag.load(Ordering::Relaxed)
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn has_header(&self, marker: &Marker) -> bool {
        let attributes = &marker.attributes;
        // Numbers are compared as they are written: a cell that says 01 was edited.
        let is_plain = !attributes.ep.starts_with('+') && (attributes.ep == "0" || !attributes.ep.starts_with('0'));
        let header = self.headers.find(&attributes.pol, &attributes.kid);
        attributes.v.is_some() && is_plain && header.is_some_and(|header| attributes.ep.parse() == Ok(header.ep()))
    }
}

impl Treatment for Opening<'_> {
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
        let is_own = marker.attributes.pol == self.scope.file.policy.id;
        if !is_own || (self.scope.leave_foreign && !self.has_header(marker)) {
            // A cell of another policy has its key in the document. One that has not was edited, or nobody can open it.
            let is_foreign = marker.attributes.v.is_none();
            if !self.scope.leave_foreign && !self.has_header(marker) && (self.scope.asks_for(place) || !is_foreign) {
                let refusal = if is_foreign { Refusal::Foreign } else { Refusal::Orphan };
                return Err(refusal.at(place));
            }
            self.keyless.fetch_or(is_own, Ordering::Relaxed);
            self.note(marker);
            self.note_use(marker, |one| &one.stays);
            return stays(&self.scope.file.policy, self.opener, place, marker);
        }
        if !self.scope.asks_for(place) {
            self.own.store(true, Ordering::Relaxed);
            self.note_use(marker, |one| &one.stays);
            if !self.has_header(marker) {
                return Err(Refusal::Orphan.at(place));
            }
            return stays(&self.scope.file.policy, self.opener, place, marker);
        }
        let opened = self.opener.open(place, marker);
        let opened = opened.map_err(|error| unnamed(&self.scope.file.policy, place, error))?;
        self.scope.note_record(&self.met, place);
        self.note_use(marker, |one| &one.is_opened);
        Ok(written(opened))
    }

    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        self.scope.note_record(&self.there, place);
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves a sealed value as it is, or refuses it as damaged: as far as that shows without its key, where that is not here.
pub(super) fn stays(policy: &Policy, opener: &Opener, place: Place<'_>, marker: &Marker) -> Result<Outcome, CellError> {
    if marker.attributes.v.is_none() {
        return Ok(Outcome::Keep);
    }
    match opener.open(place, marker) {
        Ok(value) => value.erase(),
        Err(CellError { refusal: Refusal::NoKey { .. }, .. }) => {
            marker.refuse_disguise().map_err(|refusal| refusal.at(place))?;
        }
        Err(error) => return Err(unnamed(policy, place, error)),
    }
    Ok(Outcome::Keep)
}

/// Says that the policy does not name the field of a cell that does not authenticate: it may have had another name.
pub(super) fn unnamed(policy: &Policy, place: Place<'_>, error: CellError) -> CellError {
    if error.refusal == Refusal::NotAuthentic && !is_named(policy, place) {
        return Refusal::NoSuchField.at(place);
    }
    error
}

/// Whether the policy names the field of a place.
pub(super) fn is_named(policy: &Policy, place: Place<'_>) -> bool {
    let mut tables = policy.selections.iter().filter(|table| table.name == place.table);
    let names =
        |table: &Selection| table.fields.iter().any(|field| is_among(std::slice::from_ref(&field.name), place.field));
    tables.any(names)
}

pub(super) fn written(value: Value<'static>) -> Outcome {
    match value {
        Value::Text(text) => Outcome::Text(text.into_owned()),
        Value::Fragment(xml) => Outcome::Fragment(xml.into_owned()),
        Value::Null => Outcome::Null,
        Value::Unusual(text) => Outcome::Unusual(text.into_owned()),
        Value::Spelled { text, spelling } => {
            Outcome::Spelled { text: text.map(Cow::into_owned), spelling: spelling.into_owned() }
        }
    }
}
