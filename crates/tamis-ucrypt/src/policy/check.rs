//! What a policy may say, and what it should better not say.

use std::collections::BTreeSet;
use std::fmt;

use jiff::Timestamp;

use super::selection::without_number;
use super::{Policy, PolicyError, Selection};
use crate::cell::{Binding, MAX_PAD};
use crate::counted;
use crate::key::{check_holder_name, check_threshold, usual_recipient};
use crate::shown::beginning;
use crate::xml_text::is_simple_name;

/// Something that is allowed and that the owner should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// p = 1.
    AnyAlone,
    /// p = n.
    AllNeeded(usize),
    /// Cells can be moved unnoticed.
    WeakBinding(Binding),
    /// A holder's time is over.
    Expired(String),
    /// Fewer than p holders whose time is not over.
    TooFewValid {
        /// How many are left.
        valid: usize,
        /// How many are needed.
        need: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyAlone => {
                f.write_str("p = 1: every holder alone opens what is sealed, and each share is the key itself")
            }
            Self::AllNeeded(count) => {
                write!(f, "p = n = {count}: if one holder loses the share or refuses, nothing opens any more")
            }
            Self::WeakBinding(Binding::None) => {
                f.write_str("bind = n: cells can be moved to any record and field unnoticed")
            }
            Self::WeakBinding(_) => f.write_str("bind = f: cells of one field can be moved to other records unnoticed"),
            Self::Expired(name) => write!(f, "the time of holder {name:?} is over"),
            Self::TooFewValid { valid, need } => write!(
                f,
                "only {} left whose time is not over, fewer than the {need} that it takes: nothing opens any more",
                counted(*valid as u64, "holder is", "holders are")
            ),
        }
    }
}

impl Policy {
    /// What the owner should know at this moment.
    pub fn warnings(&self, now: Timestamp) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let holders = self.holders.len();
        if self.threshold == 1 && holders > 1 {
            warnings.push(Warning::AnyAlone);
        }
        if self.threshold == holders {
            warnings.push(Warning::AllNeeded(holders));
        }
        if self.binding != Binding::RecordField {
            warnings.push(Warning::WeakBinding(self.binding));
        }
        let expired: Vec<_> = self.holders.iter().filter(|holder| holder.is_over(now)).collect();
        warnings.extend(expired.iter().map(|holder| Warning::Expired(holder.name.clone())));
        let valid = holders - expired.len();
        if valid < self.threshold {
            warnings.push(Warning::TooFewValid { valid, need: self.threshold });
        }
        warnings
    }

    /// Checks everything that can be checked without a secret.
    pub(super) fn check(&self) -> Result<(), PolicyError> {
        check_threshold(self.threshold, self.holders.len())?;
        check_id(&self.id)?;
        check_element(&self.element)?;
        if self.owner.chars().count() > 200 || self.owner.chars().any(char::is_control) {
            return Err(value(
                "owner",
                &self.owner,
                "at most 200 characters, none of them control characters, are expected",
            ));
        }
        if !(1..=MAX_PAD).contains(&self.pad) {
            return Err(value("pad", &self.pad.to_string(), "1 to 65536 is expected"));
        }
        let mut names = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        let mut recipients = BTreeSet::new();
        for holder in &self.holders {
            check_holder_name(&holder.name)?;
            if !names.insert(&holder.name) {
                return Err(doubled("holder", &holder.name));
            }
            if !numbers.insert(holder.number) {
                return Err(doubled("share number", &holder.number.to_string()));
            }
            if let Some(recipient) = holder.recipient() {
                // Holders are known by what their own keys say, which is in small letters.
                if usual_recipient(recipient)? != recipient {
                    let why = "its public key is not written in small letters".to_owned();
                    return Err(PolicyError::Holder { holder: holder.name.clone(), why });
                }
                // One person with two shares would count as two of the p.
                if !recipients.insert(recipient) {
                    return Err(doubled("public key", recipient));
                }
            }
        }
        for (prefix, name) in &self.namespaces {
            if [prefix, name].into_iter().any(|text| text.contains(char::is_control)) {
                return Err(value("namespaces", name, "no control characters are expected"));
            }
        }
        let mut tables = BTreeSet::new();
        for selection in &self.selections {
            if !tables.insert(&selection.name) {
                return Err(doubled("table", &selection.name));
            }
            check_selection(selection, self.binding)?;
        }
        Ok(())
    }
}

fn check_selection(selection: &Selection, binding: Binding) -> Result<(), PolicyError> {
    let refused = |why| PolicyError::Table { table: selection.name.clone(), why };
    if selection.name.is_empty() {
        return Err(refused("it has no name"));
    }
    if selection.fields.is_empty() {
        return Err(refused("it names no field to seal"));
    }
    let paths = [&selection.record, &selection.record_key].into_iter().flatten();
    let of_fields = selection.fields.iter().flat_map(|field| [Some(&field.name), field.path.as_ref()]).flatten();
    let columns = selection.fields.iter().filter_map(|field| field.column.as_ref());
    let mut columns = columns.chain(&selection.key).chain(&selection.source);
    if [&selection.name].into_iter().chain(paths).chain(of_fields).any(|text| text.contains(char::is_control))
        || columns.any(|text| text.contains(|c: char| c.is_control() && !is_of_heading(c)))
    {
        return Err(refused("one of its names or paths has control characters"));
    }
    if selection.key.is_none() && selection.record.is_none() {
        return Err(refused("it needs a key column (CSV, SQL) or the path of its records (XML)"));
    }
    if selection.record.is_some() && selection.record_key.is_none() && binding == Binding::RecordField {
        return Err(refused("its records in XML need a record_key, to which cells are bound"));
    }
    if selection.record_key.is_some() && selection.record.is_none() {
        return Err(refused("it has a record_key but no path of its records"));
    }
    let mut names = BTreeSet::new();
    for field in &selection.fields {
        if field.name.is_empty() {
            return Err(refused("one of its fields has no name"));
        }
        if !names.insert(&field.name) {
            return Err(doubled("field", &field.name));
        }
        // These names are those of places that no policy names, so that a cell which is moved there does not open.
        if without_number(&field.name) != field.name || field.name.starts_with("./") || field.name.starts_with('/') {
            return Err(refused(
                "no field may be called like a further one of a record (name[2]) or a path (./name, /name)",
            ));
        }
    }
    Ok(())
}

/// What programs for tables put into the names of columns that are shown on several lines.
fn is_of_heading(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t')
}

fn check_id(id: &str) -> Result<(), PolicyError> {
    let fits = (1..=32).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if fits { Ok(()) } else { Err(value("id", id, "1 to 32 letters, digits, - or _ are expected")) }
}

fn check_element(name: &str) -> Result<(), PolicyError> {
    let fits = name.chars().count() <= 64 && is_simple_name(name);
    if fits { Ok(()) } else { Err(value("element", name, "a name of an XML element without a prefix is expected")) }
}

pub(super) fn value(key: &'static str, value: &str, why: &'static str) -> PolicyError {
    PolicyError::Value { key, value: beginning(value), why }
}

fn doubled(what: &'static str, value: &str) -> PolicyError {
    PolicyError::Doubled { what, value: value.to_owned() }
}
