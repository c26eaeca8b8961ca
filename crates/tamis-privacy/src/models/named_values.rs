//! Sensitive values that a requirement names, found among those of a table.

use crate::{ModelError, SensitiveFacts};

/// How many values a message lists.
const LISTED: usize = 10;

/// The code that a value has in each attribute, if it has one.
///
/// A value that only a hierarchy lists is known although nobody has it; one that no attribute knows is a slip of the pen.
pub(super) fn codes_of(
    kind: &'static str,
    sensitive: &[&SensitiveFacts],
    value: &str,
) -> Result<Vec<Option<u32>>, ModelError> {
    let codes: Vec<Option<u32>> = sensitive.iter().map(|facts| facts.code(value)).collect();
    let is_listed =
        |facts: &&SensitiveFacts| facts.labels.first().is_some_and(|values| values.iter().any(|v| v == value));
    if codes.iter().all(Option::is_none) && !sensitive.iter().any(is_listed) {
        return Err(ModelError::UnknownValue {
            kind,
            attribute: sensitive.iter().map(|facts| facts.name.as_str()).collect::<Vec<_>>().join("` or `"),
            value: value.to_owned(),
            known: known(sensitive),
        });
    }
    Ok(codes)
}

fn known(sensitive: &[&SensitiveFacts]) -> String {
    let values: Vec<&String> = sensitive
        .iter()
        .flat_map(|facts| facts.order.iter().filter_map(|&code| facts.values.get(code as usize)))
        .collect();
    let listed = values.iter().take(LISTED).map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
