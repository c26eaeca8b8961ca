//! One record: its selected and its sealed values go to the treatment, everything else is copied.

use std::borrow::Cow;

use super::form::unusual_spelling;
use super::{Form, Found, Marks, Plan, RewriteError, RowsError, Spot, Stood, Unread, Value};
use crate::cell::MarkerError;
use crate::document::{At, Content, Outcome, Place, Treatment, room};
use crate::document::{KeyHasher, LONGEST_RECORD, SeenKey};

/// Where a value stands among the bytes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start as usize..self.end as usize]
    }
}

/// A record as it stands in a document.
#[derive(Clone, Copy)]
pub(crate) struct RawRow<'a> {
    /// Bytes of the document, among them the record.
    pub(crate) bytes: &'a [u8],
    /// The record.
    pub(crate) span: Span,
    /// Its values, one for each column of the plan.
    pub(crate) values: &'a [Span],
    /// Its number, from one, in case nobody knows its key.
    pub(crate) number: u64,
    /// Where it is, for messages.
    pub(crate) spot: &'a dyn Fn() -> Spot,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Treated {
    pub(crate) kept: bool,
    /// Values that were sealed when it was read.
    pub(crate) sealed: u64,
    /// Sealed values that are damaged.
    pub(crate) damaged: u64,
    /// Values that were changed.
    pub(crate) changed: u64,
    /// Whether one of them became a text with characters beyond ASCII.
    pub(crate) wrote_beyond_ascii: bool,
}

/// The key that two records have, for a message.
pub(crate) fn shown_key(seen: &SeenKey, bytes: &[u8], form: &impl Form) -> String {
    match form.read(seen.key.of(bytes)) {
        Ok(Value::Text(text, _)) => text.into_owned(),
        Ok(Value::Null) | Err(_) => String::new(),
    }
}

/// Why a record cannot be treated: what is wrong in which column.
#[derive(Debug)]
pub(crate) enum Problem<R> {
    Unread(usize, Unread),
    Unwritten(usize, Unread),
    RecordTooLong,
    NoKey(usize),
    /// With the key of the record.
    Broken(usize, String, MarkerError),
    Refused(R),
}

impl<R> Problem<R> {
    /// The problem with its place.
    pub(crate) fn at(self, spot: Spot, plan: &Plan) -> RewriteError<R> {
        let name = |column: usize| plan.columns[column].clone();
        let error = match self {
            Self::Unread(column, Unread::Charset(charset)) => {
                RowsError::NotText { spot, column: name(column), charset }
            }
            Self::Unwritten(column, Unread::Charset(charset)) => {
                RowsError::NotInCharset { spot, column: name(column), charset }
            }
            Self::Unread(column, Unread::Binary) | Self::Unwritten(column, Unread::Binary) => {
                RowsError::Binary { spot, column: name(column) }
            }
            Self::Unread(column, Unread::Expression) | Self::Unwritten(column, Unread::Expression) => {
                RowsError::Expression { spot, column: name(column), table: plan.name.clone() }
            }
            Self::RecordTooLong => RowsError::RecordTooLong(spot),
            Self::NoKey(column) => RowsError::NoKey { spot, column: name(column) },
            Self::Broken(column, record, reason) => {
                RowsError::Broken { spot, record, field: plan.fields[column].clone(), reason }
            }
            Self::Refused(refusal) => return RewriteError::Refused(spot, refusal),
        };
        error.into()
    }
}

/// A value that is not sealed, spelled in an unusual way or not.
fn content<'v, F: Form>(value: &'v Value<'_>, spelling: Option<&'v str>, form: &F) -> Content<'v> {
    match (value, spelling) {
        (Value::Null, None) => Content::Null,
        (Value::Null, Some(spelling)) => Content::Spelled { text: None, spelling },
        (Value::Text(text, _), Some(spelling)) => Content::Spelled { text: Some(text), spelling },
        (Value::Text(text, stood), None) if form.is_usual(text, *stood) => Content::Text(text),
        (Value::Text(text, _), None) => Content::Unusual(text),
    }
}

fn check_length<R>(length: usize) -> Result<(), Problem<R>> {
    if length > LONGEST_RECORD { Err(Problem::RecordTooLong) } else { Ok(()) }
}

/// Treats records, one after the other. Every thread has its own.
pub(crate) struct Treater<'t, T> {
    treatment: &'t T,
    marks: Marks,
    hasher: KeyHasher,
    compares: bool,
}

/// The group of the value before, and the key of its record if there is one.
type KnownKey<'a> = Option<(usize, Option<Cow<'a, str>>)>;

impl<'t, T: Treatment> Treater<'t, T> {
    pub(crate) fn new(treatment: &'t T, marks: Marks, hasher: KeyHasher, compares: bool) -> Self {
        Self { treatment, marks, hasher, compares }
    }

