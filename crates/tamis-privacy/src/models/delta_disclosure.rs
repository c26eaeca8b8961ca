//! Delta-disclosure privacy: every sensitive value is about as likely in every class as in the whole table.
//!
//! With p_v the share of value v in the class and q_v that in the table, rows that get suppressed included, a class holds iff
//! |log2(p_v / q_v)| < delta for every value of the table, strictly (Brickell and Shmatikov 2008). delta is a number above 0; with
//! delta = 1 every share is above half and below twice what it is in the table. A value that a class lacks has p_v = 0 and an infinite
//! logarithm, so every class must have every value: its absence tells as much as its presence. Where people have several rows the shares
//! are of pairs of person and value.
//!
//! Monotone: it bounds the share of each value from below and above, and the share of a union is a mean of the shares of its parts. Not
//! hereditary: a part may be closer to the table. But a class that lacks a value has no part that holds, and a value with f_v rows in the
//! class can be more than 2^-delta q_v of fewer than f_v 2^delta / q_v rows only; both bound what parts can keep. One pass over the
//! values, O(values).
//!
//! ARX and pycanon pass over the values that a class lacks. That reading is not monotone (add a class that lacks a value to one in which
//! it is just frequent enough, and it is too rare in the union), and it lets a class tell that nobody in it has the value. pycanon also
//! takes the natural logarithm. [`disclosure_of_present`] is ARX's number, and pycanon's when multiplied by ln 2.
//!
//! A value that half of the table and a quarter of a class have is off by exactly one:
//!
//! ```
//! use tamis_privacy::models::delta_disclosure::{disclosure, disclosure_of_present};
//! assert_eq!(disclosure(&[1, 3], &[4, 4]), 1.0);
//! assert_eq!(disclosure(&[0, 2], &[4, 4]), f64::INFINITY);
//! assert_eq!(disclosure_of_present(&[0, 2], &[4, 4]), 1.0);
//! ```

use super::ATTRIBUTE;
use super::bounded_shares::ShareBounds;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "delta-disclosure-privacy",
    promise: "every sensitive value is about as likely in every class as in the whole table, within a factor of 2 to the delta",
    parameters: &[
        ParameterKind { name: "delta", meaning: "bound on the binary logarithm of the factor, a number above 0" },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The largest |log2(p / q)| of the values of the table, which delta must exceed; infinite if the class lacks one.
pub fn disclosure(counts: &[u32], totals: &[u64]) -> f64 {
    logarithms(counts, totals).fold(0.0, f64::max)
}

/// The largest |log2(p / q)| of the values that the class has.
pub fn disclosure_of_present(counts: &[u32], totals: &[u64]) -> f64 {
    logarithms(counts, totals).filter(|logarithm| logarithm.is_finite()).fold(0.0, f64::max)
}

/// |log2(p / q)| of each value of the table.
fn logarithms(counts: &[u32], totals: &[u64]) -> impl Iterator<Item = f64> {
    let size: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let rows: u64 = totals.iter().sum();
    counts.iter().zip(totals).filter(|&(_, &total)| total > 0).map(move |(&count, &total)| {
        // One division of whole numbers: a quotient that is a power of two is exact, and so is its logarithm.
        let ratio = f64::from(count) * rows as f64 / (size as f64 * total as f64);
        ratio.log2().abs()
    })
}

#[derive(Debug)]
struct DeltaDisclosure {
    delta: f64,
    bounds: ShareBounds,
    /// For each code the share that it must exceed; 0 for those that the table lacks.
    more_than: Vec<f64>,
    least_size: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let delta = parameters.number(KIND.kind, "delta", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, f64::MAX))?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    let model = |sensitive: &SensitiveFacts| {
        let rows: u64 = sensitive.totals.iter().sum();
        let share = |&total: &u64| total as f64 / rows.max(1) as f64;
        let bounds = sensitive.totals.iter().map(|total| (delta.exp2() * share(total)).min(1.0)).collect();
        let more_than = sensitive.totals.iter().map(|total| (-delta).exp2() * share(total)).collect();
        let bounds = ShareBounds::new(bounds);
        let values = sensitive.totals.iter().filter(|&&total| total > 0).count() as u64;
        // One person may have all values, so that people are no bound on a class.
        let least_size = if facts.has_entity { 1 } else { values.max(bounds.least_size()) };
        Box::new(DeltaDisclosure { delta, bounds, more_than, least_size, sensitive: sensitive.clone() })
            as Box<dyn Model>
    };
    Ok(sensitive.into_iter().map(model).collect())
}

impl Model for DeltaDisclosure {
    fn describe(&self) -> String {
        format!("{}-disclosure privacy of {}", crate::Value::Number(self.delta), self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        logarithms(self.sensitive.counts(class.counts), &self.sensitive.totals).all(|logarithm| logarithm < self.delta)
    }

    /// The kept rows together hold, and of m of them each value must be more than its least share: m is below count / share.
    fn most_kept(&self, class: &Class<'_>) -> u64 {
        let counts = self.sensitive.counts(class.counts);
        let by_rarest = counts
            .iter()
            .zip(&self.more_than)
            .filter(|&(_, &share)| share > 0.0)
            .map(|(&count, &share)| (f64::from(count) / share * (1.0 + 1e-12)) as u64)
            .min();
        self.bounds.most_kept(counts).min(by_rarest.unwrap_or(u64::MAX))
    }

    fn least_size(&self) -> u64 {
        self.least_size
    }
}
