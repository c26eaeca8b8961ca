//! Beta-likeness: no sensitive value is much likelier in a class than in the whole table.
//!
//! With p_v the share of value v in the class and q_v that in the table, rows that get suppressed included, a class holds iff every value
//! with p_v > q_v has a relative gain (p_v - q_v) / q_v of at most beta (*basic*), or of at most min(beta, -ln q_v) (*enhanced*, which
//! keeps a common value from gaining as much as a rare one); Cao and Karras 2012. beta is a number above 0; a gain of exactly beta holds.
//! Losing likelihood is no breach: a value may be absent. Where people have several rows the shares are of pairs of person and value.
//!
//! Monotone: it bounds the share of each value from above, and the share of a union is a mean of the shares of its parts. Not
//! hereditary: a part may have fewer of the value that gained; but no value keeps more than its largest share of the rows kept, which
//! bounds what parts can keep. One pass over the values, O(values); the gain is one division of whole numbers, so that 3/10 is 0.3.
//!
//! Class of Figure 1 of Liber 2014 with AIDS three times, flu once, in a table with AIDS 5, flu 2 and tumour 2 of 9:
//!
//! ```
//! use tamis_privacy::models::beta_likeness::likeness;
//! // 3/4 instead of 5/9: a gain of (27 - 20) / 20.
//! assert_eq!(likeness(&[3, 1, 0], &[5, 2, 2]), 0.35);
//! ```

use super::ATTRIBUTE;
use super::bounded_shares::ShareBounds;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts, Value};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "beta-likeness",
    promise: "no sensitive value gains more than beta times its share of the whole table in a class",
    parameters: &[
        ParameterKind { name: "beta", meaning: "largest relative gain, a number above 0" },
        ParameterKind {
            name: "variant",
            meaning: "`basic`, or `enhanced`: the gain is also at most -ln of the value's share of the table; basic if left out",
        },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The largest relative gain (p - q) / q of any value: the least beta for which the class is basic beta-like. At least 0; 0 for an
/// empty class. The largest over all classes is what pycanon reports as basic beta.
pub fn likeness(counts: &[u32], totals: &[u64]) -> f64 {
    gains(counts, totals).map(|(_, gain)| gain).fold(0.0, f64::max)
}

/// The least beta for which the class is enhanced beta-like; none if a value gains more than -ln of its share of the table, for then no
/// beta is enough.
pub fn enhanced_likeness(counts: &[u32], totals: &[u64]) -> Option<f64> {
    let rows: u64 = totals.iter().sum();
    let mut largest: f64 = 0.0;
    for (code, gain) in gains(counts, totals) {
        if gain > most_enhanced_gain(totals[code], rows) {
            return None;
        }
        largest = largest.max(gain);
    }
    Some(largest)
}

/// What pycanon reports as enhanced beta, from the largest [`likeness`] of all classes: that number, but at most -ln of the rarest
/// value's share. It compares the gain of one value with the bound of another, so it is not the least beta of the definition;
/// [`enhanced_likeness`] is.
pub fn likeness_capped_by_the_rarest(likeness: f64, totals: &[u64]) -> f64 {
    let rows: u64 = totals.iter().sum();
    let rarest = totals.iter().copied().filter(|&total| total > 0).min();
    rarest.map_or(likeness, |rarest| likeness.min(most_enhanced_gain(rarest, rows)))
}

/// The relative gains of the values that gained, by code.
fn gains(counts: &[u32], totals: &[u64]) -> impl Iterator<Item = (usize, f64)> {
    let size: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let rows: u64 = totals.iter().sum();
    counts.iter().zip(totals).enumerate().filter_map(move |(code, (&count, &total))| {
        let (found, expected) = (u128::from(count) * u128::from(rows), u128::from(size) * u128::from(total));
        (found > expected && expected > 0).then(|| (code, (found - expected) as f64 / expected as f64))
    })
}

/// -ln of a value's share of the table.
fn most_enhanced_gain(total: u64, rows: u64) -> f64 {
    -(total as f64 / rows as f64).ln()
}

#[derive(Debug)]
struct BetaLikeness {
    beta: f64,
    is_enhanced: bool,
    /// For each code the largest gain.
    most_gain: Vec<f64>,
    bounds: ShareBounds,
    least_size: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let beta = parameters.number(KIND.kind, "beta", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, f64::MAX))?;
    let is_enhanced = is_enhanced(parameters)?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    let model = |sensitive: &SensitiveFacts| {
        let rows: u64 = sensitive.totals.iter().sum();
        let most_gain = |&total: &u64| if is_enhanced { most_enhanced_gain(total, rows).min(beta) } else { beta };
        let most_gain: Vec<f64> = sensitive.totals.iter().map(most_gain).collect();
        let most_share = |(&gain, &total): (&f64, &u64)| ((1.0 + gain) * total as f64 / rows.max(1) as f64).min(1.0);
        let bounds = ShareBounds::new(most_gain.iter().zip(&sensitive.totals).map(most_share).collect());
        // The values of one person may fill a class, so that people are no bound on it.
        let least_size = if facts.has_entity { 1 } else { bounds.least_size() };
        let sensitive = sensitive.clone();
        Box::new(BetaLikeness { beta, is_enhanced, most_gain, bounds, least_size, sensitive }) as Box<dyn Model>
    };
    Ok(sensitive.into_iter().map(model).collect())
}

fn is_enhanced(parameters: &Parameters) -> Result<bool, ModelError> {
    match parameters.get("variant") {
        None => Ok(false),
        Some(Value::Text(variant)) if variant == "basic" => Ok(false),
        Some(Value::Text(variant)) if variant == "enhanced" => Ok(true),
        Some(other) => Err(ModelError::BadParameter {
            kind: KIND.kind,
            parameter: "variant",
            found: other.to_string(),
            expected: "\"basic\" or \"enhanced\"".to_owned(),
        }),
    }
}

impl Model for BetaLikeness {
    fn describe(&self) -> String {
        let variant = if self.is_enhanced { "enhanced" } else { "basic" };
        format!("{variant} {}-likeness of {}", crate::Value::Number(self.beta), self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        gains(self.sensitive.counts(class.counts), &self.sensitive.totals)
            .all(|(code, gain)| gain <= self.most_gain[code])
    }

    fn most_kept(&self, class: &Class<'_>) -> u64 {
        self.bounds.most_kept(self.sensitive.counts(class.counts))
    }

    fn least_size(&self) -> u64 {
        self.least_size
    }
}
