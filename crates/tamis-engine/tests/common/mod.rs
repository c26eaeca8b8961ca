//! Random tables, and a search that takes no short cuts to compare the engine with.

#![allow(dead_code, unused_imports, reason = "every test file uses its part of this")]

mod check;
mod class_models;
mod company;
mod dice;
mod oracle;
mod sample;
mod scores;

pub(crate) use check::{check, check_optimum, check_recoding, check_survey};
pub(crate) use class_models::ClassModel;
pub(crate) use company::{Company, Together};
pub(crate) use dice::Dice;
pub(crate) use oracle::{Outcome, outcome};
pub(crate) use sample::{Flavour, Quality, Requirement, Row, Sample};
