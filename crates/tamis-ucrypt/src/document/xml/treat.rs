//! Treating a batch: asking what each field becomes, and writing that.

use std::borrow::Cow;
use std::ops::Range;

use crate::cell::{MarkerError, MarkerReader};
use crate::document::{At, Content, Outcome, Place, Readable, ReadablePlace, Treatment, room};
use crate::document::{Compared, KeyHasher, SeenKey};

use super::commented::notes;
use super::cut::{Batch, Piece};
use super::error::{Fault, Position, Positions, Problem, RewriteError, XmlError};
use super::find::{Called, Find, Record, Span};
use super::key::{key, key_span};
use super::limits::LONGEST_RECORD;
use super::plan::{FieldId, Selectors};
use super::text::{Site, characters, check_references, escape, is_space};
use super::value::{Form, MarkerWriter, Value, push_fragment};
use super::walk::{Surroundings, Walker};
use crate::document::charset::Charset;
use crate::shown::{plain, shown};

/// What was found and done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records that were read, those inside records included.
    pub records: u64,
    /// Records that were removed.
    pub removed: u64,
    /// Sealed values that were read.
    pub sealed: u64,
    /// Sealed values that were cut off or edited, and left so.
    pub damaged: u64,
    /// Fields that were changed.
    pub changed: u64,
    /// Whether the key of every record in which a field is sealed was compared with every other.
    pub compared: Compared,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.records += other.records;
        self.removed += other.removed;
        self.sealed += other.sealed;
        self.damaged += other.damaged;
        self.changed += other.changed;
    }
}

/// Why a field stops the work.
enum Stop<R> {
    Fault(Fault),
    Refused { at: usize, refusal: R },
}

impl<R> Stop<R> {
    fn shifted(self, offset: usize) -> Self {
        match self {
            Self::Fault(fault) => Self::Fault(fault.shifted(offset)),
            Self::Refused { at, refusal } => Self::Refused { at: at + offset, refusal },
        }
    }
}

impl<R> From<Fault> for Stop<R> {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A piece that was walked through.
struct Walked<'t> {
    text: &'t str,
    records: &'t [Record],
    /// In order.
    finds: &'t [Find],
    /// What surrounds the record, which the piece then is.
    surroundings: Option<&'t Surroundings>,
    /// How many bytes of white space are before the record.
    space: usize,
    /// Where a byte of the piece stands in the document.
    position: &'t dyn Fn(usize) -> Position,
}

/// Treats batches, one after the other.
pub(super) struct Treater<'a, T> {
    plan: &'a Selectors,
    treatment: &'a T,
    charset: &'a Charset,
    walker: Walker<'a>,
    /// Walks over what fields become.
    checker: Walker<'a>,
    reader: MarkerReader,
    writer: MarkerWriter,
    /// How often each field was met in each record.
    met: Vec<u32>,
    tally: Tally,
    hasher: KeyHasher,
    /// The keys of the records in which a field is sealed.
    seen: Vec<SeenKey>,
}

