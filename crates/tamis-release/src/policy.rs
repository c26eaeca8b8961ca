//! The policy: what a data steward writes down about a table and its release.

use crate::mechanism::Mechanism;
use crate::{ReleaseError, path_of_table};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use tamis_engine::Aggregate;
use tamis_privacy::{Parameters, Value};
use tamis_table::hierarchy::builders::Builder;
use tamis_transform::{Stage, Step};

/// A policy file. Paths in it are relative to the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The column that names the person, where a person may have several rows: k, l, t and risk then count people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Where the data is.
    pub input: Input,
    /// What each column is. Columns without an entry are left out of the release.
    #[serde(default)]
    pub attributes: BTreeMap<String, AttributePolicy>,
    /// What must hold.
    #[serde(default)]
    pub models: Vec<ModelPolicy>,
    /// Transformations beside generalizing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// How to search.
    #[serde(default)]
    pub search: SearchPolicy,
    /// What to keep small.
    #[serde(default)]
    pub quality: QualityPolicy,
    /// How to write the release.
    #[serde(default)]
    pub output: OutputPolicy,
    /// How risk is reported.
    #[serde(default)]
    pub risk: RiskPolicy,
}

/// Where the data is and how it is written.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file.
    pub path: String,
    /// What separates fields, if it should not be detected: one character, or `tab`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// What encloses fields, if not detected: one character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// `utf-8` or `latin-1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The texts that mean a missing value; the empty text if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
}

/// What a column is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributePolicy {
    /// Its role.
    pub role: Role,
    /// How it generalizes: a file, or a builder written inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchySource>,
    /// Least level a quasi-identifier is generalized to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_level: Option<usize>,
    /// Highest level a quasi-identifier may be generalized to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_level: Option<usize>,
    /// How much its loss counts beside that of the others; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// How missing values are read.
    #[serde(default)]
    pub missing: Missing,
}

/// What a column says about a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Points at one person; never released.
    Identifying,
    /// May point at a person together with others; generalized.
    QuasiIdentifying,
    /// What nobody should learn about a person; released as it is, watched by the models.
    Sensitive,
    /// Harmless; released as it is.
    Insensitive,
}

/// How missing values of a quasi-identifier are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// "Missing" is a value like any other.
    #[default]
    OwnCategory,
    /// A missing value may stand for any value.
    MatchesAnything,
}

/// Where a hierarchy comes from.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum HierarchySource {
    /// A file `value;level 1;...;*`.
    File(String),
    /// A builder such as `{ interval = { width = 10 } }`.
    Builder(Box<Builder>),
}

impl<'de> Deserialize<'de> for HierarchySource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileOrBuilder;

        impl<'de> Visitor<'de> for FileOrBuilder {
            type Value = HierarchySource;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the path of a hierarchy file or a builder such as { mask = {} }")
            }

            fn visit_str<E>(self, path: &str) -> Result<Self::Value, E> {
                Ok(HierarchySource::File(path.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let builder = Builder::deserialize(MapAccessDeserializer::new(&mut map))?;
                match map.next_key::<String>()? {
                    Some(second) => Err(A::Error::custom(format!(
                        "a hierarchy is built one way, so `{second}` is one builder too many; remove all but one"
                    ))),
                    None => Ok(HierarchySource::Builder(Box::new(builder))),
                }
            }
        }
        deserializer.deserialize_any(FileOrBuilder)
    }
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelPolicy {
    /// Which model.
    pub kind: String,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
}

impl ModelPolicy {
    /// The k of a k-anonymity requirement.
    pub(crate) fn k(&self) -> Option<u64> {
        if self.kind != "k-anonymity" {
            return None;
        }
        match self.parameters.get("k")? {
            Value::Integer(k) => u64::try_from(*k).ok(),
            Value::Number(k) if k.fract() == 0.0 => Some(*k as u64),
            _ => None,
        }
    }
}

/// How to search.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchPolicy {
    /// Share of rows that may be suppressed.
    pub suppression_limit: f64,
    /// Number of rows that may be suppressed; the smaller of the two counts if both are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppression_rows: Option<u64>,
    /// Which search.
    pub algorithm: Algorithm,
    /// Seconds after which the best so far is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// Transformations after which the heuristic takes the best so far; unlike a time limit, this makes it repeatable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
}

impl Default for SearchPolicy {
    fn default() -> Self {
        Self {
            suppression_limit: 0.0,
            suppression_rows: None,
            algorithm: Algorithm::Optimal,
            time_limit: None,
            evaluations: None,
        }
    }
}

impl SearchPolicy {
    /// Sets the share of rows that may be suppressed, in place of any share or number set before.
    pub fn limit_suppression(&mut self, share: f64) {
        self.suppression_limit = share;
        self.suppression_rows = None;
    }
}

/// A way through the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The proven optimum.
    Optimal,
    /// The best that can be found in the time.
    Heuristic,
}

