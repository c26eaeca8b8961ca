//! The transformations, one file each: what it does, its source, its parameters, the work.

pub mod anatomize;
pub mod code;
pub mod condense;
pub mod join;
pub mod link;
pub mod microaggregate;
pub mod noise;
pub mod permute;
pub mod pseudonymize;
pub mod rotate_synonyms;
pub mod sample;
pub mod suppress_cells;
pub mod swap;
pub mod synthesize;
