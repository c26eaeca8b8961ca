//! Loss: which share of its domain a released value may stand for, averaged over rows and attributes.
//!
//! With D lines in an attribute's hierarchy and a label that covers `lines` of them, a released row loses share = lines / D, a
//! suppressed one everything. With A the sum over rows and m = gF n / D the least it can be, the attribute's part is
//! max(0, (A - m) / (n - m)) rounded down to ten decimals: 0 if nothing changed, 1 if everything is suppressed. The factor g weighs
//! generalization (gF = 1 up to 0.5, then falling to 0) against suppression (sF = 2g up to 0.5, then 1). The default aggregate is
//! geometric. This is the measure of the published Adult figures.

use super::{
    Aggregate, Known, Measure, MeasureKind, QualityError, QualitySettings, floor_to_ten_decimals, lines_by_level,
};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind =
    MeasureKind { name: "loss", meaning: "share of its domain that a released value may stand for", build };

#[derive(Debug)]
struct Loss {
    aggregate: Aggregate,
    weights: Vec<f64>,
    generalization: f64,
    suppression: f64,
    rows: f64,
    attributes: Vec<AttributeLoss>,
}

#[derive(Debug)]
struct AttributeLoss {
    lines: f64,
    /// Sum over all rows of their label's lines, per level.
    by_level: Vec<u64>,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    settings.variant(KIND.name, &[], "none")?;
    let factor = settings.factor;
    let attributes = frequency
        .attributes
        .iter()
        .zip(lines_by_level(frequency))
        .map(|(attribute, by_level)| AttributeLoss { lines: attribute.recoder.lines() as f64, by_level })
        .collect();
    Ok(Box::new(Loss {
        aggregate: settings.aggregate.unwrap_or(Aggregate::Geometric),
        weights: settings.scaled_weights(),
        generalization: if factor <= 0.5 { 1.0 } else { 1.0 - 2.0 * (factor - 0.5) },
        suppression: if factor < 0.5 { 2.0 * factor } else { 1.0 },
        rows: frequency.rows as f64,
        attributes,
    }))
}

impl Loss {
    /// The part of an attribute whose rows lose `amount` in all, in rows.
    fn part(&self, attribute: &AttributeLoss, amount: f64) -> f64 {
        let least = self.generalization * self.rows / attribute.lines;
        // A hierarchy of one line has nothing to lose by generalization: 0/0 counts as none. Where generalization counts less than
        // suppression, what is left of it is the share of suppressed rows.
        let part = (amount - least) / (self.rows - least);
        floor_to_ten_decimals(part.max(0.0))
    }
}

impl Measure for Loss {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, levels: &[usize], tally: &Tally) -> Score {
        let parts = self.parts(levels, tally).unwrap_or_default();
        self.aggregate.combine(parts.into_iter(), &self.weights)
    }

    fn parts(&self, _levels: &[usize], tally: &Tally) -> Option<Vec<f64>> {
        let suppressed = tally.suppressed as f64;
        Some(
            self.attributes
                .iter()
                .enumerate()
                .map(|(j, attribute)| {
                    let kept = tally.kept_lines[j] as f64 / attribute.lines * self.generalization;
                    let lost = if self.suppression == 1.0 {
                        suppressed
                    } else {
                        let share = tally.suppressed_lines[j] as f64 / attribute.lines;
                        share + self.suppression * (suppressed - share)
                    };
                    self.part(attribute, kept + lost)
                })
                .collect(),
        )
    }

    /// Every row loses at least what its label covers; a suppressed one loses `1 - share` more, weighed by the factors.
    fn lower_bound(&self, levels: &[usize], known: &Known<'_>) -> Score {
        let parts = self.attributes.iter().enumerate().map(|(j, attribute)| {
            let generalized = attribute.by_level[levels[j]] as f64 / attribute.lines * self.generalization;
            let extra = known.forced.extra_lines[j] as f64 / attribute.lines;
            let forced = if self.suppression == 1.0 {
                known.forced.rows as f64 * (1.0 - self.generalization) + extra * self.generalization
            } else {
                extra * self.suppression
            };
            self.part(attribute, (generalized + forced) * (1.0 - 4e-15))
        });
        self.aggregate.combine(parts, &self.weights)
    }
}
