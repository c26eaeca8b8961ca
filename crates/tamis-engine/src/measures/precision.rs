//! Precision: how far up its hierarchy each value went, suppressed values all the way (Sweeney 2002, as a loss).
//!
//! With s of n rows suppressed and level i of h, an attribute's part is ((n - s) i / h + s) / n. The default aggregate is the
//! arithmetic mean.

use super::{Aggregate, Known, Measure, MeasureKind, QualityError, QualitySettings};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind =
    MeasureKind { name: "precision", meaning: "how far up its hierarchy each value went", build };

#[derive(Debug)]
struct Precision {
    aggregate: Aggregate,
    weights: Vec<f64>,
    rows: f64,
    heights: Vec<usize>,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.variant(KIND.name, &[], "none")?;
    Ok(Box::new(Precision {
        aggregate: settings.aggregate.unwrap_or(Aggregate::Arithmetic),
        weights: settings.scaled_weights(),
        rows: frequency.rows as f64,
        heights: frequency.attributes.iter().map(|attribute| attribute.recoder.levels() - 1).collect(),
    }))
}

impl Precision {
    fn part(&self, level: usize, height: usize, suppressed: u64) -> f64 {
        let suppressed = suppressed as f64;
        // A hierarchy of one column cannot be climbed.
        let climbed = if height == 0 { 0.0 } else { level as f64 / height as f64 };
        ((self.rows - suppressed) * climbed + suppressed) / self.rows
    }

    fn all(&self, levels: &[usize], suppressed: u64) -> Vec<f64> {
        levels.iter().zip(&self.heights).map(|(&level, &height)| self.part(level, height, suppressed)).collect()
    }
}

impl Measure for Precision {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, levels: &[usize], tally: &Tally) -> Score {
        self.aggregate.combine(self.all(levels, tally.suppressed).into_iter(), &self.weights)
    }

    fn parts(&self, levels: &[usize], tally: &Tally) -> Option<Vec<f64>> {
        Some(self.all(levels, tally.suppressed))
    }

    fn lower_bound(&self, levels: &[usize], known: &Known<'_>) -> Score {
        let parts = self.all(levels, known.forced.rows).into_iter().map(|part| part * (1.0 - 4e-15));
        self.aggregate.combine(parts, &self.weights)
    }
}
