//! The records that meet a condition.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::fields::Needed;
use super::rewrite::{Fields, Rewrite};
use super::{Chosen, Form, Kind, OperationError, selectors};
use crate::cell::CellError;
use crate::document::KeyHasher;
use crate::document::rows::RowsError;
use crate::document::{Content, Outcome, Place, Treatment, xml};
use crate::policy::{Field, Policy, Selection};

/// What the records have in common that are sealed.
#[derive(Debug, Clone, Copy)]
pub struct Condition<'a> {
    /// A column of a table, by its name in the policy or in the document; or what stands at this path of an XML record.
    pub column: &'a str,
    /// The value that it has.
    pub value: &'a str,
    /// Most records that are remembered, eight bytes for each.
    most: usize,
}

/// Most records that are remembered: 8 MiB.
const MOST: usize = 1 << 20;

/// As many are remembered beside any list.
const FEWEST: usize = 1 << 16;

impl<'a> Condition<'a> {
    /// The condition that a column has a value.
    pub fn new(column: &'a str, value: &'a str) -> Self {
        Self { column, value, most: MOST }
    }

    /// The same beside records that were named: their list and what meets the condition share the memory that either could have alone.
    #[must_use]
    pub fn beside(self, chosen: &Chosen) -> Self {
        // A key of a list takes twice as much as a match.
        Self { most: MOST.saturating_sub(2 * chosen.listed()).max(FEWEST), ..self }
    }
}

/// Which columns tables have, in words: the first of each, and of long names their beginnings.
fn told(tables: &[(String, Vec<String>)]) -> String {
    const TABLES: usize = 10;
    const COLUMNS: usize = 50;
    const LONGEST: usize = 40;
    let short = |name: &String| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.clone(),
    };
    let one = |(table, columns): &(String, Vec<String>)| {
        let more = if columns.len() > COLUMNS { ", ..." } else { "" };
        let columns: Vec<String> = columns.iter().take(COLUMNS).map(short).collect();
        format!("{} has {}{more}", short(table), columns.join(", "))
    };
    let more = if tables.len() > TABLES { "; ..." } else { "" };
    format!("{}{more}", tables.iter().take(TABLES).map(one).collect::<Vec<_>>().join("; "))
}

/// The records of a document that meet a condition.
pub(super) struct Matching<'a> {
    condition: Condition<'a>,
    /// The tables whose records are known by the column of the condition: its value is the key.
    keyed: Vec<String>,
    /// Whether a record with that key was met.
    met: AtomicBool,
    hasher: KeyHasher,
    /// The hashes of the records of other tables, in order. The keys themselves would take as much memory as a part of the document. Two
    /// different ones of a million look the same with a probability of one in thirty million.
    hashes: Vec<u64>,
}

impl<'a> Matching<'a> {
    /// Looks for the records: what a record is known by may stand behind what is to be sealed, so the document is read twice.
    pub(super) fn find(
        condition: Condition<'a>,
        policy: &Policy,
        form: &Form,
        input: &Path,
    ) -> Result<Self, OperationError> {
        let Condition { column, .. } = condition;
        let mut policy = policy.clone();
        if form.kind == Kind::Csv {
            // What the file is shows in all the columns of its table, of which only one is asked for below.
            let tables = selectors::columns(&policy, form, input, Needed::None)?;
            policy.selections.retain(|selection| tables.iter().any(|table| table.table == selection.name));
        }
        let is_xml = form.kind == Kind::Xml;
        let mut keyed = Vec::new();
        policy.selections.retain(|selection| {
            let is_meant = if is_xml { selection.record.is_some() } else { selection.key.is_some() };
            let key = if is_xml { &selection.record_key } else { &selection.key };
            let is_asked = selection.is_asked(form.table.as_deref());
            if is_meant && is_asked && key.as_deref() == Some(column) {
                keyed.push(selection.name.clone());
                return false;
            }
            is_meant && is_asked
        });
        for selection in &mut policy.selections {
            let named = selection.fields.iter().find(|field| field.name == column).cloned();
            selection.fields = vec![named.unwrap_or_else(|| Field { name: column.to_owned(), ..Field::default() })];
        }
        if is_xml {
            // What is wrong with the path of the condition is not the policy's fault.
            for field in policy.selections.iter().flat_map(|table| &table.fields) {
                xml::Path::relative(field.path(), &policy.namespaces).map_err(OperationError::ConditionPath)?;
            }
        }
        let finding = Finding::anywhere(condition, &mut policy, form, input, !keyed.is_empty())?;
        let mut hashes = finding.hashes.into_inner().unwrap_or_else(PoisonError::into_inner);
        if finding.keyless.into_inner() {
            return Err(OperationError::KeylessMatch(column.to_owned()));
        }
        if finding.more.into_inner() {
            return Err(OperationError::TooManyMatch { column: column.to_owned(), most: condition.most });
        }
        if is_xml && keyed.is_empty() && !finding.is_there.into_inner() {
            return Err(OperationError::NoConditionPath { path: input.to_owned(), column: column.to_owned() });
        }
        hashes.sort_unstable();
        let found = Self { condition, keyed, met: AtomicBool::new(false), hasher: finding.hasher, hashes };
        if found.keyed.is_empty() { found.met_any(input).map(|()| found) } else { Ok(found) }
    }

