//! Evaluates transformations while the limits last, each only once as far as memory goes.

use super::super::frontier::Frontier;
use super::Limits;
use crate::classes::Evaluator;
use crate::{Forced, Problem, Score};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long to search if nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Evaluated transformations remembered; about 0.3 kB each with twenty attributes. When full the store starts anew.
const REMEMBERED: usize = 1 << 16;

/// What is remembered of an evaluated transformation.
#[derive(Debug)]
pub(super) struct Evaluated {
    /// Its score if it is admissible.
    pub(super) score: Option<Score>,
    /// What must be suppressed there and below.
    pub(super) forced: Forced,
    /// Number and squared sizes of its classes.
    pub(super) classes: (u64, u64),
}

/// The problem, what is known of it and what is left of the limits.
pub(super) struct Explorer<'a> {
    pub(super) frontier: Frontier<'a>,
    evaluator: Evaluator<'a>,
    /// Keyed by the levels themselves: 64 bits cannot number the lattices this is for.
    known: HashMap<Box<[u32]>, Rc<Evaluated>, foldhash::fast::FixedState>,
    key: Vec<u32>,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    most_evaluations: u64,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(problem: &'a Problem, limits: &Limits<'a>) -> Self {
        let time = limits.time.or(limits.evaluations.is_none().then_some(DEFAULT_TIME));
        Self {
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            frontier: Frontier::new(problem),
            evaluator: Evaluator::for_jumping(problem),
            known: HashMap::default(),
            key: Vec::new(),
            stop: limits.stop,
            most_evaluations: limits.evaluations.unwrap_or(u64::MAX),
        }
    }

    pub(super) fn problem(&self) -> &'a Problem {
        self.frontier.problem
    }

    /// Whether some limit is reached; never before the first evaluation.
    pub(super) fn is_over(&self) -> bool {
        self.frontier.checked > 0
            && (self.frontier.checked >= self.most_evaluations
                || self.stop.is_some_and(|stop| stop.load(Relaxed))
                || self.deadline.is_some_and(|at| Instant::now() >= at))
    }

    /// Evaluates a transformation, or remembers it; nothing once the limits are reached.
    pub(super) fn evaluate(&mut self, levels: &[usize]) -> Option<Rc<Evaluated>> {
        self.key.clear();
        self.key.extend(levels.iter().map(|&level| level as u32));
        if let Some(evaluated) = self.known.get(self.key.as_slice()) {
            return Some(Rc::clone(evaluated));
        }
        if self.is_over() {
            return None;
        }
        let tally = self.evaluator.evaluate(levels);
        let (forced, classes) = (tally.forced.clone(), (tally.classes, tally.squares));
        let score = self.frontier.admit(levels, tally);
        let evaluated = Rc::new(Evaluated { score, forced, classes });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(self.key.as_slice().into(), Rc::clone(&evaluated));
        Some(evaluated)
    }

    /// The best score so far as a number.
    pub(super) fn best_value(&self) -> Option<f64> {
        self.frontier.best.as_ref().map(|best| best.score.value())
    }

    pub(super) fn into_frontier(self) -> Frontier<'a> {
        self.frontier
    }
}
