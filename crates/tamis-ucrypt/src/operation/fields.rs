//! Which fields of a policy a command is about, by their names.

use std::collections::BTreeSet;

use super::OperationError;
use crate::policy::{Policy, without_number};

/// Which fields of a policy a table must have columns for.
#[derive(Clone, Copy)]
pub(super) enum Needed<'a> {
    /// None: what is sealed is found wherever it is, and a column that was left out holds nothing to be found.
    None,
    /// These, or all if there are none.
    These(&'a [String]),
}

impl Needed<'_> {
    pub(super) fn has(self, field: &str) -> bool {
        match self {
            Self::None => false,
            Self::These(fields) => is_among(fields, field),
        }
    }
}

/// Refuses fields that a policy does not have; `plain` is the name of one without a number, where there may be such.
pub(super) fn check_fields(
    policy: &Policy,
    fields: &[String],
    plain: impl Fn(&str) -> &str,
) -> Result<(), OperationError> {
    let known = || policy.selections.iter().flat_map(|table| &table.fields).map(|field| field.name.as_str());
    let Some(unknown) = fields.iter().find(|name| !known().any(|known| known == plain(name))) else { return Ok(()) };
    // Tables may call their fields alike.
    let names: BTreeSet<&str> = known().collect();
    let known: Vec<&str> = names.into_iter().collect();
    Err(OperationError::NoField { field: listed(&[unknown]), known: known.join(", ") })
}

/// Whether a field is one of these, or of any if there are none. A field that a record has twice is called `name[2]`, an attribute that
/// is sealed with its element `name/@attribute[1]`.
pub(super) fn is_among(fields: &[String], field: &str) -> bool {
    let is_it = |name: &String| {
        let Some(rest) = field.strip_prefix(name.as_str()) else { return false };
        let end = if rest.starts_with('[') { rest.find(']').map_or(0, |end| end + 1) } else { 0 };
        let (number, attribute) = rest.split_at(end);
        without_number(number).is_empty()
            && (attribute.is_empty() || attribute.starts_with("/@") && is_attribute(attribute))
    };
    fields.is_empty() || fields.iter().any(is_it)
}

/// Whether this is the name, or the end of the name, of an attribute that is sealed with its element.
pub(super) fn is_attribute(field: &str) -> bool {
    field.ends_with("[1]") && field.contains("/@")
}

/// Names for a message: the first few, and of long ones their beginnings.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 5;
    const LONGEST: usize = 40;
    let quoted = |name: &&str| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    };
    let quoted: Vec<String> = names.iter().take(MOST).map(quoted).collect();
    let more = names.len().saturating_sub(MOST);
    if more == 0 { quoted.join(", ") } else { format!("{} or {more} more", quoted.join(", ")) }
}