/// What to keep small.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QualityPolicy {
    /// Which measure.
    pub measure: String,
    /// How the attributes' parts are put together; the measure's default if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<String>,
    /// Generalization against suppression, 0 to 1.
    pub factor: f64,
    /// A variant of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

impl Default for QualityPolicy {
    fn default() -> Self {
        Self { measure: "loss".to_owned(), aggregate: None, factor: 0.5, variant: None }
    }
}

impl QualityPolicy {
    /// Whether the parts of the columns stay apart, so that the score is a list.
    pub(crate) fn ranks(&self) -> bool {
        self.aggregate.as_deref() == Some(Aggregate::Rank.name())
    }
}

/// How to write the release.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputPolicy {
    /// Where to, unless the command line says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The order of the rows.
    pub order: RowOrder,
    /// What becomes of suppressed rows.
    pub suppressed: SuppressedRows,
    /// Makes the shuffle repeatable; random if left out.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "seed")]
    pub seed: Option<u64>,
    /// What separates fields: one character, or `tab`; as in the input if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// How a missing value is written; if left out, as the rows of its column have it, or where these have several spellings in one that
    /// reads like no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// The order of released rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// Random: two releases of one table cannot be matched row by row.
    #[default]
    Shuffled,
    /// As in the input.
    Input,
}

/// What becomes of suppressed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuppressedRows {
    /// They stay, all their cells `*`.
    #[default]
    Keep,
    /// They are left out.
    Drop,
}

/// How risk is reported.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RiskPolicy {
    /// A row whose risk is above this is at risk.
    pub threshold: f64,
}

impl Default for RiskPolicy {
    fn default() -> Self {
        Self { threshold: 0.1 }
    }
}

impl Policy {
    /// Parses a policy; `name` stands for it in messages.
    ///
    /// ```
    /// use tamis_release::Policy;
    /// let policy = Policy::parse(
    ///     r#"
    ///     [input]
    ///     path = "people.csv"
    ///     [attributes.zip]
    ///     role = "quasi-identifying"
    ///     hierarchy = { mask = {} }
    ///     [[models]]
    ///     kind = "k-anonymity"
    ///     k = 5
    ///     "#,
    ///     "policy.toml",
    /// )?;
    /// assert_eq!(policy.models[0].kind, "k-anonymity");
    /// # Ok::<(), tamis_release::ReleaseError>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, ReleaseError> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = error.span().map_or((1, 1), |span| line_and_column(text, span.start));
            let reason = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
            ReleaseError::Policy { name: name.to_owned(), line, column, reason }
        })
    }

    /// The files that a release asked for at `path` is written to: more than one where the last step makes several tables.
    pub fn output_files(&self, path: &Path) -> Vec<PathBuf> {
        let last = self.steps.iter().rfind(|step| step.stage() != Stage::Input);
        last.map_or(&[""][..], Step::tables).iter().map(|name| path_of_table(path, name)).collect()
    }

    /// Whether more of the release is random than the order of its rows.
    pub fn is_random(&self) -> bool {
        !self.steps.is_empty() || self.is_mechanism()
    }

    /// Whether a randomized mechanism makes the release.
    pub fn is_mechanism(&self) -> bool {
        self.models.iter().any(|model| Mechanism::KINDS.contains(&model.kind.as_str()))
    }

    /// What the steps of the release work on; none if there are none, and then it need not be put together before it is written.
    pub(crate) fn release_stage(&self) -> Option<Stage> {
        let stages = || self.steps.iter().map(Step::stage).filter(|&stage| stage != Stage::Input);
        stages().find(|&stage| stage == Stage::Groups).or_else(|| stages().next())
    }

    /// Every file the policy reads: the input, hierarchies, lists of rows to release, and what steps name.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let hierarchies = self.attributes.values().filter_map(|attribute| match &attribute.hierarchy {
            Some(HierarchySource::File(path)) => Some(path.as_str()),
            _ => None,
        });
        let subsets = self.models.iter().filter_map(|model| match model.parameters.get("subset") {
            Some(tamis_privacy::Value::Text(path)) => Some(path.as_str()),
            _ => None,
        });
        let steps = self.steps.iter().flat_map(Step::files);
        [self.input.path.as_str()].into_iter().chain(hierarchies).chain(subsets).chain(steps)
    }

    /// Reads a policy file.
    pub fn read(path: &Path) -> Result<(Self, String), ReleaseError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|reason| ReleaseError::ReadPolicy { name: name.clone(), reason: reason.to_string() })?;
        Ok((Self::parse(&text, &name)?, text))
    }
}

/// A seed undoes the shuffle, so that a message must not repeat one that is written in the wrong way.
fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let wrong =
        |_| D::Error::custom("the seed is no whole number from 0 on; write it without quotes, sign or decimals");
    u64::deserialize(deserializer).map(Some).map_err(wrong)
}

/// Line and column of a byte, both from 1; columns count characters.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}
