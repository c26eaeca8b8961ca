//! Non-uniform entropy: how many bits it takes to guess the original values back (Gionis and Tassa 2009).
//!
//! An attribute's part is E = - sum over rows log2(freq(value) / freq(label)). With s suppressed rows, of which c_v would have had the
//! label v, it grows by - sum c_v log2(c_v / s). Rounded down to ten decimals; the default aggregate is the sum. Variants:
//! `monotone` leaves the suppressed rows' term out, `normalized` divides the rounded sum by - sum f_v log2(f_v / n), the bits of the whole column.

use super::{Aggregate, Known, Measure, MeasureKind, QualityError, QualitySettings, floor_to_ten_decimals};
use crate::{Score, Tally};
use tamis_table::FrequencySet;

/// Registry entry.
pub const KIND: MeasureKind =
    MeasureKind { name: "non-uniform-entropy", meaning: "bits it takes to guess the original values back", build };

#[derive(Debug)]
struct NonUniformEntropy {
    aggregate: Aggregate,
    weights: Vec<f64>,
    counts_suppressed: bool,
    /// Bits of each attribute on each level, and what they are divided by.
    attributes: Vec<(Vec<f64>, f64)>,
}

fn build(frequency: &FrequencySet, settings: &QualitySettings) -> Result<Box<dyn Measure>, QualityError> {
    let names = &["standard", "monotone", "normalized"];
    let variant = settings.variant(KIND.name, names, "`standard`, `monotone`, `normalized`")?;
    let attributes = (0..frequency.attributes.len())
        .map(|j| {
            let (bits, whole) = bits_by_level(frequency, j);
            (bits, if variant == 2 && whole > 0.0 { whole } else { 1.0 })
        })
        .collect();
    Ok(Box::new(NonUniformEntropy {
        aggregate: settings.aggregate.unwrap_or(Aggregate::Sum),
        weights: settings.scaled_weights(),
        counts_suppressed: variant != 1,
        attributes,
    }))
}

/// Bits lost on each level, and the bits of the whole column.
fn bits_by_level(frequency: &FrequencySet, j: usize) -> (Vec<f64>, f64) {
    let recoder = &frequency.attributes[j].recoder;
    let rows_of_code = frequency.rows_of_codes(j);
    let by_level = (0..recoder.levels())
        .map(|level| {
            let labels = recoder.labels_of_codes(level);
            let mut rows_of_label = vec![0u64; recoder.labels(level).len()];
            for (&label, &rows) in labels.iter().zip(&rows_of_code) {
                rows_of_label[label as usize] += rows;
            }
            let occurring = labels.iter().zip(&rows_of_code).filter(|&(_, &rows)| rows > 0);
            occurring.map(|(&label, &rows)| bits(rows, rows_of_label[label as usize])).sum()
        })
        .collect();
    let whole = rows_of_code.iter().filter(|&&rows| rows > 0).map(|&rows| bits(rows, frequency.rows)).sum();
    (by_level, whole)
}

/// - part log2(part / whole)
fn bits(part: u64, whole: u64) -> f64 {
    let (part, whole) = (part as f64, whole as f64);
    if part == whole { 0.0 } else { -part * (part / whole).log2() }
}

impl Measure for NonUniformEntropy {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn score(&self, levels: &[usize], tally: &Tally) -> Score {
        let parts = self.parts(levels, tally).unwrap_or_default();
        self.aggregate.combine(parts.into_iter(), &self.weights)
    }

    fn parts(&self, levels: &[usize], tally: &Tally) -> Option<Vec<f64>> {
        let part = |(j, (by_level, scale)): (usize, &(Vec<f64>, f64))| {
            let suppressed: f64 = if self.counts_suppressed {
                let labels = tally.suppressed_labels[j].iter().filter(|&&rows| rows > 0);
                labels.map(|&rows| bits(rows, tally.suppressed)).sum()
            } else {
                0.0
            };
            floor_to_ten_decimals(by_level[levels[j]] + suppressed) / scale
        };
        Some(self.attributes.iter().enumerate().map(part).collect())
    }

    fn lower_bound(&self, levels: &[usize], _known: &Known<'_>) -> Score {
        let parts = self
            .attributes
            .iter()
            .zip(levels)
            .map(|((by_level, scale), &level)| floor_to_ten_decimals(by_level[level] * (1.0 - 1e-12)) / scale);
        self.aggregate.combine(parts, &self.weights)
    }

    fn needs_suppressed_labels(&self) -> bool {
        self.counts_suppressed
    }
}
