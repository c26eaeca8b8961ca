//! The models, one file each: definition, parameters, why it is monotone, the check.

pub mod ct_isolation;
pub mod delta_presence;
pub mod distinct_l;
pub mod entropy_l;
pub mod k_anonymity;
pub mod lkc_privacy;
pub mod mean_risk;
pub mod personalized_privacy;
pub mod population_uniqueness;
pub mod recursive_cl;
pub mod t_closeness;
pub mod xy;

use crate::ParameterKind;

/// Shared by all models on sensitive values.
const ATTRIBUTE: ParameterKind =
    ParameterKind { name: "attribute", meaning: "the sensitive attribute; all of them if left out" };
