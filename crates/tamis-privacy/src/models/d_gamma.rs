//! (d,gamma)-privacy: what an attacker believes of a person's record changes little, however it is answered.
//!
//! An attacker takes each possible record r to be in the data with a prior probability P(r), independently of the others and of at most d
//! (or of 1: records that are known anyway). A release mechanism is (d,gamma)-private iff, for every such attacker, every record with
//! P(r) <= d and every answer A, d/gamma P(r) <= P(r | A) <= gamma (Rastogi, Suciu and Hong 2007). Parameters 0 < d < gamma < 1: gamma
//! bounds how sure the attacker can become, d how sure they may be before.
//!
//! No class of a table has this property or lacks it: it is a promise of the mechanism, which keeps each record with one probability and
//! inserts others with another. So the entry checks its parameters only; classes, monotonicity and heredity do not come into it.
//!
//! ```
//! use tamis_privacy::{Parameters, models::d_gamma};
//! assert!(d_gamma::check(&Parameters::from([("d", 0.1.into()), ("gamma", 0.5.into())])).is_ok());
//! assert!(d_gamma::check(&Parameters::from([("d", 0.5.into()), ("gamma", 0.5.into())])).is_err());
//! ```

use crate::{Bind, ModelError, ModelKind, ParameterKind, Parameters};

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "d-gamma-privacy",
    promise: "an attacker who gives a record a chance of at most d before the release gives it at most gamma after",
    parameters: &[
        ParameterKind { name: "d", meaning: "largest chance before, above 0 and below gamma" },
        ParameterKind { name: "gamma", meaning: "largest chance after, above d and below 1" },
    ],
    bind: Bind::Mechanism { check },
};

/// Checks the parameters.
pub fn check(parameters: &Parameters) -> Result<(), ModelError> {
    bounds(parameters).map(drop)
}

/// d and gamma.
pub fn bounds(parameters: &Parameters) -> Result<(f64, f64), ModelError> {
    let least = parameters.number(KIND.kind, "d", KIND.parameters[0].meaning, (f64::MIN_POSITIVE, 1.0))?;
    let most = parameters.number(KIND.kind, "gamma", KIND.parameters[1].meaning, (f64::MIN_POSITIVE, 1.0))?;
    let bad = |parameter: &'static str, found: f64, expected: String| {
        Err(ModelError::BadParameter { kind: KIND.kind, parameter, found: found.to_string(), expected })
    };
    if most >= 1.0 {
        return bad("gamma", most, "a number above d and below 1".to_owned());
    }
    if least >= most {
        return bad("d", least, format!("a number above 0 and below gamma, {most}"));
    }
    Ok((least, most))
}
