//! Confidence bounding: whoever finds a person's class cannot be too sure that the person has one of the bounded values.
//!
//! A template (quasi-identifier -> value v, t) asks that the share of v in every class be at most t: f_v / c <= t_v for each bounded
//! value, with f_v of the class's c people having v (Wang, Fung and Yu 2007). `bounds` gives t_v by value, `t` the bound of all other
//! values; shares between 0 and 1, and one of the two must be given. A share exactly on its bound holds. Templates on some of the
//! quasi-identifiers only are the matter of `xy-linkability`.
//!
//! Monotone: the share of a union is a mean of the shares of its parts. Not hereditary: a part may lack the frequent value; but no value
//! keeps more than t_v times the rows kept, which bounds what parts can keep. One pass over the values, O(values).
//!
//! Figure 1 of Liber 2014: three of the four technicians of Małopolskie have AIDS, one has the flu.
//!
//! ```
//! let shares = tamis_privacy::models::confidence_bounding::confidence(&[3, 1, 0], 4);
//! assert_eq!(shares, [0.75, 0.25, 0.0]);
//! ```
//!
//! Its second group is printed with five rows (tumour 2, flu 1, AIDS 2) but with the shares 0.25, 0.25 and 0.5 of four rows, one tumour
//! left out. The shares of what is printed are 0.4, 0.2 and 0.4, so the largest over both groups are AIDS 0.75, flu 0.25 and tumour 0.4,
//! not 0.25.

use super::ATTRIBUTE;
use super::bounded_shares::ShareBounds;
use super::named_values::codes_of;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts};
use std::collections::BTreeMap;

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "confidence-bounding",
    promise: "the share of each bounded sensitive value in every class is at most its bound",
    parameters: &[
        ParameterKind { name: "bounds", meaning: "largest shares by value, between 0 and 1, such as { AIDS = 0.5 }" },
        ParameterKind {
            name: "t",
            meaning: "largest share of every other value, between 0 and 1; unbounded if left out",
        },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The share of each value in a class of that many people (as many as rows, where people have one row each); 0 in an empty class.
pub fn confidence(counts: &[u32], size: u64) -> Vec<f64> {
    counts.iter().map(|&count| f64::from(count) / size.max(1) as f64).collect()
}

#[derive(Debug)]
struct ConfidenceBounding {
    described: String,
    bounds: ShareBounds,
    least_size: u64,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let by_value = parameters.shares(KIND.kind, "bounds")?;
    let of_others = parameters.optional_number(KIND.kind, "t", (0.0, 1.0))?;
    if by_value.is_none() && of_others.is_none() {
        return Err(ModelError::MissingParameter {
            kind: KIND.kind,
            parameter: "bounds",
            meaning: KIND.parameters[0].meaning,
        });
    }
    let by_value = by_value.unwrap_or_default();
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    let others = of_others.unwrap_or(1.0);
    let mut bounds: Vec<Vec<f64>> = sensitive.iter().map(|facts| vec![others; facts.totals.len()]).collect();
    for (value, &bound) in &by_value {
        for (bounds, code) in bounds.iter_mut().zip(codes_of(KIND.kind, &sensitive, value)?) {
            if let Some(code) = code {
                bounds[code as usize] = bound;
            }
        }
    }
    let described = describe(&by_value, of_others);
    let model = |(sensitive, bounds): (&SensitiveFacts, Vec<f64>)| {
        let bounds = ShareBounds::new(bounds);
        let least_size = bounds.least_size();
        let (described, sensitive) = (described.clone(), sensitive.clone());
        Box::new(ConfidenceBounding { described, bounds, least_size, sensitive }) as Box<dyn Model>
    };
    Ok(sensitive.into_iter().zip(bounds).map(model).collect())
}

fn describe(by_value: &BTreeMap<String, f64>, of_others: Option<f64>) -> String {
    let named = by_value.iter().map(|(value, bound)| format!("{value} {bound}"));
    let others = of_others.map(|bound| format!("{} {bound}", if by_value.is_empty() { "any value" } else { "others" }));
    named.chain(others).collect::<Vec<_>>().join(", ")
}

impl Model for ConfidenceBounding {
    fn describe(&self) -> String {
        format!("confidence in {} at most {}", self.sensitive.name, self.described)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        self.bounds.hold(self.sensitive.counts(class.counts), class.size)
    }

    fn most_kept(&self, class: &Class<'_>) -> u64 {
        self.bounds.most_kept(self.sensitive.counts(class.counts))
    }

    fn least_size(&self) -> u64 {
        self.least_size
    }
}
