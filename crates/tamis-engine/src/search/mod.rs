//! Ways through the lattice.

mod frontier;
mod heuristic;
mod optimal;
mod survey;
mod walk;

pub use heuristic::heuristic;
pub use optimal::optimal;
pub use survey::{Surveyed, survey};

use crate::{Score, Tally};
use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long and with how many threads a search may run.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Stop after this long and return the best so far.
    pub time: Option<Duration>,
    /// Stop when this becomes true and return the best so far.
    pub stop: Option<&'a AtomicBool>,
    /// Stop after evaluating this many transformations and return the best so far; only the heuristic heeds it. Unlike a time
    /// limit it makes the result repeatable.
    pub evaluations: Option<u64>,
    /// Threads to use.
    pub threads: usize,
    /// Makes the restarts of the heuristic repeatable.
    pub seed: u64,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { time: None, stop: None, evaluations: None, threads: 1, seed: 0 }
    }
}

/// Is told how a search gets on.
pub trait Observer {
    /// `done` of `of` transformations are settled (evaluated or ruled out); the best score so far, and the proven bound.
    fn progress(&mut self, done: f64, of: f64, best: Option<f64>, bound: f64);
}

impl Observer for () {
    fn progress(&mut self, _: f64, _: f64, _: Option<f64>, _: f64) {}
}

/// A transformation that was evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The level of each attribute.
    pub levels: Vec<usize>,
    /// Its score.
    pub score: Score,
    /// Rows it suppresses.
    pub suppressed: u64,
    /// Whether it may be chosen.
    pub is_admissible: bool,
}

/// The best transformation found and what is proven about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The level of each attribute.
    pub levels: Vec<usize>,
    /// Its score.
    pub score: Score,
    /// Its sums.
    pub tally: Tally,
    /// Whether nothing better exists.
    pub is_optimal: bool,
    /// No admissible transformation scores below this.
    pub lower_bound: Score,
    /// Transformations evaluated.
    pub checked: u64,
    /// All evaluated transformations in the order of evaluation, at most 20,000 of them.
    pub nodes: Vec<Node>,
}

/// How many evaluated transformations a solution remembers.
pub(crate) const RECORDED: usize = 20_000;

/// No solution.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum SearchError {
    /// Nothing in the lattice meets the models within the suppression limit.
    #[error("no transformation meets the models with at most {limit} of {rows} rows suppressed")]
    NoSolution {
        /// Rows that may be suppressed.
        limit: u64,
        /// Rows in all.
        rows: u64,
        /// Transformations evaluated.
        checked: u64,
    },
    /// The time ran out before anything admissible was found.
    #[error("the time ran out before an admissible transformation was found; allow more time or more suppression")]
    TimeOut,
    /// Too many transformations to prove anything about all of them.
    #[error(
        "the lattice has {size:.1e} transformations, too many to go through all of them (at most {most:.0e}); bound the levels of some attributes with max_level, or anonymize with `algorithm = \"heuristic\"`"
    )]
    TooLarge {
        /// Transformations there are.
        size: f64,
        /// Most it takes on.
        most: f64,
    },
}

/// A candidate for the best transformation.
#[derive(Debug, Clone)]
struct Candidate {
    score: Score,
    levels: Vec<usize>,
    tally: Tally,
}

impl Candidate {
    /// Better score first, then the smaller sum of levels, then the lexicographically first.
    fn compare(score: &Score, levels: &[usize], other: &Self) -> Ordering {
        let height = |levels: &[usize]| levels.iter().sum::<usize>();
        score
            .cmp(&other.score)
            .then_with(|| height(levels).cmp(&height(&other.levels)))
            .then_with(|| levels.cmp(&other.levels))
    }
}
