//! Quality measures: how much a transformation loses. One file each, one line in [`REGISTRY`].

mod aggregate;
pub mod average_class_size;
pub mod discernibility;
pub mod height;
pub mod loss;
pub mod non_uniform_entropy;
pub mod precision;

pub use aggregate::Aggregate;

use crate::{Forced, Score, Tally};
use std::fmt::Debug;
use tamis_table::FrequencySet;

/// Scores transformations of one table; smaller is better.
pub trait Measure: Debug + Send + Sync {
    /// Name in policies and results.
    fn name(&self) -> &'static str;

    /// The score of a transformation whose classes were tallied.
    fn score(&self, levels: &[usize], tally: &Tally) -> Score;

    /// A score that `levels` and everything more general cannot beat, knowing what must be suppressed at `levels`.
    ///
    /// Without forced rows the bound must not fall when a level rises.
    fn lower_bound(&self, levels: &[usize], known: &Known<'_>) -> Score;

    /// Whether [`Tally::suppressed_labels`] is wanted.
    fn needs_suppressed_labels(&self) -> bool {
        false
    }

    /// Whether [`Known::finer`] would sharpen the bound.
    fn uses_finer_classes(&self) -> bool {
        false
    }

    /// The part of each attribute, where the measure has such parts.
    fn parts(&self, _levels: &[usize], _tally: &Tally) -> Option<Vec<f64>> {
        None
    }
}

/// What is known of a transformation before it is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// What must be suppressed.
    pub forced: &'a Forced,
    /// Number of classes and sum of squared class sizes of a less general transformation.
    pub finer: Option<(u64, u64)>,
    /// No released class is smaller.
    pub least_size: u64,
}

/// How quality is measured, as a policy says it.
#[derive(Debug, Clone, PartialEq)]
pub struct QualitySettings {
    /// Which measure.
    pub measure: String,
    /// How the parts of the attributes are put together; the measure's own default if left out.
    pub aggregate: Option<Aggregate>,
    /// Generalization against suppression, 0 to 1; 0.5 weighs both fully.
    pub factor: f64,
    /// A weight per attribute, in column order.
    pub weights: Vec<f64>,
    /// A variant of the measure, such as `monotone`.
    pub variant: Option<String>,
}

/// A quality setting that makes no sense.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum QualityError {
    /// No measure of that name.
    #[error("there is no quality measure `{name}`; the measures are {known}")]
    UnknownMeasure {
        /// The name asked for.
        name: String,
        /// The measures there are.
        known: String,
    },
    /// The measure has no such variant.
    #[error("the measure `{measure}` has no variant `{variant}`; it has {known}")]
    UnknownVariant {
        /// The measure.
        measure: &'static str,
        /// The variant asked for.
        variant: String,
        /// The variants there are.
        known: &'static str,
    },
    /// The measure is one number for the table and has nothing to aggregate.
    #[error("the measure `{measure}` is one number for the whole table; remove `aggregate`")]
    NothingToAggregate {
        /// The measure.
        measure: &'static str,
    },
    /// A factor out of range.
    #[error("the factor is {found}; expected a number between 0 and 1")]
    BadFactor {
        /// The factor found.
        found: f64,
    },
    /// A weight out of range.
    #[error("the weight of `{attribute}` is {found}; expected a number of at least 0, and one weight above 0")]
    BadWeight {
        /// The attribute.
        attribute: String,
        /// The weight found.
        found: f64,
    },
}

/// Makes a measure for a table.
type Build = fn(&FrequencySet, &QualitySettings) -> Result<Box<dyn Measure>, QualityError>;

/// A kind of measure.
#[derive(Debug, Clone, Copy)]
pub struct MeasureKind {
    /// Name in policies.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub meaning: &'static str,
    /// Makes it for a table.
    pub build: Build,
}

/// Every measure there is.
pub const REGISTRY: &[MeasureKind] = &[
    loss::KIND,
    discernibility::KIND,
    average_class_size::KIND,
    non_uniform_entropy::KIND,
    precision::KIND,
    height::KIND,
];

