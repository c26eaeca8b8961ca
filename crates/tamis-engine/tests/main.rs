//! Tests of tamis-engine from outside.

mod adult;
mod beyond_rows;
mod class_models;
mod common;
mod heuristic;
mod optimal;
mod published;
mod table_models;
mod thesis;
mod threads;
mod wide;
mod wide_keys;
