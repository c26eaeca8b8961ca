//! Chosen fields that were sealed before, and not so that the holders of the policy open them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::PolicyFile;
use crate::cell::Marker;
use crate::counted;
use crate::document::header::KeyHeaders;
use crate::shown::beginning;

/// Whoever seals a document that is sealed already should know for whom it is.
pub(super) struct Before<'a> {
    file: &'a PolicyFile,
    /// The data keys that the document has.
    headers: &'a KeyHeaders,
    found: Mutex<BTreeMap<Label, u64>>,
}

/// Why cells are not the policy's as it is now.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    /// They are of another policy.
    Policy(String),
    /// Their data key was born in another epoch.
    Epoch(u32),
    /// The document does not have their data key.
    Keyless,
}

/// Most of them that are told apart: a hostile document must not fill the memory.
const MOST: usize = 20;

impl<'a> Before<'a> {
    pub(super) fn new(file: &'a PolicyFile, headers: &'a KeyHeaders) -> Self {
        Self { file, headers, found: Mutex::default() }
    }

    /// Takes note of a chosen field that is a cell.
    pub(super) fn note(&self, marker: &Marker) {
        let attributes = &marker.attributes;
        let policy = &self.file.policy;
        let header = self.headers.find(&attributes.pol, &attributes.kid);
        let label = match header.filter(|header| attributes.ep.parse() == Ok(header.ep())) {
            None => Label::Keyless,
            Some(_) if attributes.pol != policy.id => Label::Policy(beginning(&attributes.pol)),
            Some(header) if header.ep() != policy.epoch => Label::Epoch(header.ep()),
            Some(_) => return,
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() < MOST || found.contains_key(&label) {
            *found.entry(label).or_default() += 1;
        }
    }

    /// What there is to know of them.
    pub(super) fn remarks(&self) -> Vec<String> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let fields = |count| counted(count, "chosen field was sealed before", "chosen fields were sealed before");
        let said = |(label, &count): (&Label, &u64)| match label {
            Label::Policy(id) => {
                format!("{} under policy {id}, which the holders of this policy do not open", fields(count))
            }
            Label::Epoch(epoch) => {
                let way_out = self.file.way_out(*epoch, |_| false);
                let way_out = way_out.map_or_else(String::new, |way_out| format!("; {way_out}"));
                format!("{} in epoch {epoch} of this policy{way_out}", fields(count))
            }
            Label::Keyless => {
                format!(
                    "{} with a data key that the document does not have; without it nobody opens them",
                    fields(count)
                )
            }
        };
        found.iter().map(said).collect()
    }
}
