//! The models, one file each: definition, parameters, why it is monotone, the check.

pub mod delta_presence;
pub mod distinct_l;
pub mod entropy_l;
pub mod k_anonymity;
pub mod lkc_privacy;
pub mod recursive_cl;
pub mod t_closeness;

use crate::ParameterKind;

/// Shared by all models on sensitive values.
const ATTRIBUTE: ParameterKind =
    ParameterKind { name: "attribute", meaning: "the sensitive attribute; all of them if left out" };
