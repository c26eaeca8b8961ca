//! (alpha,beta)-distributional privacy: answers tell of the source that the records come from, not of the records.
//!
//! A mechanism A has it for databases of n records iff, with probability at least 1 - beta over two databases D1 and D2 of n records each,
//! drawn from one database D without putting back, P(A(D1) = y) <= e^alpha P(A(D2) = y) for every query and every answer y (Blum, Ligett
//! and Roth 2008). alpha is a number from 0, beta lies between 0 and 1 (exclusive). Two hospitals of a region may answer without telling
//! which of them it was.
//!
//! No class of a table has this property or lacks it: it is a promise of the mechanism that answers. So the entry checks its parameters
//! only; classes, monotonicity and heredity do not come into it.
//!
//! ```
//! use tamis_privacy::{Parameters, models::distributional_privacy};
//! assert!(distributional_privacy::check(&Parameters::from([("alpha", 0.5.into()), ("beta", 0.05.into())])).is_ok());
//! assert!(distributional_privacy::check(&Parameters::from([("alpha", 0.5.into()), ("beta", 1.into())])).is_err());
//! ```

use crate::{Bind, ModelError, ModelKind, ParameterKind, Parameters};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "distributional-privacy",
    promise: "two databases drawn from one are answered alike, within a factor of e to the alpha, except with probability beta",
    parameters: &[
        ParameterKind { name: "alpha", meaning: "logarithm of the largest factor, a number from 0" },
        ParameterKind { name: "beta", meaning: "probability of an exception, above 0 and below 1" },
    ],
    bind: Bind::Mechanism { check },
};

/// Checks the parameters.
pub fn check(parameters: &Parameters) -> Result<(), ModelError> {
    bounds(parameters).map(drop)
}

/// Alpha and beta.
pub fn bounds(parameters: &Parameters) -> Result<(f64, f64), ModelError> {
    let alpha = parameters.number(KIND.kind, "alpha", KIND.parameters[0].meaning, (0.0, f64::MAX))?;
    let beta = parameters.number(KIND.kind, "beta", KIND.parameters[1].meaning, (f64::MIN_POSITIVE, 1.0))?;
    if beta >= 1.0 {
        return Err(ModelError::BadParameter {
            kind: KIND.kind,
            parameter: "beta",
            found: beta.to_string(),
            expected: "a number above 0 and below 1".to_owned(),
        });
    }
    Ok((alpha, beta))
}
