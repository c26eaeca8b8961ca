//! From a problem to a schedule, by the method asked for.

mod best;
mod bounds;
mod constrained;
mod exact;
mod heuristic;
mod iterations;
mod rules;
mod supports;

use crate::AppointmentError;
use crate::instance::{Instance, Plain};
use crate::schedule::Schedule;
use crate::vector::AnonymityVector;
pub use iterations::{Iteration, iterations};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a schedule is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
pub enum Method {
    /// The proven optimum if it is found in seconds, otherwise the heuristic from the best found.
    ///
    /// What is taken when nothing is asked for.
    Best,
    /// The proven optimum.
    ///
    /// When time runs out, the best found and what is proved.
    Exact,
    /// Tamis' own, for millions of people.
    Heuristic,
    /// The largest remaining capacity first.
    ///
    /// The rule that gave the paper's printed result.
    Greatest,
    /// The paper's Algorithm 2: the largest capacity up to half of what is left.
    Half,
    /// The rule of the authors' program and of the thesis.
    ///
    /// Collect the largest capacities, then fill the smallest of them first.
    Authors,
    /// Everybody draws a free place.
    Random,
}

impl Method {
    /// As flags, tables and files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Exact => "exact",
            Self::Heuristic => "heuristic",
            Self::Greatest => "greatest",
            Self::Half => "half",
            Self::Authors => "authors",
            Self::Random => "random",
        }
    }

    /// The method that a schedule owes itself to: of [`Method::Best`] the exact one if it proved what was asked for, otherwise the
    /// heuristic.
    #[must_use]
    pub fn answering(self, solution: &Solution, level: Option<u32>) -> Self {
        let asked = level.zip(solution.vector.k()).map(|(level, k)| k.saturating_add(u64::from(level)));
        let is_proved = solution.is_optimal() || asked.is_some_and(|size| solution.proved_up_to() >= size);
        match self {
            Self::Best if is_proved => Self::Exact,
            Self::Best => Self::Heuristic,
            asked => asked,
        }
    }
}

/// What a method may use.
#[derive(Debug, Clone, Default)]
pub struct SolveOptions {
    /// Breaks ties and drives everything random.
    pub seed: u64,
    /// The thesis' level of search: components beyond the first non-zero one that are still optimised; all if none.
    pub level: Option<u32>,
    /// When to stop looking.
    pub patience: Patience,
}

/// How long a search may go on: until a moment, and until somebody raises a flag.
#[derive(Debug, Clone, Default)]
pub struct Patience {
    until: Option<Instant>,
    flag: Option<Arc<AtomicBool>>,
}

impl Patience {
    /// So long from now.
    pub fn of(limit: Duration) -> Self {
        Self { until: Instant::now().checked_add(limit), flag: None }
    }

    /// Also until this flag is raised.
    #[must_use]
    pub fn or_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.flag = Some(flag);
        self
    }

    /// The same, but no longer than so long from now.
    #[must_use]
    pub(crate) fn at_most(&self, limit: Duration) -> Self {
        let until = Instant::now().checked_add(limit);
        let until = match (self.until, until) {
            (Some(ours), Some(theirs)) => Some(ours.min(theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        Self { until, flag: self.flag.clone() }
    }

    /// The same without the moment: only the flag ends it.
    #[must_use]
    pub(crate) fn until_flag(&self) -> Self {
        Self { until: None, flag: self.flag.clone() }
    }

    /// Whether it is time to answer with what there is.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// How long is left; none without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// A schedule and what is proved about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Who goes where.
    pub schedule: Schedule,
    /// Its anonymity vector.
    pub vector: AnonymityVector,
    /// No schedule has a smaller vector than this.
    pub lower_bound: AnonymityVector,
    /// Which components are proved, and by what, smallest size first. Sizes that cannot occur are left out.
    pub proofs: Vec<LevelProof>,
}

impl Solution {
    /// Whether no schedule is more anonymous.
    pub fn is_optimal(&self) -> bool {
        self.vector == self.lower_bound
    }

    /// Up to which size of cells nothing can be better: so far vector and lower bound agree, and no schedule is below the bound.
    pub fn proved_up_to(&self) -> u64 {
        self.vector.first_difference(&self.lower_bound).map_or(self.vector.largest(), |size| size - 1)
    }
}

/// A component of the vector that no schedule with the same components before it can lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelProof {
    /// The size of cells.
    pub size: u64,
    /// How many cells of that size there are at least.
    pub cells: u64,
    /// Why there cannot be fewer.
    pub reason: Reason,
}

/// Why a component cannot be lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is zero.
    Zero,
    /// Splitting the frequencies needs as many.
    RowBound,
    /// Filling the capacities needs as many.
    ColumnBound,
    /// The linear relaxation needs as many.
    LinearBound,
    /// The integer program needs as many.
    IntegerBound,
    /// Nobody is left for other sizes.
    Remainder,
    /// Every schedule was looked at.
    Enumeration,
}

/// Solves a problem.
pub fn solve(instance: &Instance, method: Method, options: &SolveOptions) -> Result<Solution, AppointmentError> {
    instance.validate()?;
    let solution = solve_unchecked(instance, method, options)?;
    // The solvers are clever and this is not: whatever they return, people are sent to slots only if it holds.
    instance.check(&solution.schedule).map_err(AppointmentError::BrokenSchedule)?;
    if solution.schedule.vector(instance) != solution.vector {
        return Err(AppointmentError::BrokenSchedule("its vector is not what was claimed".to_owned()));
    }
    Ok(solution)
}

fn solve_unchecked(instance: &Instance, method: Method, options: &SolveOptions) -> Result<Solution, AppointmentError> {
    match instance.as_plain() {
        Some(problem) if instance.is_one_unit_per_quasi_id() => Ok(solve_plain(&problem, method, options)),
        _ => constrained::solve(instance, method, options),
    }
}

/// Solves a problem without conditions, which always has a schedule.
fn solve_plain(problem: &Plain, method: Method, options: &SolveOptions) -> Solution {
    let schedule = match method {
        Method::Best => return best::best(problem, options),
        Method::Exact => return exact::exact(problem, options),
        Method::Heuristic => heuristic::heuristic(problem, options),
        Method::Greatest => rules::greatest(problem, options.seed),
        Method::Half => rules::half(problem, options.seed),
        Method::Authors => rules::authors(problem, options.seed),
        Method::Random => rules::random(problem, options.seed),
    };
    let vector = schedule.plain_vector();
    Solution { schedule, vector, lower_bound: bounds::lower_bound(problem), proofs: Vec::new() }
}
