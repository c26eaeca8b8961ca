//! Auditors: whether a release mechanism keeps what it promises on a given table.

mod confidence;
pub mod differential;
pub mod distributional;

pub use confidence::upper_confidence_bound;
