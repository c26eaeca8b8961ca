//! What a comparison page shows, as plain values.

use serde::Serialize;

/// Everything a comparison page shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CompareReport {
    /// Heading of the page.
    pub title: String,
    /// Version of Tamis that made the comparison.
    pub version: String,
    /// The generalized attributes, in the order of [`CompareRow::levels`].
    pub attributes: Vec<String>,
    /// One row per setting.
    pub rows: Vec<CompareRow>,
    /// Where published reference values come from, if there are any.
    pub reference: String,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// One setting and its figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CompareRow {
    /// The setting in words: `k = 5, t = 0.2`.
    pub setting: String,
    /// What varies among the rows drawn as one line: `k`, `l` or `t`.
    pub family: String,
    /// The value of what varies.
    pub parameter: f64,
    /// Information loss, 0 to 1.
    pub loss: f64,
    /// Average re-identification risk.
    pub risk_average: f64,
    /// Highest re-identification risk.
    pub risk_max: f64,
    /// Share of kept rows above the risk threshold.
    pub at_risk: f64,
    /// Number of equivalence classes.
    pub classes: u64,
    /// Average class size.
    pub average: f64,
    /// Rows kept.
    pub kept: u64,
    /// Rows suppressed.
    pub suppressed: u64,
    /// Level of each attribute: `0 3 0 0 2 1 0 0`.
    pub levels: String,
    /// Seconds the search took.
    pub seconds: f64,
    /// Reference values published elsewhere; empty if there are none for this setting.
    pub published: Vec<Published>,
}

/// A reference value published elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Published {
    /// Which figure.
    pub figure: Figure,
    /// The published value, in the unit of the row (a fraction, a count).
    pub value: f64,
    /// The row's own value agrees with it, to the digits published.
    pub agrees: bool,
}

/// A figure of a [`CompareRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// [`CompareRow::loss`]
    Loss,
    /// [`CompareRow::risk_average`]
    RiskAverage,
    /// [`CompareRow::risk_max`]
    RiskMax,
    /// [`CompareRow::at_risk`]
    AtRisk,
    /// [`CompareRow::classes`]
    Classes,
    /// [`CompareRow::average`]
    Average,
    /// [`CompareRow::kept`]
    Kept,
    /// [`CompareRow::suppressed`]
    Suppressed,
}
