//! Height: the sum of the levels (Samarati 2001). Weights and suppression do not enter.
//!
//! Many transformations have one height. Of those the one with the least [`loss`](super::loss) is the best.

use super::{Known, Measure, MeasureKind, QualityError, QualitySettings};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind = MeasureKind { name: "height", meaning: "sum of the levels", build };

#[derive(Debug)]
struct Height {
    loss: Box<dyn Measure>,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.no_aggregate(KIND.name)?;
    settings.variant(KIND.name, &[], "none")?;
    let loss = QualitySettings::loss(frequency.attributes.len()).build(frequency)?;
    Ok(Box::new(Height { loss }))
}

fn height(levels: &[usize], loss: &Score) -> Score {
    Score::number(levels.iter().sum::<usize>() as f64).tied_by(loss.value())
}

impl Measure for Height {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, levels: &[usize], tally: &Tally) -> Score {
        height(levels, &self.loss.score(levels, tally))
    }

    fn lower_bound(&self, levels: &[usize], known: &Known<'_>) -> Score {
        height(levels, &self.loss.lower_bound(levels, known))
    }
}
