//! Similar texts, joined into what they have in common.

mod agglomerate;
mod pattern;

use super::{Labels, check_levels, fail};
use crate::HierarchyError;
use agglomerate::{agglomerate, work};
use pattern::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Groups texts by their longest common subsequence, which with `*` for the gaps becomes the label.
///
/// Two groups are as similar as the share of their longest text that both have in common, in order. On each level the two most
/// similar groups are joined until no two reach the level's similarity, and a join that would leave less than that share in the
/// label is refused: labels thin out with the levels and do not collapse to `*`. Groups that come to share one label are one
/// group. The result does not depend on the order of the values.
///
/// With n values of m characters, a level takes n²·m·⌈m/64⌉ + n·m² steps and 2n² bytes. More than 2,000 groups are first joined
/// within blocks of 1,000 neighbours in alphabetical order, so the time grows with n; more than 20,000 values, or texts so long
/// that it would take minutes, are refused.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Patterns};
/// let street = Builder::Patterns(Patterns { similarity: vec![0.7], ..Patterns::default() });
/// let rows = street.build(&["Hauptstrasse 12", "Hauptstrasse 7", "Am Ring 3"])?;
/// assert_eq!(rows[0].labels, ["Hauptstrasse 12", "Hauptstrasse *", "*"]);
/// assert_eq!(rows[1].labels, ["Hauptstrasse 7", "Hauptstrasse *", "*"]);
/// assert_eq!(rows[2].labels, ["Am Ring 3", "Am Ring 3", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Patterns {
    /// How similar groups must be to be joined, level by level, falling; above 0 and at most 1.
    pub similarity: Vec<f64>,
    /// Runs of common characters shorter than this are left out of labels, unless they start or end them.
    pub shortest_run: usize,
}

impl Default for Patterns {
    fn default() -> Self {
        Self { similarity: vec![0.7, 0.4], shortest_run: 3 }
    }
}

const MOST_VALUES: usize = 20_000;
/// Some ten seconds on one core.
const MOST_WORK: u64 = 4_000_000_000;

impl Patterns {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        self.check(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let mut groups: Vec<Pattern> = sorted.iter().map(|value| Pattern::new(value)).collect();
        let mut group_of_value: Vec<usize> = (0..groups.len()).collect();
        let mut rows: HashMap<&str, Labels> = sorted.iter().map(|&value| (value, vec![value.to_owned()])).collect();
        for &similarity in &self.similarity {
            let (joined, group_of_group) = agglomerate(groups, similarity, self.shortest_run);
            groups = joined;
            let labels: Vec<String> = groups.iter().map(Pattern::to_string).collect();
            for (value, group) in sorted.iter().zip(&mut group_of_value) {
                *group = group_of_group[*group];
                if let Some(row) = rows.get_mut(value) {
                    row.push(labels[*group].clone());
                }
            }
        }
        Ok(values.iter().filter_map(|value| rows.remove(value)).collect())
    }

    fn check(&self, values: &[&str]) -> Result<(), HierarchyError> {
        if self.similarity.is_empty() {
            return fail("`similarity` is empty; give at least one, such as [0.7]");
        }
        check_levels(self.similarity.len(), "similarity")?;
        if let Some(wrong) = self.similarity.iter().find(|&&similarity| !(similarity > 0.0 && similarity <= 1.0)) {
            return fail(format!("a `similarity` of {wrong} is out of range; it must be above 0 and at most 1"));
        }
        if let Some([before, after]) = self.similarity.windows(2).find(|pair| pair[0] <= pair[1]) {
            return fail(format!("`similarity` must fall from level to level, but {after} follows {before}"));
        }
        if values.len() > MOST_VALUES {
            return fail(format!(
                "{} different texts are too many to compare ({MOST_VALUES} at most); use `mask` or `rare`, or a hierarchy file",
                values.len()
            ));
        }
        let longest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
        if work(values.len(), longest).saturating_mul(self.similarity.len() as u64) > MOST_WORK {
            return fail(format!(
                "{} different texts of up to {longest} characters take too long to compare; shorten them, or use `mask` or `rare`",
                values.len()
            ));
        }
        Ok(())
    }
}
