//! Tests of tamis-cells from outside.

mod audit;
mod close_calls;
mod formats;
mod generate;
mod heuristic;
mod magnitudes;
mod optimal;
mod oracle;
mod remedies;
mod table;
