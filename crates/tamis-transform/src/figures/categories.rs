//! How often each value of a column occurs.

use super::shared_values::SharedValues;
use super::{BeforeAfter, MOST_VALUES_IN_TABLES, total_variation};
use serde::Serialize;

/// The value counts of one column before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CategoryChange {
    /// The column.
    pub column: String,
    /// How many different values there are, the missing one included.
    pub distinct: BeforeAfter<u64>,
    /// Total variation distance; none if a table has no rows.
    pub distance: Option<f64>,
    /// The values in their order; the thirty whose shares changed most if there are more.
    pub values: Vec<ValueChange>,
    /// How many values are not listed.
    pub values_left_out: u64,
}

/// How many rows hold a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueChange {
    /// The value; none stands for missing.
    pub value: Option<String>,
    /// Rows before.
    pub before: u64,
    /// Rows after.
    pub after: u64,
}

impl CategoryChange {
    pub(super) fn of(values: &SharedValues<'_>) -> Self {
        let (before, after) = values.counts();
        let all = |counts: &[u64]| counts.iter().sum::<u64>().max(1) as f64;
        let (all_before, all_after) = (all(&before), all(&after));
        let change = |index: usize| (before[index] as f64 / all_before - after[index] as f64 / all_after).abs();
        let mut listed: Vec<usize> = (0..values.values.len()).collect();
        if listed.len() > MOST_VALUES_IN_TABLES {
            listed.sort_by(|&left, &right| change(right).total_cmp(&change(left)));
            listed.truncate(MOST_VALUES_IN_TABLES);
            listed.sort_unstable();
        }
        let distinct = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count() as u64;
        Self {
            column: values.name.to_owned(),
            distinct: BeforeAfter { before: distinct(&before), after: distinct(&after) },
            distance: total_variation(&before, &after),
            values_left_out: (values.values.len() - listed.len()) as u64,
            values: listed
                .into_iter()
                .map(|index| ValueChange {
                    value: values.values[index].map(str::to_owned),
                    before: before[index],
                    after: after[index],
                })
                .collect(),
        }
    }
}
