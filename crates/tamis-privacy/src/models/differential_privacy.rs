//! (epsilon, delta)-differential privacy of a released table: whether a person's row is in the input hardly changes what is released.
//!
//! For any two inputs that differ in one row and any set S of releases, P(S | one) <= e^epsilon P(S | other) + delta (Dwork 2006; Dwork et
//! al. 2006 for delta). Reached by keeping every row with probability beta, recoding in a way that does not depend on the data, and
//! suppressing every class of fewer than k rows (Li, Qardaji and Su 2012; Bild, Kuhn and Prasser 2018), with the k that
//! [`crate::sampling_privacy`] derives. This model is the last of these steps: a class holds iff its size is at least k. It promises
//! nothing without the other two, nor of columns that are released as they are beside the labels of a class.
//!
//! epsilon lies between 0.0001 and 10, delta between 1e-100 and 1 (exclusive), beta above 0 and at most 1 - e^-epsilon, which it is if
//! left out.
//!
//! Monotone and hereditary, as k-anonymity is: a union is larger than its parts, a part smaller than its class. O(1) for a class;
//! deriving k takes milliseconds.
//!
//! ```
//! use tamis_privacy::{Parameters, TableFacts, bind, sampling_privacy::k_for};
//! let parameters = Parameters::from([("epsilon", 1.0.into()), ("delta", 1e-6.into())]);
//! let bound = bind("differential-privacy", &parameters, &TableFacts::of_rows(1000))?;
//! assert_eq!(Ok(bound.classes[0].least_size()), k_for(1.0, 1e-6, None));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use crate::sampling_privacy::{LEAST_EPSILON, MOST_EPSILON, SamplingPlan, plan};
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, TableFacts};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "differential-privacy",
    promise: "whether a person is in the input changes the probability of any release by a factor of at most e to the epsilon, plus delta",
    parameters: &[
        ParameterKind { name: "epsilon", meaning: "logarithm of the largest factor, between 0.0001 and 10" },
        ParameterKind { name: "delta", meaning: "what may be added to it, above 0 and below 1, such as 0.000001" },
        ParameterKind {
            name: "beta",
            meaning: "probability of keeping a row, at most 1 - e^-epsilon, which it is if left out",
        },
    ],
    bind: Bind::Classes(bind),
};

/// Epsilon and delta.
pub fn budget(parameters: &Parameters) -> Result<(f64, f64), ModelError> {
    let epsilon = parameters.number(KIND.kind, "epsilon", KIND.parameters[0].meaning, (LEAST_EPSILON, MOST_EPSILON))?;
    let delta = parameters.number(KIND.kind, "delta", KIND.parameters[1].meaning, (f64::MIN_POSITIVE, 1.0))?;
    Ok((epsilon, delta))
}

/// How to sample, and the least class size, for these parameters.
pub fn sampling(parameters: &Parameters) -> Result<SamplingPlan, ModelError> {
    let (epsilon, delta) = budget(parameters)?;
    let beta = parameters.optional_number(KIND.kind, "beta", (f64::MIN_POSITIVE, 1.0))?;
    plan(epsilon, delta, beta).map_err(|error| ModelError::Impossible { kind: KIND.kind, reason: error.to_string() })
}

#[derive(Debug)]
struct DifferentialPrivacy {
    epsilon: f64,
    delta: f64,
    plan: SamplingPlan,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let (epsilon, delta) = budget(parameters)?;
    let plan = sampling(parameters)?;
    if facts.has_entity {
        return Err(ModelError::RowsAreNotPeople { kind: KIND.kind });
    }
    Ok(vec![Box::new(DifferentialPrivacy { epsilon, delta, plan })])
}

impl Model for DifferentialPrivacy {
    fn describe(&self) -> String {
        let SamplingPlan { beta, k, .. } = self.plan;
        let (epsilon, delta) = (self.epsilon, self.delta);
        format!("({epsilon}, {delta})-differential privacy (sampled with {beta:.4}, classes of at least {k})")
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        class.size >= self.plan.k
    }

    fn is_hereditary(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.plan.k
    }
}
