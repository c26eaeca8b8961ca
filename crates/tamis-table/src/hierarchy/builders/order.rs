//! Ordered values in groups of neighbours, counted by rank.

use super::{Labels, fail, growing_sizes};
use crate::{DataType, HierarchyError, compare_values};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Groups of neighbours in the order of the values, labelled `first .. last`.
///
/// Level 1 joins `group` values each, each entry of `factors` adds a level that joins so many groups. The order is the given
/// one, or that of the values' type: numbers by size, dates by time, texts alphabetically. With an explicit `order` the
/// groups do not depend on which of the values occur, and all of them are listed.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Order};
/// let names = ["none", "primary", "secondary", "college"].map(str::to_owned);
/// let education = Builder::Order(Order { order: names.to_vec(), group: 2, ..Order::default() });
/// let rows = education.build(&["college"])?;
/// assert_eq!(rows[3].labels, ["college", "secondary .. college", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Order {
    /// The values from first to last; by type if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// How many values level 1 joins.
    pub group: u64,
    /// How many groups each further level joins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<u32>,
}

impl Default for Order {
    fn default() -> Self {
        Self { order: Vec::new(), group: 3, factors: Vec::new() }
    }
}

impl Order {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        if self.group < 2 {
            return fail(format!("`group` is {}; a group must join at least 2 values", self.group));
        }
        let sizes = growing_sizes(self.group, &self.factors, "order")?;
        if self.order.is_empty() {
            let mut sorted = values.to_vec();
            let data_type = DataType::of(values.iter().copied());
            sorted.sort_by(|left, right| compare_values(data_type, left, right));
            let ranks: HashMap<&str, usize> = sorted.iter().copied().zip(0..).collect();
            return Ok(values.iter().map(|value| labels(&sorted, ranks[value], &sizes)).collect());
        }
        let order: Vec<&str> = self.order.iter().map(String::as_str).collect();
        let mut known = HashSet::new();
        if let Some(twice) = order.iter().find(|&&value| !known.insert(value)) {
            return fail(format!("`order` lists `{twice}` twice; keep one of the two"));
        }
        if let Some(stranger) = values.iter().find(|&&value| !known.contains(value)) {
            return fail(format!("`order` does not list the value `{stranger}`; add it where it belongs"));
        }
        Ok((0..order.len()).map(|rank| labels(&order, rank, &sizes)).collect())
    }
}

fn labels(sorted: &[&str], rank: usize, sizes: &[u64]) -> Labels {
    let mut labels = vec![sorted[rank].to_owned()];
    for &size in sizes {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let first = rank / size * size;
        let last = first.saturating_add(size - 1).min(sorted.len() - 1);
        labels.push(match last - first {
            0 => sorted[first].to_owned(),
            _ => format!("{} .. {}", sorted[first], sorted[last]),
        });
    }
    labels
}
