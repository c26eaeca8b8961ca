//! The figures of a release, as scripts read them.

use crate::NumberFigures;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Everything worth knowing about a solution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The transformation chosen.
    pub solution: SolutionFigures,
    /// What it loses.
    pub quality: QualityFigures,
    /// The released classes.
    pub classes: ClassFigures,
    /// What became of the rows.
    pub rows: RowFigures,
    /// How likely a person is recognised.
    pub risk: RiskFigures,
    /// How the solution was found.
    pub search: SearchFigures,
    /// Figures of released numbers: means, extremes and the most frequent label.
    #[serde(default)]
    pub figures: BTreeMap<String, NumberFigures>,
    /// The models that hold, in words.
    #[serde(default)]
    pub models: Vec<String>,
    /// What the user should know.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The transformation chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolutionFigures {
    /// The level of each quasi-identifier, in column order.
    #[serde(serialize_with = "as_map", deserialize_with = "from_map")]
    pub levels: Vec<(String, usize)>,
    /// Whether it is proven that nothing better exists.
    pub optimal: bool,
    /// The proven lower bound on the chosen measure.
    pub lower_bound: f64,
}

/// What a transformation loses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualityFigures {
    /// The loss with default factor, weights and aggregate.
    pub loss: f64,
    /// The chosen measure under its own name, where it is another; a list for the rank aggregate.
    #[serde(flatten)]
    pub chosen: BTreeMap<String, serde_json::Value>,
}

/// The released classes; suppressed rows are left out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ClassFigures {
    /// How many.
    pub count: u64,
    /// Size of the smallest.
    pub min: u64,
    /// Size of the largest.
    pub max: u64,
    /// Mean size.
    pub average: f64,
    /// What sizes count: rows, or people where the policy names an entity.
    #[serde(default, skip_serializing_if = "Unit::is_rows")]
    pub unit: Unit,
}

/// What class sizes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Rows.
    #[default]
    Rows,
    /// People.
    People,
}

impl Unit {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_rows(&self) -> bool {
        *self == Self::Rows
    }
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rows => "rows",
            Self::People => "people",
        })
    }
}

/// What became of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RowFigures {
    /// Rows to release.
    pub input: u64,
    /// Rows released.
    pub kept: u64,
    /// Rows suppressed.
    pub suppressed: u64,
}

/// The prosecutor's risk.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct RiskFigures {
    /// Mean over released rows.
    pub average: f64,
    /// Of the rows in the smallest class.
    pub max: f64,
    /// Share of released rows above the threshold.
    pub at_risk: f64,
    /// That threshold.
    pub threshold: f64,
}

/// How the solution was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchFigures {
    /// Number of transformations; a decimal string where it exceeds what a JSON number holds exactly.
    pub lattice: serde_json::Value,
    /// Transformations evaluated.
    pub checked: u64,
    /// Seconds the search took.
    pub seconds: f64,
}

/// A whole number as JSON holds it: a decimal string where a reader that knows only doubles would round it.
pub fn exact_number(number: u64) -> serde_json::Value {
    const EXACT: u64 = 1 << 53;
    if number <= EXACT { number.into() } else { number.to_string().into() }
}

impl SolutionFigures {
    /// The levels alone.
    pub fn level_vector(&self) -> Vec<usize> {
        self.levels.iter().map(|&(_, level)| level).collect()
    }
}

fn as_map<S: Serializer>(levels: &[(String, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(levels.len()))?;
    for (name, level) in levels {
        map.serialize_entry(name, level)?;
    }
    map.end()
}

fn from_map<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, usize)>, D::Error> {
    struct Pairs;
    impl<'de> serde::de::Visitor<'de> for Pairs {
        type Value = Vec<(String, usize)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a map from attributes to levels")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
    deserializer.deserialize_map(Pairs)
}
