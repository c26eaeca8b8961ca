//! Height: the sum of the levels (Samarati 2001). Weights and suppression do not enter.

use super::{Known, Measure, MeasureKind, QualityError, QualitySettings};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind = MeasureKind { name: "height", meaning: "sum of the levels", build };

#[derive(Debug)]
struct Height;

fn build(_: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.no_aggregate(KIND.name)?;
    settings.variant(KIND.name, &[], "none")?;
    Ok(Box::new(Height))
}

fn height(levels: &[usize]) -> Score {
    Score::number(levels.iter().sum::<usize>() as f64)
}

impl Measure for Height {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, levels: &[usize], _tally: &Tally) -> Score {
        height(levels)
    }

    fn lower_bound(&self, levels: &[usize], _known: &Known<'_>) -> Score {
        height(levels)
    }
}
