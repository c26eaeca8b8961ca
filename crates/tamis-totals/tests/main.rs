//! Tests of tamis-totals from outside.

mod contributions;
mod page;
mod patterns;
mod rules;
mod tables;
mod unnamed_totals;
