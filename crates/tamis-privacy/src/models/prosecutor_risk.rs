//! Prosecutor risk: someone who knows that a person is in the table finds their row with a bounded probability.
//!
//! Of a class of size c any row is as likely the person's as any other, so the risk is 1/c, and the class holds iff 1/c <= max (El Emam
//! and Dankar 2008). max is a number above 0 and at most 1; a risk of exactly max holds. It is k-anonymity with k = 1/max rounded up, in
//! the words in which a risk is agreed on.
//!
//! Monotone and hereditary: a union is larger than its parts, and a part of a class that is too small is smaller still. O(1).
//!
//! ```
//! use tamis_privacy::models::prosecutor_risk::least_size;
//! assert_eq!((least_size(0.2), least_size(0.09), least_size(1.0)), (5, 12, 1));
//! ```

use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "prosecutor-risk",
    promise: "someone who knows that a person is in the table finds their row with probability at most max",
    parameters: &[ParameterKind { name: "max", meaning: "largest risk, a number above 0 and at most 1" }],
    bind: Bind::Classes(bind),
};

/// The smallest number of rows among which finding one is no likelier than `most_risk`, which is above 0.
pub fn least_size(most_risk: f64) -> u64 {
    // Whatever the rounding, the quotient is within one of the answer; no table has more rows than a thousand billion.
    let size = (1.0 / most_risk).ceil().clamp(1.0, 1e12) as u64;
    let is_enough = |size: u64| size > 0 && 1.0 / size as f64 <= most_risk;
    (size.saturating_sub(1)..=size).find(|&size| is_enough(size)).unwrap_or(size + 1)
}

#[derive(Debug)]
struct ProsecutorRisk {
    max: f64,
    least_size: u64,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let max = parameters.number(KIND.kind, "max", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, 1.0))?;
    let least_size = least_size(max);
    if least_size > facts.rows {
        let reason = format!(
            "max = {max} needs classes of at least {least_size} rows, more than the {} rows of the table; allow a larger risk",
            facts.rows
        );
        return Err(ModelError::Impossible { kind: KIND.kind, reason });
    }
    Ok(vec![Box::new(ProsecutorRisk { max, least_size })])
}

impl Model for ProsecutorRisk {
    fn describe(&self) -> String {
        format!("prosecutor risk at most {}", self.max)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.size >= self.least_size
    }

    fn is_hereditary(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.least_size
    }
}