impl<'a, T: Treatment> Treater<'a, T> {
    pub(super) fn new(plan: &'a Selectors, treatment: &'a T, charset: &'a Charset, hasher: KeyHasher) -> Self {
        Self {
            plan,
            treatment,
            charset,
            hasher,
            seen: Vec::new(),
            walker: Walker::new(plan).looking_for_namesakes(treatment.looks_for_readable()),
            checker: Walker::new(plan),
            reader: MarkerReader::new(plan.element()),
            writer: MarkerWriter::new(plan.element()),
            met: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Appends what the batch becomes to `out`. Also gives the keys of the records in which a field is sealed.
    pub(super) fn treat(
        &mut self,
        batch: &Batch,
        out: &mut String,
    ) -> Result<(Tally, Vec<SeenKey>), RewriteError<T::Refusal>> {
        self.tally = Tally::default();
        let positions = Positions::new(&batch.text, batch.position);
        for piece in &batch.pieces {
            let seen = self.seen.len();
            self.piece(batch, piece, &positions, out).map_err(|stop| {
                let place = |at: usize| batch.position.after(&batch.text[..at.min(batch.text.len())]);
                match stop {
                    Stop::Fault(Fault { at, problem }) => XmlError::Malformed { at: place(at), problem }.into(),
                    Stop::Refused { at, refusal } => RewriteError::Refused { at: place(at), refusal },
                }
            })?;
            let (Piece::Between { range, .. } | Piece::Record { range, .. }) = piece;
            for key in &mut self.seen[seen..] {
                key.shift(range.start as u32);
            }
        }
        Ok((self.tally, std::mem::take(&mut self.seen)))
    }

    fn piece(
        &mut self,
        batch: &Batch,
        piece: &Piece,
        positions: &Positions<'_>,
        out: &mut String,
    ) -> Result<(), Stop<T::Refusal>> {
        let (Piece::Between { range, .. } | Piece::Record { range, .. }) = piece;
        let text = characters(&batch.text[range.clone()]).map_err(|fault| fault.shifted(range.start))?;
        let position = &|at: usize| positions.of(range.start + at);
        let result = match piece {
            Piece::Between { finds, .. } => {
                self.rewrite(&Walked { text, records: &[], finds, surroundings: None, space: 0, position }, out)
            }
            Piece::Record { surroundings, tokens, .. } => {
                let walked = match &batch.tokens[tokens.clone()] {
                    [] => self.walker.element(text, surroundings),
                    tokens => self.walker.tokens(text, tokens, surroundings),
                };
                walked.map_err(|fault| self.walker.blamed(text, fault).shifted(range.start))?;
                // They are put back below, so that their memory is used again.
                let mut finds = std::mem::take(&mut self.walker.finds);
                let records = std::mem::take(&mut self.walker.records);
                finds.sort_by_key(|find| find.span.start());
                let space = space_before(&batch.text, range.start);
                let surroundings = Some(surroundings.as_ref());
                let walked = Walked { text, records: &records, finds: &finds, surroundings, space, position };
                let result = self.rewrite(&walked, out);
                (self.walker.finds, self.walker.records) = (finds, records);
                result
            }
        };
        result.map_err(|stop| stop.shifted(range.start))
    }

    fn rewrite(&mut self, walked: &Walked<'_>, out: &mut String) -> Result<(), Stop<T::Refusal>> {
        let Walked { text, records, finds, .. } = *walked;
        let values = self.values(walked);
        self.tally.records += records.len() as u64;
        let mut removed = self.removed(walked, &values).into_iter().peekable();
        self.met.clear();
        self.met.resize(records.len() * self.plan.most_fields(), 0);

        let start = out.len();
        let mut keys: Vec<Option<Result<Cow<'_, str>, Fault>>> = vec![None; records.len()];
        let mut has_sealed = vec![false; records.len()];
        let mut copied = 0;
        let mut written = None;
        let mut must_check = false;
        for (find, value) in finds.iter().zip(values) {
            let at = find.span.start();
            while let Some(range) = removed.next_if(|range| range.start <= at) {
                copied = remove(walked, &range, copied, out);
            }
            let occurrence = self.occurrence(find);
            if let Called::Namesake(fields) = &find.called {
                let number = find.record;
                let key =
                    number.map(|number| keys[number].get_or_insert_with(|| key(text, self.plan, &records[number])));
                let key = key.and_then(|key| key.as_deref().ok()).unwrap_or_default();
                self.tell_namesake(fields, key, &|| (walked.position)(at));
            }
            let Some(value) = value else { continue };
            // An empty value that two selectors name ends where it begins.
            if (at < copied || written == Some(at)) && !matches!(value, Value::Damaged(_)) {
                continue;
            }
            let record = find
                .record
                .map(|number| keys[number].get_or_insert_with(|| key(text, self.plan, &records[number])).as_deref());
            let field = self.name(&find.called, occurrence);
            let table = find.record.map_or("", |number| self.plan.selector(records[number].selector).table.as_str());
            // A record that goes may hold a damaged value, too, and one without a key as well.
            if let Value::Damaged(problem) = value {
                let record = record.and_then(Result::ok).unwrap_or_default();
                let place = Place { table, record, field: &field };
                if !self.treatment.leaves_damaged(At::Character((walked.position)(at)), place, problem) {
                    let (record, field) = (plain(record), plain(&field));
                    return Err(Fault::new(at, Problem::Damaged { record, field, problem }).into());
                }
                continue;
            }
            let is_sealed = value.is_sealed();
            let record = match record.unwrap_or(Ok("")) {
                Ok(record) => record,
                Err(fault) => {
                    self.keyless(fault, is_sealed, (walked.position)(at), Place { table, record: "", field: &field })?;
                    continue;
                }
            };
            let place = Place { table, record, field: &field };
            self.tell_note(text, find, place, is_sealed, &|| (walked.position)(at));
            let (outcome, form) = value.with_content(|content| {
                if let (None, Content::Sealed(marker)) = (find.record, content) {
                    self.treatment.stays(marker);
                }
                self.treatment.field(place, content).or_else(|refusal| {
                    let at = At::Character((walked.position)(at));
                    self.treatment.leaves_refused(at, place, content, refusal).map(|()| Outcome::Keep)
                })
            });
            let outcome = outcome.map_err(|refusal| Stop::Refused { at, refusal })?;
            // What was sealed by an earlier run can be exchanged as well.
            if let Some(number) = find.record
                && (is_sealed || matches!(outcome, Outcome::Sealed(_)))
                && !std::mem::replace(&mut has_sealed[number], true)
            {
                self.note_key(&records[number], place);
            }
            if outcome == Outcome::Keep {
                continue;
            }
            self.tally.changed += 1;
            written = Some(at);
            must_check |= matches!(&outcome, Outcome::Fragment(raw) if raw.contains('<'));
            if !self.write(text, &find.span, &outcome, form, &mut copied, out) {
                let (record, field) = (plain(record), plain(&field));
                return Err(Fault::new(at, Problem::Unfit { record, field }).into());
            }
        }
        for range in removed {
            copied = remove(walked, &range, copied, out);
        }
        out.push_str(&text[copied..]);
        if out.len().saturating_sub(start) > LONGEST_RECORD && walked.surroundings.is_some() {
            return Err(Fault::new(0, Problem::LongResult).into());
        }
        match walked.surroundings {
            // A fragment that is well formed may still use prefixes that nothing declares here, or go too deep.
            Some(surroundings) if must_check && out.len() > start => {
                self.checker.element(&out[start..], surroundings).map_err(|fault| Fault::new(0, fault.problem).into())
            }
            _ => Ok(()),
        }
    }

    /// Which of the fields of one name in its record this is, counted from one.
    fn occurrence(&mut self, find: &Find) -> u32 {
        let fields = self.plan.most_fields();
        match (&find.called, find.record) {
            (Called::Selected(field), Some(record)) => {
                let met = &mut self.met[record * fields + field.field];
                *met += 1;
                *met
            }
            // Attributes stand before what else their element holds.
            (Called::Attribute(field, _), Some(record)) => self.met[record * fields + field.field] + 1,
            _ => 1,
        }
    }

    /// Takes note of the key of a record in which a field is sealed, if it must differ from that of every other.
    fn note_key(&mut self, record: &Record, place: Place<'_>) {
        if !place.record.is_empty() && self.treatment.needs_unique_keys() {
            // A batch with a longer text would be beyond the limits.
            let (at, key) = (record.range.start as u32, key_span(record));
            let hash = self.hasher.hash(place.table, place.record);
            self.seen.push(SeenKey { hash, at, key, group: record.selector });
        }
    }

    /// Passes over a value whose record has no key, if that may be: a plain one that nothing is done with, or a sealed one, which is damaged.
    fn keyless(&mut self, fault: &Fault, is_sealed: bool, at: Position, place: Place<'_>) -> Result<(), Fault> {
        if is_sealed && self.treatment.leaves_damaged(At::Character(at), place, MarkerError::NoRecord) {
            self.tally.sealed -= 1;
            self.tally.damaged += 1;
            return Ok(());
        }
        if is_sealed || self.treatment.needs_keys() { Err(fault.clone()) } else { Ok(()) }
    }

    /// Tells of a comment or an instruction beside the sealed value of a field that is to be sealed.
    fn tell_note(&self, text: &str, find: &Find, place: Place<'_>, is_sealed: bool, position: &dyn Fn() -> Position) {
        if is_sealed
            && self.treatment.looks_for_readable()
            && let Span::Content { inner, .. } = &find.span
            && let Some(note) = notes(&text[inner.clone()]).next()
            && self.treatment.needs(place)
        {
            let at = position();
            let (kind, field, record) = (note.kind, shown(place.field), shown(place.record));
            let place = format!("{at}: {kind} beside the sealed value of the field {field} of record {record}");
            let order = (at.line, at.column);
            self.treatment.stays_readable(ReadablePlace { order, kind: Readable::Comments, place });
        }
    }

    /// Tells of an element or attribute that a person would take for one of these fields, if that is to be sealed.
    fn tell_namesake(&self, fields: &[FieldId], record: &str, position: &dyn Fn() -> Position) {
        let plan: &'a Selectors = self.plan;
        let place = |field: &FieldId| {
            let selector = plan.selector(field.selector);
            Place { table: &selector.table, record, field: &selector.fields[field.field].name }
        };
        let Some(place) = fields.iter().map(place).find(|place| self.treatment.needs(*place)) else { return };
        let whose = match record {
            "" => format!("a record with the field {}", shown(place.field)),
            record => format!("the field {} of record {}", shown(place.field), shown(record)),
        };
        let at = position();
        let place = format!("{at}: what is called like {whose}, but for its case or namespace");
        let order = (at.line, at.column);
        self.treatment.stays_readable(ReadablePlace { order, kind: Readable::Namesakes, place });
    }

    /// Reads what was found, and counts what is sealed. Nothing stands for what is neither selected nor sealed, or inside another sealed value.
    fn values<'t>(&mut self, walked: &Walked<'t>) -> Vec<Option<Value<'t>>> {
        let mut values: Vec<Option<Value<'t>>> = Vec::with_capacity(walked.finds.len());
        // Where the last sealed value is: what is inside belongs to it.
        let mut last: Option<Range<usize>> = None;
        // The element around the last damaged one.
        let mut around = None;
        for find in walked.finds {
            let at = find.span.start();
            if matches!(find.called, Called::Namesake(_)) {
                values.push(None);
                continue;
            }
            if last.as_ref().is_some_and(|last| last.start < at && at < last.end) {
                values.push(None);
                continue;
            }
            let value = Value::read(walked.text, &find.span, self.charset, &mut self.reader);
            if value.is_sealed() {
                let is_damaged = matches!(value, Value::Damaged(_));
                // An element that two selectors name is one value, and one with two cells in it is damaged once.
                let parent = match find.span {
                    Span::Element { parent, .. } if is_damaged => parent,
                    _ => None,
                };
                let is_told = parent.is_some() && around == parent;
                around = parent;
                if !is_told && last.as_ref().is_none_or(|last| last.start != at) {
                    self.tally.sealed += u64::from(!is_damaged);
                    self.tally.damaged += u64::from(is_damaged);
                }
                last = Some(at..find.span.end());
            }
            let is_selected = match find.called {
                Called::Selected(_) => true,
                Called::Attribute(..) => self.treatment.looks_for_readable(),
                Called::Namesake(_) | Called::Unselected(_) => false,
            };
            let counts = is_selected || value.is_sealed();
            values.push(Some(value).filter(|_| counts));
        }
        values
    }

