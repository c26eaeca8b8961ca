//! Sealing the fields of chosen records.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;

use super::damage::Damages;
use super::fields::{Needed, check_fields, is_among, is_attribute};
use super::headers::header_of;
use super::held::Held;
use super::matching::{Condition, Matching};
use super::nested::holds_cell;
use super::of_file::OfFile as _;
use super::opening::is_named;
use super::place::{Readers, target};
use super::rewrite::{Fields, Rewrite};
use super::sealed_before::Before;
use super::steps::Steps;
use super::unmatched::{Met, missing};
use super::{Chosen, Counts, Form, Kind, Left, OperationError, PolicyFile, headers, selectors};
use crate::audit::Action;
use crate::cell::{Binding, CellError, Cipher, MarkerError, Opener, Refusal, Sealer, Value};
use crate::counted;
use crate::document::rows::seen;
use crate::document::{At, Compared, Content, Outcome, Place, Readable, ReadablePlace, ReadablePlaces, Treatment};
use crate::policy::{Policy, Selection};

/// What is to be sealed, and how.
#[derive(Debug, Clone, Copy)]
pub struct Seal<'a> {
    /// The policy. Nobody's secret is needed.
    pub file: &'a PolicyFile,
    /// How the document is written.
    pub form: &'a Form,
    /// The records.
    pub chosen: &'a Chosen,
    /// Further records: those that meet this.
    pub condition: Option<Condition<'a>>,
    /// The fields, by the names of the policy; all of them if empty.
    pub fields: &'a [String],
    /// Another cipher than that of the policy.
    pub cipher: Option<Cipher>,
    /// Another binding than that of the policy.
    pub binding: Option<Binding>,
    /// What the fingerprint of the policy must be, if whoever seals knows.
    pub fingerprint: Option<&'a str>,
    /// Kinds of places in which what is sealed may stay readable. Because of all others, the document is refused.
    pub allowed: &'a [Readable],
}

/// What was sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// What was read and changed.
    pub counts: Counts,
    /// The id of the data key, if one was needed.
    pub kid: Option<String>,
    /// The epoch of the policy that was sealed for.
    pub epoch: u32,
    /// The fingerprint of that policy.
    pub fingerprint: String,
    /// Fields that records of an XML document have, and none of those that were chosen.
    pub without: Vec<String>,
    /// How many places of each kind stay readable, as was allowed.
    pub readable: BTreeMap<Readable, u64>,
    /// What there is to know of chosen fields that were sealed before, of another policy or epoch, or without their data key.
    pub before: Vec<String>,
    /// Damaged sealed values elsewhere, which stay as they are.
    pub left: Left,
    /// Why the log could not be written: sealing needs only the policy file, which may be somebody else's.
    pub log: Option<String>,
}

/// Most fields of records that are remembered one by one: 2 MiB, beside what readers of tables remember.
const FEW: usize = 1 << 17;

static NOTHING: Chosen = Chosen::nothing();

impl<'a> Seal<'a> {
    /// Seals nothing yet: choose.
    pub fn new(file: &'a PolicyFile, form: &'a Form) -> Self {
        Self {
            file,
            form,
            chosen: &NOTHING,
            condition: None,
            fields: &[],
            cipher: None,
            binding: None,
            fingerprint: None,
            allowed: &[],
        }
    }

    /// Seals. On failure the output is not touched.
    pub fn run(&self, input: &Path, output: &Path, clock: Timestamp) -> Result<Sealed, OperationError> {
        if self.chosen.is_nothing() && self.condition.is_none() {
            return Err(OperationError::NothingChosen);
        }
        self.file.refuse_own([(input, self.form), (output, self.form)])?;
        // A rotation gives documents their names before the policy. Whoever sealed between the two would seal for the key that goes.
        let _policy = Held::policy(&self.file.path)?;
        let mut held = Held::to_write(input, self.form, output)?;
        // Some programs know no locks. A key that is replaced meanwhile must not be sealed for: holders who left would read it.
        held.see(self.file.path.clone())?;
        let file = self.file.again()?;
        Seal { file: &file, ..*self }.run_held(&mut held, input, output, clock)
    }

