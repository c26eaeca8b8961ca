//! Equivalence classes of a transformation, and the tally of them.
//!
//! Two ways lead to the same tally. [`packed`] keeps class keys in machine words and rolls classes up from already grouped ones, which is
//! the fast way the search walks. [`direct`] groups the distinct tuples anew for every transformation and handles what cannot be
//! added up: people with several rows, missing values that match anything, columns counted together, tuples too wide for a word, and
//! sensitive attributes with very many values. [`company`] asks the requirements that all classes must meet together.

mod company;
mod direct;
mod evaluator;
mod groups;
mod packed;
mod verdict;

pub(crate) use direct::assign;
pub(crate) use evaluator::{Evaluator, attribute_order};
pub use groups::view_classes;
