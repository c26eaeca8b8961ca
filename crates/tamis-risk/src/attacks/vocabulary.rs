//! Whether a release and a table of people speak of the same values at all.

use super::classes::Classes;
use super::error::setting;
use super::{AttackError, LabelsByColumn};
use std::collections::HashSet;
use tamis_table::Column;
use tamis_table::hierarchy::SUPPRESSED;

/// Below this share of rows a text that both tables have is taken for a coincidence.
const COINCIDENCE: f64 = 0.05;

/// Refuses columns without a hierarchy whose texts do not occur in the other table: there a generalized release fits nobody, and an
/// attack would fail for want of a hierarchy, not because people are safe.
///
/// A list of a single person and a large release have little in common either, so that it is enough if the rows of one table know the texts
/// of the other. Linear in the different values.
pub(crate) fn ensure_common(
    released: &Classes<'_>,
    people: &Classes<'_>,
    labels: &LabelsByColumn,
) -> Result<(), AttackError> {
    for (ours, theirs) in released.columns.iter().zip(&people.columns) {
        if labels.contains_key(ours.name()) {
            continue;
        }
        let (Some(in_people), Some(in_release)) = (share_known(ours, theirs), share_known(theirs, ours)) else {
            continue;
        };
        if in_people < COINCIDENCE && in_release < COINCIDENCE {
            let name = ours.name();
            let example = |column: &Column| texts(column).next().map(|(text, _)| text.to_owned()).unwrap_or_default();
            return Err(setting(format!(
                "`{name}` has other texts in the release (such as `{}`) than in the table of people (such as `{}`), so nobody can be found; give --hierarchy {name}=FILE if the column was generalized, or leave it out",
                example(ours),
                example(theirs)
            )));
        }
    }
    Ok(())
}

/// The texts that say something, and how many rows have each.
fn texts(column: &Column) -> impl Iterator<Item = (&str, u64)> {
    let missing = column.missing().map(|code| code.0 as usize);
    let counted = column.dictionary().iter().zip(column.frequencies()).enumerate();
    counted.filter(move |(code, (text, _))| Some(*code) != missing && *text != SUPPRESSED).map(|(_, counted)| counted)
}

/// The share of rows with a text whose text the other column has; none without such rows.
fn share_known(column: &Column, other: &Column) -> Option<f64> {
    let known: HashSet<&str> = texts(other).map(|(text, _)| text).collect();
    let rows: u64 = texts(column).map(|(_, rows)| rows).sum();
    let common: u64 = texts(column).filter(|(text, _)| known.contains(text)).map(|(_, rows)| rows).sum();
    (rows > 0).then(|| common as f64 / rows as f64)
}
