//! The models, one file each: definition, parameters, why it is monotone, the check.

pub mod alpha_k;
pub mod beta_likeness;
mod bounded_shares;
pub mod confidence_bounding;
pub mod ct_isolation;
pub mod d_gamma;
pub mod delta_disclosure;
pub mod delta_presence;
pub mod differential_privacy;
pub mod distinct_l;
pub mod distributional_privacy;
pub mod entropy_l;
pub mod journalist_risk;
pub mod k_anonymity;
pub mod k_e;
pub mod k_map;
pub mod lkc_privacy;
pub mod mean_risk;
mod named_values;
pub mod personalized_privacy;
pub mod population_uniqueness;
pub mod prosecutor_risk;
pub mod recursive_cl;
pub mod t_closeness;
pub mod xy;

use crate::ParameterKind;

/// Shared by all models on sensitive values.
const ATTRIBUTE: ParameterKind =
    ParameterKind { name: "attribute", meaning: "the sensitive attribute; all of them if left out" };

/// Shared by all models that look at a population around the rows to release.
const SUBSET: ParameterKind = ParameterKind {
    name: "subset",
    meaning: "which input rows are to be released: a file of them, or { column = ..., equals = ... }",
};
