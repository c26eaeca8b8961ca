//! Tests of tamis-mechanism from outside.

mod budget;
mod differential;
mod discrete;
mod distributional;
mod geometric;
mod post_processing;
mod ratio;
mod retain_insert;
mod safe_pub;