    /// Tells a sealed value, which may stand as a blob, from a text.
    fn read<F: Form>(&mut self, raw: &[u8], text: &str, stood: Stood, form: &F) -> Found {
        match form.blob_text(text, stood) {
            Some(blob) => self.marks.read(&blob),
            None if form.begins_blob(raw) && self.marks.hide_in(raw) => Found::Broken(MarkerError::Hidden),
            None => self.marks.read(text),
        }
    }

    /// Refuses a damaged value, unless it is left as it is.
    fn damaged(
        &self,
        row: RawRow<'_>,
        place: Place<'_>,
        column: usize,
        damage: MarkerError,
    ) -> Result<(), Problem<T::Refusal>> {
        if self.treatment.leaves_damaged(At::Row((row.spot)()), place, damage) {
            return Ok(());
        }
        Err(Problem::Broken(column, place.record.to_owned(), damage))
    }

    /// What a value becomes; one that is refused may stay as it is.
    fn asked(&self, row: RawRow<'_>, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, Problem<T::Refusal>> {
        let left = |refusal| self.treatment.leaves_refused(At::Row((row.spot)()), place, content, refusal);
        let asked = self.treatment.field(place, content);
        asked.or_else(|refusal| left(refusal).map(|()| Outcome::Keep)).map_err(Problem::Refused)
    }

    /// Appends what becomes of a record, and its keys if somebody wants to compare them.
    pub(crate) fn treat<F: Form>(
        &mut self,
        row: RawRow<'_>,
        plan: &Plan,
        form: &F,
        out: &mut Vec<u8>,
        seen: &mut Vec<SeenKey>,
    ) -> Result<Treated, Problem<T::Refusal>> {
        let before = out.len();
        let mut done = Treated::default();
        let mut copied = row.span.start;
        let mut key = None;
        for (column, span) in row.values.iter().enumerate() {
            let raw = span.of(row.bytes);
            let target = plan.targets[column].as_ref();
            if target.is_none()
                && memchr::memchr2(b'<', b'&', raw).is_none()
                && !form.begins_blob(raw)
                && !(form.may_compute(raw) && self.marks.hide_in(raw))
            {
                continue;
            }
            let group = target.map_or(0, |target| target.key);
            let table = plan.keys.get(group).map_or(plan.name.as_str(), |key| &key.table);
            let field = plan.fields[column].as_str();
            let value = match form.read(raw) {
                Ok(value) => value,
                Err(unread) if self.marks.hide_in(raw) || (unread != Unread::Expression && self.marks.begin(raw)) => {
                    let record = Self::found_key(&mut key, row, plan, form, group).unwrap_or_default();
                    self.damaged(row, Place { table, record, field }, column, MarkerError::Hidden)?;
                    done.damaged += 1;
                    continue;
                }
                // What nobody selected and nobody can read is not ours.
                Err(_) if target.is_none() => continue,
                Err(unread) => {
                    let record = match Self::known_key(&mut key, row, plan, form, group) {
                        Ok(record) => record,
                        Err(problem) => {
                            self.keyless(problem, row, Place { table, record: "", field }, None)?;
                            continue;
                        }
                    };
                    if self.treatment.needs(Place { table, record, field }) {
                        return Err(Problem::Unread(column, unread));
                    }
                    continue;
                }
            };
            let found = match &value {
                Value::Null => Found::Text,
                Value::Text(text, stood) => self.read(raw, text, *stood, form),
            };
            let spelling;
            let (content, found) = match found {
                Found::Sealed(marker, element) => {
                    if !plan.drops {
                        self.treatment.stays(&marker);
                    }
                    // A long value is in memory often enough without the text that it was read from.
                    drop(value);
                    (Content::Sealed(marker), Some(element))
                }
                Found::Broken(damage) => {
                    let record = Self::found_key(&mut key, row, plan, form, group).unwrap_or_default();
                    self.damaged(row, Place { table, record, field }, column, damage)?;
                    done.damaged += 1;
                    continue;
                }
                Found::Text if target.is_none() => continue,
                Found::Text => {
                    spelling = unusual_spelling(raw, &value, form);
                    (content(&value, spelling.as_deref(), form), None)
                }
            };
            done.sealed += u64::from(found.is_some());
            let record = match Self::known_key(&mut key, row, plan, form, group) {
                Ok(record) => record,
                Err(problem) => {
                    let sealed = found.map(|_| &mut done);
                    self.keyless(problem, row, Place { table, record: "", field }, sealed)?;
                    continue;
                }
            };
            let outcome = self.asked(row, Place { table, record, field }, &content)?;
            drop(content);
            if outcome == Outcome::Keep {
                continue;
            }
            done.changed += 1;
            done.wrote_beyond_ascii |= !outcome.is_ascii();
            out.extend_from_slice(&row.bytes[copied as usize..span.start as usize]);
            copied = span.end;
            // Without a target the value was found sealed, so the empty name is never written.
            let element = target.map_or("", |target| &target.element);
            let rest = (row.span.end - span.end) as usize;
            let written = self.write(outcome, found, element, rest, form, out);
            written.map_err(|unread| Problem::Unwritten(column, unread))?;
            check_length(out.len() - before)?;
        }
        out.extend_from_slice(&row.bytes[copied as usize..row.span.end as usize]);
        check_length(out.len() - before)?;
        self.compare(row, plan, form, seen)?;
        done.kept = !plan.drops || self.treatment.keeps(done.sealed + done.damaged > 0);
        if !done.kept {
            out.truncate(before);
        }
        Ok(done)
    }

