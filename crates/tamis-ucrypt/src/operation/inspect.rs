//! Looking at sealed documents without any key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::held::Held;
use super::rewrite::{Fields, Rewrite};
use super::{Counts, Form, OperationError, headers};
use crate::cell::{CellError, Marker, MarkerError};
use crate::document::header::KeyHeader;
use crate::document::{At, Content, Outcome, Place, Treatment};
use crate::policy::Policy;
use crate::shown::beginning;

/// Cells whose markers say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The policy; empty in cells of other tools.
    pub policy: String,
    /// The epoch in which their data key was born.
    pub epoch: String,
    /// The data key.
    pub kid: String,
    /// The cipher.
    pub cipher: String,
    /// What they are bound to.
    pub binding: String,
    /// Whether they are of this format at all.
    pub is_foreign: bool,
    /// Whether the document has their data key.
    pub has_key: bool,
    /// How many there are.
    pub cells: u64,
    /// The fields that they are in.
    pub fields: Vec<String>,
}

impl Group {
    /// Whether cells of the group can be moved unnoticed.
    pub fn is_weak(&self) -> bool {
        !self.is_foreign && self.binding != "rf"
    }
}

/// What a document holds.
#[derive(Debug, Clone, Default)]
pub struct Inspection {
    /// What was read.
    pub counts: Counts,
    /// The cells.
    pub groups: Vec<Group>,
    /// The data keys.
    pub headers: Vec<KeyHeader>,
}

/// Fields that a group lists.
const MOST_FIELDS: usize = 100;

/// Groups that are told apart: a hostile document must not fill the memory.
const MOST_GROUPS: usize = 10_000;

/// Looks at a document. A policy helps to name its fields and records; its holders need not come.
pub fn inspect(
    input: &Path,
    form: &Form,
    policy: Option<&Policy>,
    element: &str,
) -> Result<Inspection, OperationError> {
    let fields = policy.map_or(Fields::Sealed(element), Fields::Of);
    let mut held = Held::to_read(input, form)?;
    let found = headers::read(input, form, element)?;
    let treatment = Counting::default();
    let rewrite = Rewrite::new(form, fields, &treatment);
    let counts = rewrite.look(input)?;
    held.confirm()?;
    let groups = treatment.groups.into_inner().unwrap_or_else(PoisonError::into_inner);
    let headers = found.headers.as_slice().to_vec();
    let has_key = |label: &Label| {
        headers.iter().any(|header| {
            header.pol() == label.policy && header.kid().as_str() == label.kid && header.ep().to_string() == label.epoch
        })
    };
    let group = |(label, (cells, fields)): (Label, (u64, BTreeSet<String>))| Group {
        has_key: has_key(&label),
        policy: label.policy,
        epoch: label.epoch,
        kid: label.kid,
        cipher: label.cipher,
        binding: label.binding,
        is_foreign: label.is_foreign,
        cells,
        fields: fields.into_iter().collect(),
    };
    let groups = groups.into_iter().map(group).collect();
    Ok(Inspection { counts, groups, headers })
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    policy: String,
    epoch: String,
    kid: String,
    cipher: String,
    binding: String,
    is_foreign: bool,
}

impl Label {
    fn of(marker: &Marker) -> Self {
        let attributes = &marker.attributes;
        // What a hostile marker says is not kept at full length.
        Self {
            policy: beginning(&attributes.pol),
            epoch: beginning(&attributes.ep),
            kid: beginning(&attributes.kid),
            cipher: beginning(&attributes.cipher),
            binding: beginning(&attributes.bind),
            is_foreign: attributes.v.is_none(),
        }
    }
}

#[derive(Default)]
struct Counting {
    groups: Mutex<BTreeMap<Label, (u64, BTreeSet<String>)>>,
}

impl Treatment for Counting {
    type Refusal = CellError;

    fn passes_statements(&self) -> bool {
        true
    }

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, CellError> {
        if let Content::Sealed(marker) = content {
            let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
            let label = Label::of(marker);
            if groups.len() < MOST_GROUPS || groups.contains_key(&label) {
                let (cells, fields) = groups.entry(label).or_default();
                *cells += 1;
                if fields.len() < MOST_FIELDS && !fields.contains(place.field) {
                    fields.insert(place.field.to_owned());
                }
            }
        }
        Ok(Outcome::Keep)
    }

    fn needs_keys(&self) -> bool {
        false
    }

    fn leaves_damaged(&self, _: At, _: Place<'_>, _: MarkerError) -> bool {
        true
    }
}
