//! Tests of tamis-table from outside.

mod builder_properties;
mod builders;
mod columns;
mod frequency;
mod hierarchy;
