//! Discernibility: how many rows each row cannot be told from (Bayardo and Agrawal 2005).
//!
//! Sum of squared sizes over released classes, plus n for every suppressed row. The `monotone` variant sums the squares of all
//! classes, suppressed or not.

use super::{Known, Measure, MeasureKind, QualityError, QualitySettings};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind =
    MeasureKind { name: "discernibility", meaning: "how many rows each row cannot be told from", build };

#[derive(Debug)]
struct Discernibility {
    rows: u64,
    is_monotone: bool,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.no_aggregate(KIND.name)?;
    let variant = settings.variant(KIND.name, &["standard", "monotone"], "`standard`, `monotone`")?;
    Ok(Box::new(Discernibility { rows: frequency.rows, is_monotone: variant == 1 }))
}

impl Measure for Discernibility {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, _levels: &[usize], tally: &Tally) -> Score {
        Score::number(if self.is_monotone {
            tally.squares as f64
        } else {
            // 128 bits, as n times the suppressed rows may exceed 64 beside the squares.
            (u128::from(tally.kept_squares) + u128::from(self.rows) * u128::from(tally.suppressed)) as f64
        })
    }

    /// Classes only merge on the way up, and a suppressed row counts n, which no class size exceeds.
    fn lower_bound(&self, _levels: &[usize], known: &Known<'_>) -> Score {
        let squares = known.finer.map_or(self.rows, |(_, squares)| squares);
        if self.is_monotone {
            return Score::number(squares as f64);
        }
        // Rows that are not forced out count the size of a class, or n after all, which may be less than a class must have.
        let kept = u128::from(self.rows - known.forced.rows) * u128::from(known.least_size.min(self.rows));
        let forced = u128::from(known.forced.rows) * u128::from(self.rows) + kept;
        Score::number((forced as f64).max(squares as f64))
    }

    fn uses_finer_classes(&self) -> bool {
        true
    }
}
