//! Tables of totals, from the command line.

#[path = "../program/mod.rs"]
mod program;

mod as_given;
mod generate;
mod in_time;
mod primaries;
mod protect_and_audit;