    fn run_held(
        &self,
        held: &mut Held,
        input: &Path,
        output: &Path,
        clock: Timestamp,
    ) -> Result<Sealed, OperationError> {
        let policy = &self.file.policy;
        check_fields(policy, self.fields, |name| name)?;
        if self.form.kind == Kind::Xml {
            // Whatever tables are chosen: the others are read again, too.
            selectors::xml(policy, None)?.refuse_lost_keys()?;
        }
        self.file.refuse_unmeant(self.fingerprint)?;
        self.file.refuse_superseded()?;
        let matching =
            self.condition.map(|condition| Matching::find(condition, policy, self.form, input)).transpose()?;
        let binding = self.binding.unwrap_or(policy.binding);
        self.check_keys(binding)?;
        let run = policy.sealing_run_with(self.cipher.unwrap_or(policy.cipher), binding)?;
        let mut found = headers::read(input, self.form, &policy.element)?;
        let before = found.clone();
        found.headers.add(header_of(policy, &run, Some(clock)).of(input)?).of(input)?;
        // Readers of XML documents compare the keys of all records that are sealed, readers of tables those of all records, and tell
        // how far they came: more than they can remember, perhaps, where few were chosen.
        let records = self.chosen.count().map(|count| count + matching.as_ref().map_or(0, Matching::count));
        let fields = policy.selections.iter().map(|table| table.fields.len()).max().unwrap_or(0);
        let is_few = records.is_some_and(|records| records.saturating_mul(fields) <= FEW);
        let compares = is_few && self.form.kind != Kind::Xml;
        let treatment = Sealing {
            policy,
            sealer: &run.sealer,
            chosen: self.chosen,
            matching: matching.as_ref(),
            fields: self.fields,
            compares,
            met: Met::new(policy, self.form, self.fields),
            foreign: AtomicU64::new(0),
            before: Before::new(self.file, &before.headers),
            damages: Damages::default(),
            allowed: self.allowed,
            readable: ReadablePlaces::new(self.allowed),
        };
        let rewrite = Rewrite {
            headers: Some(&found),
            needed: Needed::These(self.fields),
            unique: true,
            ..Rewrite::new(self.form, Fields::Of(policy), &treatment)
        };
        let mut staged = rewrite.stage(input, output, Readers::of(input)?)?;
        let readable =
            treatment.readable.allowed().map_err(|places| OperationError::Readable { path: input.to_owned(), places });
        // What is missing in a dump may stand where it cannot be sealed, and the place says more.
        let is_dump = self.form.kind == Kind::Sql;
        let readable = if is_dump { Ok(readable?) } else { readable };
        missing(policy, self.form, input, &treatment.met, &mut staged.counts)?;
        if let Some(missed) = self.chosen.missed() {
            return Err(OperationError::NoRecords { path: input.to_owned(), missed });
        }
        matching.as_ref().map_or(Ok(()), |matching| matching.met_any(input))?;
        treatment.met.all_asked(policy, input)?;
        let without = treatment.met.all_fields(input)?;
        let readable = readable?;
        // A database is read once more to be copied.
        let foreign = treatment.foreign.load(Ordering::Relaxed);
        let remarks = treatment.before.remarks();
        let absent = std::mem::take(&mut staged.counts.absent);
        let mut kid = Some(run.kid.to_string());
        if staged.counts.changed == 0 {
            // Everything was sealed before: no new key is needed, and sealing twice changes nothing.
            let rewrite = Rewrite { headers: Some(&before), ..rewrite };
            let is_there = target(input) == target(output);
            staged.steps =
                if is_there { Steps::default() } else { rewrite.copy(input, output, Readers::of(input)?)? };
            kid = None;
        }
        if staged.counts.compared == Compared::All {
            staged.counts.compared = self.chosen.compared();
        }
        staged.counts.absent = absent;
        staged.counts.foreign = foreign;
        held.confirm()?;
        staged.steps.run()?;
        let note = format!("{} in {}", counted(staged.counts.changed, "cell", "cells"), output.display());
        let log = self.file.append(policy, clock, Action::Seal, &[], note).err().map(|error| error.to_string());
        let left = treatment.damages.left(&Opener::default(), |_| ());
        let (counts, epoch, fingerprint) = (staged.counts, policy.epoch, policy.fingerprint());
        Ok(Sealed { counts, kid, epoch, fingerprint, without, readable, before: remarks, left, log })
    }
}

impl Seal<'_> {
    /// Refuses to bind cells to records that have no key: they would say so, and could be exchanged all the same.
    fn check_keys(&self, binding: Binding) -> Result<(), OperationError> {
        let keyless = |table: &&Selection| table.record.is_some() && table.record_key.is_none();
        let may_lack_keys = self.form.kind == Kind::Xml && binding == Binding::RecordField;
        match self.file.policy.tables(self.form.table.as_deref()).filter(|_| may_lack_keys).find(keyless) {
            Some(table) => Err(OperationError::NoKeyToBindTo(table.name.clone())),
            None => Ok(()),
        }
    }
}