    /// The records that do not stay, in order and none inside another.
    fn removed(&mut self, walked: &Walked<'_>, values: &[Option<Value<'_>>]) -> Vec<Range<usize>> {
        let finds = walked.finds.iter().zip(values);
        let sealed = finds.filter(|(_, value)| value.as_ref().is_some_and(Value::is_sealed));
        let sealed: Vec<usize> = sealed.map(|(find, _)| find.span.start()).collect();
        let mut removed: Vec<Range<usize>> = Vec::new();
        for record in walked.records {
            let range = &record.range;
            let first = sealed.partition_point(|at| *at < range.start);
            let holds_sealed = sealed.get(first).is_some_and(|at| *at < range.end);
            let is_gone = removed.last().is_some_and(|last| range.start < last.end);
            if is_gone || !self.treatment.keeps(holds_sealed) {
                self.tally.removed += 1;
            }
            if !is_gone && !self.treatment.keeps(holds_sealed) {
                removed.push(range.clone());
            }
        }
        removed
    }

    /// The logical name. Where a record has a field several times, the later ones are numbered, so that they cannot be exchanged.
    fn name<'f>(&self, called: &'f Called, occurrence: u32) -> Cow<'f, str>
    where
        'a: 'f,
    {
        match called {
            Called::Namesake(_) => Cow::Borrowed(""),
            Called::Unselected(path) => Cow::Borrowed(path),
            Called::Selected(field) => self.numbered(*field, occurrence),
            // No field is called like that, as none ends with a number, and no further one has the number 1.
            Called::Attribute(field, name) => Cow::Owned(format!("{}/@{name}[1]", self.numbered(*field, occurrence))),
        }
    }

    fn numbered(&self, field: FieldId, occurrence: u32) -> Cow<'a, str> {
        let plan: &'a Selectors = self.plan;
        let name = plan.selector(field.selector).fields[field.field].name.as_str();
        if occurrence == 1 { Cow::Borrowed(name) } else { Cow::Owned(format!("{name}[{occurrence}]")) }
    }

    /// Writes a field anew, with what is not copied yet before it. False if it cannot stand there.
    fn write(
        &mut self,
        text: &str,
        span: &Span,
        outcome: &Outcome,
        form: Option<Form>,
        copied: &mut usize,
        out: &mut String,
    ) -> bool {
        let rest = text.len() - span.end() + span.start() - *copied;
        out.reserve_exact(room::to_write(outcome.len(), rest));
        out.push_str(&text[*copied..span.start()]);
        *copied = span.end();
        match span {
            Span::Content { .. } if matches!(outcome, Outcome::Fragment(raw) if raw.is_empty()) => {
                out.push_str("/>");
                true
            }
            Span::Content { open, close, inner, end, empty, .. } => {
                out.push('>');
                let fits = self.write_value(outcome, Site::Element, form, out);
                if *empty {
                    let tag = &text[open + 1..*close];
                    out.push_str("</");
                    out.push_str(&tag[..super::tag::name_length(tag)]);
                    out.push('>');
                } else {
                    out.push_str(&text[inner.end..*end]);
                }
                fits
            }
            Span::Value { quote, .. } => self.write_value(outcome, Site::Attribute(*quote), form, out),
            Span::Element { .. } => self.write_value(outcome, Site::Element, form, out),
        }
    }

    fn write_value(&mut self, outcome: &Outcome, site: Site, form: Option<Form>, out: &mut String) -> bool {
        match outcome {
            Outcome::Keep | Outcome::Null => true,
            Outcome::Text(text) | Outcome::Unusual(text) => escape(text, site, self.charset, out),
            Outcome::Spelled { text, .. } => escape(text.as_deref().unwrap_or_default(), site, self.charset, out),
            Outcome::Sealed(marker) => {
                let form = form.unwrap_or(Form::Element);
                self.writer.push(marker, form, site, self.charset, out)
            }
            // Whoever sealed it may have been anybody: it must not close elements that it did not open.
            Outcome::Fragment(raw) => {
                let is_well_formed = characters(raw.as_bytes()).is_ok()
                    && match site {
                        Site::Element => self.checker.fragment(raw, &Surroundings::any()).is_ok(),
                        Site::Attribute(_) => check_references(raw).is_ok(),
                    };
                is_well_formed && push_fragment(raw, site, self.charset, out)
            }
        }
    }
}

/// How many bytes of white space are before a place, if nothing but a tag is before them.
fn space_before(text: &[u8], at: usize) -> usize {
    let space = text[..at].iter().rev().take_while(|byte| is_space(**byte)).count();
    if at == space || text[at - space - 1] == b'>' { space } else { 0 }
}

/// Leaves a record out, and the white space before it.
fn remove(walked: &Walked<'_>, range: &Range<usize>, copied: usize, out: &mut String) -> usize {
    if range.start == 0 {
        out.truncate(out.len() - walked.space.min(out.len()));
    } else {
        let space = space_before(walked.text.as_bytes(), range.start);
        out.push_str(&walked.text[copied..(range.start - space).max(copied)]);
    }
    range.end
}
