//! Tests of tamis-adult from outside.

mod data;
mod generate;
mod published;
