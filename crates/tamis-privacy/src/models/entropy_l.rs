//! Entropy l-diversity: the sensitive values of every class are as uncertain as l equally likely ones.
//!
//! A class of size c with counts f holds iff it has at least ceil(l) values and c (ln c - ln l) >= sum f ln f, which is
//! entropy >= ln l (Machanavajjhala et al. 2006). l is a number from 1 and need not be whole. Where people have several rows there must
//! also be ceil(l) people: the values of one person are no choice.
//!
//! Monotone, since entropy is concave: a mixture of distributions is at least as uncertain as the least certain of them. Not
//! hereditary: a part may be more even than the whole.
//!
//! Table 15 of the thesis: counts 1, 1, 2 reach entropy 2.83-diversity (printed as 2.8).
//!
//! ```
//! let l = tamis_privacy::models::entropy_l::entropy_l(&[1, 1, 2]);
//! assert!((l - 2.8284).abs() < 1e-4);
//! ```

use super::ATTRIBUTE;
use super::distinct_l::distinct;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "entropy-l-diversity",
    promise: "the sensitive values of every class are as uncertain as l equally likely ones",
    parameters: &[ParameterKind { name: "l", meaning: "least effective number of values, a number from 1" }, ATTRIBUTE],
    bind: Bind::Classes(bind),
};

/// Rounding errors of the logarithms may not fail a class that meets the bound exactly.
const RELATIVE_SLACK: f64 = 1e-12;

/// The largest l for which these counts are entropy l-diverse: e to the entropy; 0 for an empty class.
pub fn entropy_l(counts: &[u32]) -> f64 {
    let size: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    if size == 0.0 {
        return 0.0;
    }
    // It lies between 1 and the number of values, which rounding must not take it out of.
    (size.ln() - sum_f_ln_f(counts) / size).exp().clamp(1.0, distinct(counts) as f64)
}

fn sum_f_ln_f(counts: &[u32]) -> f64 {
    counts.iter().filter(|&&count| count > 1).map(|&count| f64::from(count) * f64::from(count).ln()).sum()
}

#[derive(Debug)]
struct EntropyDiversity {
    l: f64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let l = parameters.number(KIND.kind, "l", KIND.parameters[0].meaning, (1.0, f64::MAX))?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    Ok(sensitive
        .into_iter()
        .map(|sensitive| Box::new(EntropyDiversity { l, sensitive: sensitive.clone() }) as Box<dyn Model>)
        .collect())
}

impl Model for EntropyDiversity {
    fn describe(&self) -> String {
        format!("entropy {}-diversity of {}", crate::Value::Number(self.l), self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        let counts = self.sensitive.counts(class.counts);
        let size: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        let needed = size * (size.ln() - self.l.ln());
        class.size >= self.least_size()
            && distinct(counts) >= self.least_size()
            && needed + RELATIVE_SLACK * size * size.ln() >= sum_f_ln_f(counts)
    }

    /// The number of different values is hereditary, evenness is not.
    fn most_kept(&self, class: &Class<'_>) -> u64 {
        let counts = self.sensitive.counts(class.counts);
        if distinct(counts) < self.least_size() { 0 } else { class.size }
    }

    fn least_size(&self) -> u64 {
        self.l.ceil() as u64
    }
}