struct Sealing<'a> {
    policy: &'a Policy,
    sealer: &'a Sealer,
    chosen: &'a Chosen,
    matching: Option<&'a Matching<'a>>,
    fields: &'a [String],
    compares: bool,
    met: Met<'a>,
    /// Cells of other tools where something was to be sealed.
    foreign: AtomicU64,
    /// Other cells there.
    before: Before<'a>,
    /// Damaged ones where nothing was to be sealed.
    damages: Damages,
    allowed: &'a [Readable],
    /// Where what is sealed stays readable.
    readable: ReadablePlaces<'a>,
}

impl Sealing<'_> {
    /// Whether the record of a place is to be sealed.
    fn has(&self, place: Place<'_>) -> bool {
        self.chosen.has(place.record) || self.matching.is_some_and(|matching| matching.has(place))
    }

    /// Whether a person would take the key of a field of the policy for one that was chosen.
    fn looks_chosen(&self, place: Place<'_>) -> bool {
        seen(place.record).is_some_and(|key| self.chosen.has(&key)) && is_named(self.policy, place)
    }

    /// Notes that a field that was meant keeps what it holds.
    fn note_readable(&self, kind: Readable, place: Place<'_>) {
        let what = match kind {
            Readable::Foreign => " holds a cell of another tool",
            Readable::Namesakes => ", whose key looks like one that was chosen",
            _ => "",
        };
        let place = format!("the field {:?} of record {:?}{what}", place.field, place.record);
        self.readable.add(ReadablePlace { order: (0, 0), kind, place });
    }
}

impl Treatment for Sealing<'_> {
    type Refusal = CellError;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        let is_chosen = self.has(place);
        self.met.note(place, is_chosen);
        if !is_among(self.fields, place.field) {
            return Ok(Outcome::Keep);
        }
        if !is_chosen {
            if self.looks_chosen(place) {
                self.note_readable(Readable::Namesakes, place);
            }
            return Ok(Outcome::Keep);
        }
        if is_attribute(place.field)
            && self.allowed.contains(&Readable::Attributes)
            && !matches!(content, Content::Sealed(_))
        {
            self.note_readable(Readable::Attributes, place);
            return Ok(Outcome::Keep);
        }
        let value = match content {
            Content::Sealed(marker) => {
                let is_foreign = marker.attributes.v.is_none();
                if is_named(self.policy, place) {
                    marker.refuse_disguise().map_err(|refusal| refusal.at(place))?;
                    if is_foreign {
                        self.note_readable(Readable::Foreign, place);
                    }
                }
                if is_foreign {
                    self.foreign.fetch_add(1, Ordering::Relaxed);
                } else {
                    self.before.note(marker);
                }
                return Ok(Outcome::Keep);
            }
            Content::Text(text) => Value::text(text),
            Content::Unusual(text) => Value::Unusual((*text).into()),
            Content::Spelled { text, spelling } => {
                Value::Spelled { text: text.map(Into::into), spelling: (*spelling).into() }
            }
            Content::Fragment(xml) if holds_cell(xml) => return Err(Refusal::Nested.at(place)),
            Content::Fragment(xml) => Value::fragment(xml),
            Content::Null => Value::Null,
        };
        if self.compares && !self.chosen.is_first(place) {
            return Err(Refusal::TwoRecords.at(place));
        }
        Ok(Outcome::Sealed(self.sealer.seal(place, &value)?))
    }

    // What was to be sealed must not stay readable because it looks like a cell.
    fn leaves_damaged(&self, at: At, place: Place<'_>, damage: MarkerError) -> bool {
        let is_left = !self.needs(place) || !is_named(self.policy, place);
        if is_left {
            self.damages.note_broken(at, place, damage, false);
        }
        is_left
    }

    fn needs_unique_keys(&self) -> bool {
        true
    }

    fn needs(&self, place: Place<'_>) -> bool {
        self.has(place) && is_among(self.fields, place.field)
    }

    fn looks_for_readable(&self) -> bool {
        true
    }

    fn takes_every_record(&self) -> bool {
        self.chosen.is_all()
    }

    fn stays_readable(&self, place: ReadablePlace) {
        self.readable.add(place);
    }
}
