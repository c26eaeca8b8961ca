//! Rare values together, frequent ones as they are.

use super::{Labels, check_levels, fail};
use crate::HierarchyError;
use serde::{Deserialize, Serialize};

/// Joins the values that occur in fewer than `minimum` rows.
///
/// Several growing minimums make several levels. The counts are those of the table, so the same policy can group other
/// values on other data.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Minimums, Rare};
/// let country = Builder::Rare(Rare { minimum: Minimums::Growing(vec![5, 100]), ..Rare::default() });
/// let rows = country.build_with_counts(&[("Chile", 900), ("Peru", 40), ("Malta", 2)])?;
/// assert_eq!(rows[0].labels, ["Chile", "Chile", "Chile", "*"]);
/// assert_eq!(rows[1].labels, ["Peru", "Peru", "other", "*"]);
/// assert_eq!(rows[2].labels, ["Malta", "other", "other", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rare {
    /// In how many rows a value must occur to keep its name.
    pub minimum: Minimums,
    /// What the others are called.
    pub other: String,
}

/// One minimum, or one per level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`minimum` must be a number of rows like 5, or growing ones like [5, 50]")]
pub enum Minimums {
    /// One level.
    One(u64),
    /// A level each.
    Growing(Vec<u64>),
}

impl Default for Rare {
    fn default() -> Self {
        Self { minimum: Minimums::One(5), other: "other".to_owned() }
    }
}

impl Rare {
    pub(super) fn rows(&self, values: &[(&str, u64)]) -> Result<Vec<Labels>, HierarchyError> {
        let minimums = match &self.minimum {
            Minimums::One(minimum) => std::slice::from_ref(minimum),
            Minimums::Growing(minimums) => minimums,
        };
        if minimums.first().is_none_or(|&least| least < 2) {
            return fail("`minimum` must be at least 2 rows; every value occurs in one");
        }
        if let Some([before, after]) = minimums.windows(2).find(|pair| pair[0] >= pair[1]) {
            return fail(format!("`minimum` must grow from level to level, but {after} follows {before}"));
        }
        check_levels(minimums.len(), "minimum")?;
        let label =
            |value: &str, count: u64, minimum: u64| if count < minimum { self.other.clone() } else { value.to_owned() };
        Ok(values
            .iter()
            .map(|&(value, count)| {
                let labels = minimums.iter().map(|&minimum| label(value, count, minimum));
                std::iter::once(value.to_owned()).chain(labels).collect()
            })
            .collect())
    }
}
