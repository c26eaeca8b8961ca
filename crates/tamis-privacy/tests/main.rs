//! Tests of tamis-privacy from outside.

mod alpha_k;
mod beta_likeness;
mod common;
mod confidence_bounding;
mod ct_isolation;
mod delta_disclosure;
mod delta_presence;
mod distinct_l;
mod entropy_l;
mod errors;
mod k_anonymity;
mod k_e;
mod large_tables;
mod lkc_privacy;
mod mean_risk;
mod mechanisms;
mod personalized_privacy;
mod population_uniqueness;
mod recursive_cl;
mod risk_bounds;
mod rows;
mod sampling_privacy;
mod t_closeness;
mod uniqueness;
mod xy;
