//! The laboratory: made-up programmes to try methods on, and the experiments of the sources.
//!
//! Everything random comes from a seed: the same parameters and seed give the same numbers everywhere.

mod dice;
mod draw;
mod error;
pub mod experiment;
pub mod generators;

pub use error::LaboratoryError;
