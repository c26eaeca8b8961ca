//! The figures of a risk report, as they appear in JSON.

use crate::outcome::RiskFigures;
use crate::risk::RecordRisk;
use serde::Serialize;
use tamis_risk::hipaa::Flag;
use tamis_risk::{MinimalUniques, Records, suda};

/// Everything there is to say about the risk of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskReport {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Rows measured.
    pub rows: u64,
    /// Rows left out because their quasi-identifiers are all `*`.
    pub suppressed: u64,
    /// The sizes of the classes.
    pub classes: ClassSizes,
    /// Rows that nobody else shares their quasi-identifiers with.
    pub uniques: UniqueFigures,
    /// The risk from someone who knows that a person is in the table.
    pub prosecutor: RiskFigures,
    /// The risk from someone who knows that a person is in the population; with a population or a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journalist: Option<JournalistFigures>,
    /// The expected share of rows matched to the right person.
    pub marketer: MarketerFigures,
    /// The population, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationFigures>,
    /// How much of its class in the population each class is; with a population.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence: Option<PresenceFigures>,
    /// How many are unique in the population by estimate; with a fraction, where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimates: Option<Estimates>,
    /// What each quasi-identifier contributes, in their order.
    pub attributes: Vec<AttributeRisk>,
    /// Minimal sample uniques.
    pub msu: MsuFigures,
    /// The riskiest records.
    pub records: Vec<RecordRisk>,
    /// The row that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<RecordRisk>,
    /// Columns that the safe harbour rule wants gone.
    pub hipaa: Vec<HipaaFlag>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// The sizes of classes, in people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassSizes {
    /// How many there are.
    pub count: u64,
    /// The smallest; 0 if there is none.
    pub min: u64,
    /// The largest.
    pub max: u64,
    /// The mean.
    pub average: f64,
    /// Pairs of a size and how many classes have it, ascending.
    pub sizes: Vec<(u64, u64)>,
}

impl ClassSizes {
    pub(super) fn of(sizes: &[(u64, u64)]) -> Self {
        let count: u64 = sizes.iter().map(|&(_, classes)| classes).sum();
        let people: u64 = sizes.iter().map(|&(size, classes)| size * classes).sum();
        Self {
            count,
            min: sizes.first().map_or(0, |&(size, _)| size),
            max: sizes.last().map_or(0, |&(size, _)| size),
            average: if count == 0 { 0.0 } else { people as f64 / count as f64 },
            sizes: sizes.to_vec(),
        }
    }
}

/// Rows whose quasi-identifiers are one person's alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UniqueFigures {
    /// How many.
    pub rows: u64,
    /// Of all rows measured.
    pub share: f64,
}

/// The journalist's risk and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JournalistFigures {
    /// The figures.
    #[serde(flatten)]
    pub risk: RiskFigures,
    /// `population` if counted, `estimate` if derived from the sampling fraction.
    pub basis: &'static str,
}

/// The marketer's risk and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarketerFigures {
    /// The expected share of rows matched to the right person.
    pub share: f64,
    /// `population`, `estimate`, or `sample` if everybody outside is ignored.
    pub basis: &'static str,
}

/// What was counted in the population.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PopulationFigures {
    /// People in it.
    pub people: u64,
    /// The share of them who are in the table.
    pub fraction: f64,
    /// People in it who are unique.
    pub uniques: u64,
    /// Rows of the table that are unique in it.
    pub uniques_in_table: u64,
    /// Rows of the table whose quasi-identifiers it has too rarely to contain them.
    pub rows_not_covered: u64,
}

/// The range of the share of a class that is in the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PresenceFigures {
    /// The least.
    pub min: f64,
    /// The most: whoever has these quasi-identifiers is in the table with this probability.
    pub max: f64,
}

/// Population uniques as each estimator sees them; none where one is not defined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimates {
    /// The sampling fraction.
    pub fraction: f64,
    /// Pitman's model.
    pub pitman: Option<UniquesEstimate>,
    /// Zayatz's.
    pub zayatz: Option<UniquesEstimate>,
    /// The slide negative binomial model.
    pub snb: Option<UniquesEstimate>,
    /// The one that the rule of Dankar et al. chooses.
    pub dankar: Option<UniquesEstimate>,
}

/// One estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UniquesEstimate {
    /// Whose it is.
    pub estimator: &'static str,
    /// People who are unique in the population.
    pub population_uniques: f64,
    /// Of the population.
    pub share_of_population: f64,
    /// The probability that a unique person of the table is unique in the population.
    pub share_of_sample_uniques: f64,
}

/// What a quasi-identifier contributes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttributeRisk {
    /// The column.
    pub column: String,
    /// Rows that stay unique without it.
    pub uniques_without: u64,
    /// Rows that are unique because of it.
    pub uniques_fewer: u64,
    /// The prosecutor's average risk without it.
    pub average_without: f64,
    /// Its Shapley value: the share of rows that become unique by it, averaged over all orders of columns.
    pub contribution: Option<f64>,
    /// The share of all SUDA scores from sets with it.
    pub suda_share: f64,
}

/// Minimal sample uniques in all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MsuFigures {
    /// The largest number of columns looked at.
    pub size: u64,
    /// How many there are of one column, two, and so on.
    pub by_size: Vec<u64>,
    /// Rows that have one.
    pub rows: u64,
    /// The highest SUDA score.
    pub highest_score: f64,
}

impl MsuFigures {
    pub(super) fn of(minimal: &MinimalUniques, scores: &suda::Scores, records: &Records) -> Self {
        let mut by_size = vec![0; minimal.size];
        for (_, set) in &minimal.found {
            by_size[set.size() - 1] += 1;
        }
        let rated = (0..records.tuples()).filter(|&tuple| scores.of_tuple[tuple] > 0.0);
        Self {
            size: minimal.size as u64,
            by_size,
            rows: rated.map(|tuple| records.rows(tuple)).sum(),
            highest_score: scores.of_tuple.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// A column that the safe harbour rule wants gone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HipaaFlag {
    /// The column.
    pub column: String,
    /// The letter of the identifier in 45 CFR 164.514(b)(2)(i).
    pub letter: char,
    /// What it is.
    pub identifier: &'static str,
    /// Why it was flagged.
    pub reason: String,
    /// The share of values that match, where the content gave it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// What to do.
    pub remedy: &'static str,
}

impl From<Flag> for HipaaFlag {
    fn from(flag: Flag) -> Self {
        let remedy = flag.remedy();
        Self {
            column: flag.column,
            letter: flag.identifier.letter(),
            identifier: flag.identifier.meaning(),
            reason: flag.reason,
            share: flag.share,
            remedy,
        }
    }
}