impl QualitySettings {
    /// The default settings: loss, equal weights.
    pub fn loss(attributes: usize) -> Self {
        Self {
            measure: loss::KIND.name.to_owned(),
            aggregate: None,
            factor: 0.5,
            weights: vec![1.0; attributes],
            variant: None,
        }
    }

    /// Makes the measure for a table.
    pub fn build(&self, frequency: &FrequencySet) -> Result<Box<dyn Measure>, QualityError> {
        let kind =
            REGISTRY.iter().find(|kind| kind.name == self.measure).ok_or_else(|| QualityError::UnknownMeasure {
                name: self.measure.clone(),
                known: REGISTRY.iter().map(|kind| format!("`{}`", kind.name)).collect::<Vec<_>>().join(", "),
            })?;
        if !(0.0..=1.0).contains(&self.factor) {
            return Err(QualityError::BadFactor { found: self.factor });
        }
        for (attribute, &found) in frequency.attributes.iter().zip(&self.weights) {
            if !(found.is_finite() && found >= 0.0) || self.weights.iter().all(|&weight| weight == 0.0) {
                return Err(QualityError::BadWeight { attribute: attribute.name.clone(), found });
            }
        }
        (kind.build)(frequency, self)
    }

    /// Weights scaled so that the largest is 1.
    fn scaled_weights(&self) -> Vec<f64> {
        let most = self.weights.iter().copied().fold(0.0, f64::max);
        self.weights.iter().map(|weight| weight / most).collect()
    }

    fn no_aggregate(&self, measure: &'static str) -> Result<(), QualityError> {
        if self.aggregate.is_some() { Err(QualityError::NothingToAggregate { measure }) } else { Ok(()) }
    }

    fn variant(
        &self,
        measure: &'static str,
        known: &'static [&'static str],
        list: &'static str,
    ) -> Result<usize, QualityError> {
        let Some(variant) = &self.variant else { return Ok(0) };
        known.iter().position(|name| name == variant).ok_or_else(|| QualityError::UnknownVariant {
            measure,
            variant: variant.clone(),
            known: list,
        })
    }
}

/// For each attribute and level, the sum over all rows of their label's lines.
pub(crate) fn lines_by_level(frequency: &FrequencySet) -> Vec<Vec<u64>> {
    frequency
        .attributes
        .iter()
        .enumerate()
        .map(|(j, attribute)| {
            let rows_of_code = frequency.rows_of_codes(j);
            (0..attribute.recoder.levels())
                .map(|level| {
                    let lines = attribute.recoder.label_lines(level);
                    let labels = attribute.recoder.labels_of_codes(level);
                    labels.iter().zip(&rows_of_code).map(|(&label, &rows)| rows * lines[label as usize]).sum()
                })
                .collect()
        })
        .collect()
}

/// Rounds down to ten decimals, as the published figures do. What rounding left just below ten decimals counts as them, so that 3/4 is
/// 0.75 and not 0.7499999999. Never falls as `value` grows, which bounds rely on.
fn floor_to_ten_decimals(value: f64) -> f64 {
    // Some twenty roundings of a value up to 1, or in proportion of a larger one.
    const SLACK: f64 = 4e-15;
    let scaled = value * 1e10;
    let nearest = scaled.round();
    let is_exact = (scaled - nearest).abs() <= SLACK * scaled.max(1e10);
    (if is_exact { nearest } else { scaled.floor() }) / 1e10
}

#[cfg(test)]
mod tests {
    use super::floor_to_ten_decimals;

    #[test]
    fn what_has_ten_decimals_keeps_them_and_everything_else_is_rounded_down() {
        for (value, floored) in [
            (0.75, 0.75),
            (0.75 - 2.0 * f64::EPSILON, 0.75),
            (0.75 - 1e-13, 0.749_999_999_9),
            (0.333_333_333_333_333_3, 0.333_333_333_3),
            (0.666_666_666_666_666_6, 0.666_666_666_6),
            (1.0 - f64::EPSILON, 1.0),
            (0.0, 0.0),
            (1234.5, 1234.5),
        ] {
            assert_eq!(floor_to_ten_decimals(value), floored, "{value}");
        }
    }
}
