//! Tests of tamis-transform from outside.

mod anatomize;
mod code;
mod condense;
mod desk;
mod figures;
mod link;
mod microaggregate;
mod noise;
mod permute;
mod pseudonymize;
mod rotate_synonyms;
mod steps;
mod steps_of_numbers;
mod suppress_cells;
mod swap;
mod synthesize;
mod tables;
