//! The solution among all transformations, as plain values.

use serde::Serialize;

/// The lattice of transformations and what the search saw of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LatticeReport {
    /// The generalized attributes in column order.
    pub attributes: Vec<String>,
    /// Highest level of each attribute.
    pub maximum: Vec<usize>,
    /// Chosen level of each attribute.
    pub solution: Vec<usize>,
    /// Transformations the search met; may be a part of them. What is not listed is drawn as pruned.
    pub nodes: Vec<LatticeNode>,
    /// Number of transformations, in decimal digits because it may exceed any integer type.
    pub total: String,
    /// Transformations evaluated.
    pub checked: u64,
}

/// One transformation the search met.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LatticeNode {
    /// Level of each attribute.
    pub levels: Vec<usize>,
    /// Its score, if it was computed.
    pub score: Option<f64>,
    /// What its score cannot be below.
    pub lower_bound: f64,
    /// What the search did with it.
    pub status: NodeStatus,
    /// Whether it meets every model within the suppression limit, if that is known.
    pub holds: Option<bool>,
}

/// What the search did with a transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeStatus {
    /// Its classes were computed and judged.
    Evaluated,
    /// Shown not to matter without computing its classes.
    Pruned,
    /// Evaluated and chosen.
    Solution,
}
