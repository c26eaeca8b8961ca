//! (alpha,k)-anonymity: classes are large enough, and no sensitive value has too large a share of one.
//!
//! A class of size c with counts f holds iff c >= k and f_v / c <= alpha for every sensitive value v, or for the named ones only (Wong,
//! Li, Fu and Wang 2006). k is a whole number from 1 to the number of rows, alpha a number above 0 and at most 1. A share exactly alpha
//! holds. Where people have several rows, c counts people and f_v the people who have v.
//!
//! Monotone: sizes add up, and the share of a union is a mean of the shares of its parts. Not hereditary: a part may have fewer of the
//! frequent value. But a class below k has no part that holds; and no value keeps more than alpha times the rows kept, which bounds
//! what parts can keep. One pass over the values, O(values).
//!
//! In the second group of Figure 1 of Liber 2014 (tumour twice, flu once, AIDS twice) no disease has more than two fifths:
//!
//! ```
//! assert_eq!(tamis_privacy::models::alpha_k::largest_share(&[2, 1, 2], 5), 0.4);
//! ```

use super::ATTRIBUTE;
use super::bounded_shares::ShareBounds;
use super::named_values::codes_of;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "alpha-k-anonymity",
    promise: "every class has at least k rows, and no sensitive value more than the share alpha of them",
    parameters: &[
        ParameterKind { name: "alpha", meaning: "largest share, a number above 0 and at most 1" },
        ParameterKind { name: "k", meaning: "least class size, a whole number from 1" },
        ParameterKind { name: "values", meaning: "the sensitive values that alpha bounds; all of them if left out" },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The largest share that a value has in a class of that many people (as many as rows, where people have one row each); 0 for none.
pub fn largest_share(counts: &[u32], size: u64) -> f64 {
    match counts.iter().max() {
        Some(&most) if size > 0 => f64::from(most) / size as f64,
        _ => 0.0,
    }
}

#[derive(Debug)]
struct AlphaK {
    alpha: f64,
    k: u64,
    values: Option<Vec<String>>,
    bounds: ShareBounds,
    least_size: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let alpha = parameters.number(KIND.kind, "alpha", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, 1.0))?;
    let k = parameters.whole(KIND.kind, "k", KIND.parameters[1].meaning, 1)?;
    let values = parameters.texts(KIND.kind, "values")?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    if k > facts.rows {
        return Err(ModelError::KExceedsRows { k, rows: facts.rows });
    }
    let bounds = share_bounds(alpha, values.as_deref(), &sensitive)?;
    let model = |(sensitive, bounds): (&SensitiveFacts, Vec<f64>)| {
        let bounds = ShareBounds::new(bounds);
        let least_size = k.max(bounds.least_size());
        let sensitive = sensitive.clone();
        Box::new(AlphaK { alpha, k, values: values.clone(), bounds, least_size, sensitive }) as Box<dyn Model>
    };
    Ok(sensitive.into_iter().zip(bounds).map(model).collect())
}

/// For each attribute the bound of every code.
fn share_bounds(
    alpha: f64,
    values: Option<&[String]>,
    sensitive: &[&SensitiveFacts],
) -> Result<Vec<Vec<f64>>, ModelError> {
    let of_unnamed = if values.is_some() { 1.0 } else { alpha };
    let mut bounds: Vec<Vec<f64>> = sensitive.iter().map(|facts| vec![of_unnamed; facts.totals.len()]).collect();
    for value in values.unwrap_or_default() {
        for (bounds, code) in bounds.iter_mut().zip(codes_of(KIND.kind, sensitive, value)?) {
            if let Some(code) = code {
                bounds[code as usize] = alpha;
            }
        }
    }
    Ok(bounds)
}

impl Model for AlphaK {
    fn describe(&self) -> String {
        let named = self.values.as_ref().map_or_else(String::new, |values| format!(" (only {})", values.join(", ")));
        format!("({},{})-anonymity of {}{named}", self.alpha, self.k, self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.size >= self.k && self.bounds.hold(self.sensitive.counts(class.counts), class.size)
    }

    fn most_kept(&self, class: &Class<'_>) -> u64 {
        let most = self.bounds.most_kept(self.sensitive.counts(class.counts));
        if most < self.k { 0 } else { most }
    }

    fn least_size(&self) -> u64 {
        self.least_size
    }
}