    /// Passes over a value whose record has no key, if that may be: a plain one that nothing is done with, or a sealed one, which is damaged.
    fn keyless(
        &self,
        problem: Problem<T::Refusal>,
        row: RawRow<'_>,
        place: Place<'_>,
        sealed: Option<&mut Treated>,
    ) -> Result<(), Problem<T::Refusal>> {
        match sealed {
            Some(done) if self.treatment.leaves_damaged(At::Row((row.spot)()), place, MarkerError::NoRecord) => {
                done.sealed -= 1;
                done.damaged += 1;
                Ok(())
            }
            None if !self.treatment.needs_keys() => Ok(()),
            _ => Err(problem),
        }
    }

    /// Takes note of the keys of a record, if somebody wants to compare them.
    fn compare<F: Form>(
        &self,
        row: RawRow<'_>,
        plan: &Plan,
        form: &F,
        seen: &mut Vec<SeenKey>,
    ) -> Result<(), Problem<T::Refusal>> {
        for group in 0..if self.compares { plan.keys.len() } else { 0 } {
            let record = Self::key(row, plan, form, group)?;
            let hash = self.hasher.hash(&plan.keys[group].table, &record);
            seen.push(SeenKey { hash, at: row.span.start, key: row.values[plan.keys[group].position], group });
        }
        Ok(())
    }

    /// Appends what a value becomes; so many bytes of its record follow. A sealed one that was found keeps its element.
    fn write<F: Form>(
        &mut self,
        outcome: Outcome,
        found: Option<usize>,
        element: &str,
        rest: usize,
        form: &F,
        out: &mut Vec<u8>,
    ) -> Result<(), Unread> {
        if !matches!(outcome, Outcome::Sealed(_)) {
            out.reserve_exact(room::to_write(outcome.len(), rest));
        }
        match outcome {
            Outcome::Keep => Ok(()),
            Outcome::Null => {
                form.write_null(out);
                Ok(())
            }
            Outcome::Text(text) | Outcome::Fragment(text) => form.write(&text, F::USUAL, out),
            Outcome::Unusual(text) => form.write(&text, F::USUAL.other(), out),
            Outcome::Spelled { text, spelling } => {
                if form.write_spelled(text.as_deref(), &spelling, out) {
                    return Ok(());
                }
                self.write(text.map_or(Outcome::Null, Outcome::Text), None, element, rest, form, out)
            }
            Outcome::Sealed(marker) => {
                let text = self.marks.write(marker, found, element);
                // Not before the marker is gone.
                out.reserve_exact(room::to_write(text.len(), rest));
                let written = form.write(text, Stood::Quoted, out);
                self.marks.forget();
                written
            }
        }
    }

    /// The key, which is read once for all values of a group.
    fn known_key<'k, 'a, F: Form>(
        known: &'k mut KnownKey<'a>,
        row: RawRow<'a>,
        plan: &Plan,
        form: &F,
        group: usize,
    ) -> Result<&'k str, Problem<T::Refusal>> {
        match Self::found_key(known, row, plan, form, group) {
            Some(key) => Ok(key),
            // What is wrong with it is the same as before.
            None => Self::key(row, plan, form, group).map(|_| ""),
        }
    }

    /// The same for values that nobody needs a key for.
    fn found_key<'k, 'a, F: Form>(
        known: &'k mut KnownKey<'a>,
        row: RawRow<'a>,
        plan: &Plan,
        form: &F,
        group: usize,
    ) -> Option<&'k str> {
        if known.as_ref().is_none_or(|(known, _)| *known != group) {
            *known = Some((group, Self::key(row, plan, form, group).ok()));
        }
        known.as_ref().and_then(|(_, key)| key.as_deref())
    }

    fn key<'a, F: Form>(
        row: RawRow<'a>,
        plan: &Plan,
        form: &F,
        group: usize,
    ) -> Result<Cow<'a, str>, Problem<T::Refusal>> {
        let Some(key) = plan.keys.get(group) else { return Ok(Cow::Owned(row.number.to_string())) };
        match form.read(row.values[key.position].of(row.bytes)) {
            Ok(Value::Text(text, _)) if !text.is_empty() => Ok(text),
            Ok(_) => Err(Problem::NoKey(key.position)),
            Err(unread) => Err(Problem::Unread(key.position, unread)),
        }
    }
}
