//! Average class size: rows per class, all suppressed rows counting as one class (LeFevre et al. 2006).
//!
//! n / (released classes + 1 if anything is suppressed).

use super::{Known, Measure, MeasureKind, QualityError, QualitySettings};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind =
    MeasureKind { name: "average-class-size", meaning: "rows per class, suppressed rows as one class", build };

#[derive(Debug)]
struct AverageClassSize {
    rows: f64,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.no_aggregate(KIND.name)?;
    settings.variant(KIND.name, &[], "none")?;
    Ok(Box::new(AverageClassSize { rows: frequency.rows as f64 }))
}

impl Measure for AverageClassSize {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, _levels: &[usize], tally: &Tally) -> Score {
        Score::number(self.rows / (tally.kept_classes + u64::from(tally.suppressed > 0)) as f64)
    }

    /// There are no more classes than below, nor more than fit the rows that are left.
    fn lower_bound(&self, _levels: &[usize], known: &Known<'_>) -> Score {
        let fitting = (self.rows - known.forced.rows as f64) / known.least_size.max(1) as f64;
        let classes = known.finer.map_or(fitting, |(classes, _)| fitting.min(classes as f64));
        Score::number(self.rows / (classes.floor() + 1.0))
    }

    fn uses_finer_classes(&self) -> bool {
        true
    }
}