    /// Whether a record is one of them.
    pub(super) fn has(&self, place: Place<'_>) -> bool {
        if self.keyed.iter().any(|table| table == place.table) {
            let is_it = self.condition.value == place.record;
            if is_it && !self.met.load(Ordering::Relaxed) {
                self.met.store(true, Ordering::Relaxed);
            }
            return is_it;
        }
        !self.hashes.is_empty() && self.hashes.binary_search(&self.hasher.hash(place.table, place.record)).is_ok()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.hashes.len() + usize::from(!self.keyed.is_empty())
    }

    /// Refuses a condition that no record meets. The value may be what is to be sealed, so it is not repeated.
    pub(super) fn met_any(&self, input: &Path) -> Result<(), OperationError> {
        if !self.hashes.is_empty() || self.met.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(OperationError::NoMatch { path: input.to_owned(), column: self.condition.column.to_owned() })
    }
}

struct Finding<'a> {
    value: &'a str,
    most: usize,
    /// The tables of an XML document in which an attribute is looked at.
    attributes: Vec<String>,
    hasher: KeyHasher,
    hashes: Mutex<Vec<u64>>,
    /// Whether there are more than are remembered.
    more: AtomicBool,
    /// Whether one of them has no key.
    keyless: AtomicBool,
    /// Whether any record has what is looked at.
    is_there: AtomicBool,
}

impl<'a> Finding<'a> {
    /// Looks through a document. A table of several that has no such column has no such record; `is_key` says that others are known by it.
    fn anywhere(
        condition: Condition<'a>,
        policy: &mut Policy,
        form: &Form,
        input: &Path,
        is_key: bool,
    ) -> Result<Self, OperationError> {
        let Condition { column, value, most } = condition;
        let is_attribute = |table: &&Selection| {
            let mut steps = table.fields.iter().filter_map(|field| field.path().rsplit('/').next());
            steps.any(|last| last.starts_with('@'))
        };
        let attributes = policy.selections.iter().filter(is_attribute).map(|table| table.name.clone()).collect();
        let mut finding = Self {
            value,
            most,
            attributes,
            hasher: KeyHasher::default(),
            hashes: Mutex::default(),
            more: AtomicBool::new(false),
            keyless: AtomicBool::new(false),
            is_there: AtomicBool::new(false),
        };
        let wanted: Vec<String> =
            policy.selections.iter().flat_map(|table| &table.fields).map(|field| field.column().to_owned()).collect();
        let mut there = Vec::new();
        let mut has_any = is_key;
        if policy.selections.is_empty() && !is_key {
            // Says what is missing.
            finding.rewrite(policy, form).look(input)?;
        }
        while !policy.selections.is_empty() {
            let looked = finding.rewrite(policy, form).look(input);
            match looked {
                Err(OperationError::Rows {
                    source: RowsError::NoColumn { column, table, selected, columns, .. },
                    ..
                }) if wanted.contains(&column) => {
                    there.push((table, columns));
                    policy.selections.retain(|selection| selection.name != selected);
                    // What was read before the table that has none is read again.
                    finding.hashes = Mutex::default();
                    (finding.more, finding.keyless) = (AtomicBool::new(false), AtomicBool::new(false));
                }
                looked => {
                    has_any |= looked?.absent.len() < policy.selections.len();
                    break;
                }
            }
        }
        if !has_any && !there.is_empty() {
            return Err(OperationError::NoConditionColumn { column: column.to_owned(), there: told(&there) });
        }
        Ok(finding)
    }

    fn rewrite<'r>(&'r self, policy: &'r Policy, form: &'r Form) -> Rewrite<'r, Self> {
        Rewrite { needed: Needed::These(&[]), ..Rewrite::new(form, Fields::Of(policy), self) }
    }

    /// Whether the value of a field is the one that is looked for.
    fn is_met_by(&self, place: Place<'_>, content: &Content<'_>) -> bool {
        match content {
            Content::Text(text) | Content::Unusual(text) | Content::Spelled { text: Some(text), .. } => {
                *text == self.value
            }
            Content::Fragment(raw) if self.attributes.iter().any(|table| table == place.table) => {
                *xml::value_of(raw) == self.value
            }
            Content::Fragment(raw) => xml::text_of(raw).is_some_and(|text| *text == self.value),
            Content::Null | Content::Spelled { text: None, .. } | Content::Sealed(_) => false,
        }
    }
}

impl Treatment for Finding<'_> {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        if !self.is_there.load(Ordering::Relaxed) {
            self.is_there.store(true, Ordering::Relaxed);
        }
        if self.is_met_by(place, content) {
            let hash = self.hasher.hash(place.table, place.record);
            let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            if place.record.is_empty() {
                self.keyless.store(true, Ordering::Relaxed);
            }
            if hashes.len() < self.most {
                hashes.push(hash);
            } else {
                self.more.store(true, Ordering::Relaxed);
            }
        }
        Ok(Outcome::Keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_and_a_condition_share_their_memory() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("keys");
        let most = |keys: usize| {
            std::fs::write(&path, (0..keys).map(|key| format!("{key}\n")).collect::<Vec<_>>().concat()).unwrap();
            Condition::new("a", "b").beside(&Chosen::nothing().and_lines_of(&path).unwrap()).most
        };
        assert_eq!([most(0), most(1000), most(1 << 19)], [1 << 20, (1 << 20) - 2000, 1 << 16]);
        assert_eq!(Condition::new("a", "b").beside(&Chosen::nothing()).most, 1 << 20);
    }
}
