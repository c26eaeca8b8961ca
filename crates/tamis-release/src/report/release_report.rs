//! What a release page shows, as plain values.

use serde::Serialize;

use super::LatticeReport;

/// Everything a release page shows. Empty lists leave their section out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ReleaseReport {
    /// Heading of the page, usually the name of the table.
    pub title: String,
    /// Version of Tamis that made the release.
    pub version: String,
    /// What holds, and whether anything better exists.
    pub verdict: Verdict,
    /// Rows in, kept and suppressed.
    pub rows: Rows,
    /// Quality measures by name, the one that was minimized first.
    pub quality: Vec<(String, f64)>,
    /// Equivalence classes of the released table, suppressed rows left out.
    pub classes: Classes,
    /// Re-identification risk of the released rows.
    pub risk: Risk,
    /// The k that every class reaches, if the policy asks for one; drawn as a line in the histogram.
    pub k: Option<u64>,
    /// Class size and number of classes of that size, in any order.
    pub class_sizes: Vec<(u64, u64)>,
    /// Whether a randomized mechanism made the release, whose promise does not cover the figures.
    pub is_mechanism: bool,
    /// Whether sizes count people instead of rows.
    pub counts_people: bool,
    /// The attributes in column order.
    pub attributes: Vec<AttributeReport>,
    /// The sensitive attributes with the figures of their worst class.
    pub sensitive: Vec<SensitiveReport>,
    /// Where the solution lies among all transformations.
    pub lattice: Option<LatticeReport>,
    /// Counts of the *input* table below this number are merged with others before they are drawn, so that a
    /// published page does not point at the one person with a rare value. 0 shows every count.
    pub smallest_count: u64,
    /// The policy, written anew without comments and secrets.
    pub policy: String,
    /// Facts from the manifest, such as file hashes and the seed: name and value.
    pub facts: Vec<(String, String)>,
    /// Remarks for the reader, such as a quasi-identifier without hierarchy.
    pub notes: Vec<String>,
}

/// The inputs of the sentence that opens the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// The models that hold, in words: `5-anonymity`, `t-closeness of occupation (t = 0.2)`.
    pub models: Vec<String>,
    /// Name of the measure that was minimized.
    pub measure: String,
    /// Its value for this release.
    pub score: f64,
    /// Proved that no admissible transformation scores lower.
    pub optimal: bool,
    /// What is proved when `optimal` is false: no admissible transformation scores below this.
    pub bound: Option<f64>,
}

/// Row counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Rows of the input table.
    pub input: u64,
    /// Rows released.
    pub kept: u64,
    /// Rows suppressed whole.
    pub suppressed: u64,
}

/// Statistics of the equivalence classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Classes {
    /// Number of classes.
    pub count: u64,
    /// Size of the smallest.
    pub min: u64,
    /// Size of the largest.
    pub max: u64,
    /// Average size.
    pub average: f64,
}

/// Re-identification risk, as fractions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Risk {
    /// Average over the kept rows.
    pub average: f64,
    /// Risk of the rows in the smallest class.
    pub max: f64,
    /// Share of the kept rows whose risk is above `threshold`.
    pub at_risk: f64,
    /// The threshold of `at_risk`.
    pub threshold: f64,
}

/// One column, before and after.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AttributeReport {
    /// Column name.
    pub name: String,
    /// Role in the policy's words: `quasi-identifying`, `sensitive`, ...
    pub role: String,
    /// The level the column was generalized to; 0 = as it is.
    pub level: usize,
    /// Number of levels of its hierarchy, level 0 included; 0 if the column is not generalized at all.
    pub levels: usize,
    /// One value followed through the hierarchy: `labels[0]` the value, `labels[level]` what it becomes.
    pub labels: Vec<String>,
    /// Share of the column's information lost, 0 to 1.
    pub loss: Option<f64>,
    /// The values have an order, and `before` and `after` are given in it. Otherwise the page sorts by count.
    pub ordered: bool,
    /// Value and rows in the input table.
    pub before: Vec<(String, u64)>,
    /// Value and rows in the released table; suppressed rows as `*`.
    pub after: Vec<(String, u64)>,
}

/// One sensitive attribute: the figures of the class that protects it worst.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SensitiveReport {
    /// Column name.
    pub name: String,
    /// Fewest distinct values in a class.
    pub distinct_l: u64,
    /// Smallest effective number of values in a class (the exponential of its entropy).
    pub entropy_l: f64,
    /// Largest distance between a class and the whole table, if measured.
    pub t: Option<f64>,
    /// The distance in words: `hierarchical`, `ordered` or `equal`.
    pub distance: String,
    /// The values have an order, and `distribution` is given in it.
    pub ordered: bool,
    /// Value and rows in the input table.
    pub distribution: Vec<(String, u64)>,
}

impl ReleaseReport {
    /// What class sizes count.
    pub(super) fn unit(&self) -> &'static str {
        if self.counts_people { "people" } else { "rows" }
    }
}
