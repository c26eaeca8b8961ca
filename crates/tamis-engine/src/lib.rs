//! Finds the least distorted generalization of a table that meets its privacy models, and proves it.
//!
//! A [`Problem`] puts together what was counted ([`tamis_table::FrequencySet`]), what must hold (models) and what is to be
//! kept small (a [`Measure`]). [`optimal`] searches the lattice of all transformations with proven bounds; [`heuristic`] does what it can in
//! a given time and says how far it may be from the best. Either returns a [`Solution`]; [`Recoding`] replays it on the tuples.
//!
//! This crate knows models and measures only through their traits, and no rows, files or texts at all.

mod classes;
mod lattice;
pub mod measures;
mod problem;
mod recoding;
mod score;
mod search;
mod statistics;
mod tally;

pub use classes::view_classes;
pub use lattice::Lattice;
pub use measures::{Aggregate, Known, Measure, QualityError, QualitySettings};
pub use problem::Problem;
pub use recoding::Recoding;
pub use score::Score;
pub use search::{Limits, Node, Observer, SearchError, Solution, Surveyed, heuristic, optimal, survey};
pub use statistics::ClassStatistics;
pub use tally::{Forced, Tally};
