//! The transformations, one file each: what it does, its source, its parameters, the work.

pub mod condense;
pub mod microaggregate;
pub mod sample;
pub mod synthesize;
