//! Hierarchies as level columns: the files that microdata are generalized with.

use std::collections::HashMap;

use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Hierarchy, HierarchyError, HierarchyRow};

use super::hrc::HrcLine;

/// The tree of a hierarchy of level columns, from the value to its coarsest label.
///
/// A label repeated on the next level is one label, which is how unbalanced trees are written. A last column of nothing but
/// `*` is the total and has no label of its own.
pub(super) fn tree(rows: &[HierarchyRow], total: &str) -> Result<Vec<HrcLine>, HierarchyError> {
    Hierarchy::from_rows(rows)?;
    let mut lines: Vec<HrcLine> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        let mut parent = None;
        let mut last = None;
        for (place, label) in row.labels.iter().enumerate().rev() {
            let label = label.as_str();
            let is_total = place + 1 == row.labels.len() && (label == SUPPRESSED || label == total);
            if is_total || last == Some(label) {
                continue;
            }
            last = Some(label);
            parent = Some(match known.get(label) {
                Some(&at) if lines[at].parent == parent => at,
                // Listed again under another total, which whoever adds the labels to a dimension will refuse.
                _ => {
                    lines.push(HrcLine { label: label.to_owned(), parent, line: row.line });
                    known.insert(label, lines.len() - 1);
                    lines.len() - 1
                }
            });
        }
    }
    Ok(lines)
}
