//! The transformations, one file each: what it does, its source, its parameters, the work.

pub mod microaggregate;
pub mod sample;
