//! Tables of people: release, models, risk, attacks, transformations, from the command line.

#[path = "../program/mod.rs"]
mod program;

mod attack;
mod exact_values;
mod gates_and_figures;
mod large_counts;
mod mechanism;
mod models;
mod private_outputs;
mod published;
mod recognised_columns;
mod recognised_values;
mod requirements;
mod risk;
mod sealed_values;
mod steps;
mod transform;
