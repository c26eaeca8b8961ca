//! The proven optimum.
//!
//! The lattice is walked from general to specific, in descending lexicographic order of the attributes sorted by the number of their
//! values. In that order
//! * every transformation comes after all more general ones, whose tallies say how many rows must be suppressed here too
//!   ([`Forced`](crate::Forced)): together with what generalizing alone costs, that is a lower bound on its score;
//! * neighbours share the first attributes' levels, so their classes are rolled up from classes already grouped;
//! * generalizing alone costs more the higher the levels, so whole subtrees above a prefix are skipped by its bound.
//!
//! A greedy descent from the top provides a first candidate to compare bounds with. Evaluation happens in small batches of
//! transformations, none above another, that do not depend on the number of threads; neither does the result.

use super::frontier::Frontier;
use super::{Limits, Observer, SearchError, Solution};
use crate::classes::{Evaluator, attribute_order};
use crate::{Forced, Problem, Score};
use rayon::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Transformations evaluated together.
const BATCH: usize = 1;

/// The walk keeps a bound for every transformation it cannot skip by the cost of generalization alone; beyond this it is the
/// heuristic's business.
const MOST_TRANSFORMATIONS: f64 = 1e9;

/// The best admissible transformation of the whole lattice.
///
/// In the worst case every transformation is evaluated, each in time linear in the classes of the one it is rolled up from.
/// With a time limit or a stop signal the best so far is returned, with `is_optimal` false unless the proof was complete, and with what was
/// proven until then as `lower_bound`.
pub fn optimal(problem: &Problem, limits: &Limits<'_>, observer: &mut dyn Observer) -> Result<Solution, SearchError> {
    let size = problem.lattice.approximate_size();
    if size > MOST_TRANSFORMATIONS {
        return Err(SearchError::TooLarge { size, most: MOST_TRANSFORMATIONS });
    }
    let deadline = limits.time.map(|time| Instant::now() + time);
    let is_over =
        || limits.stop.is_some_and(|stop| stop.load(Relaxed)) || deadline.is_some_and(|at| Instant::now() >= at);
    // Small tables are evaluated faster than threads wake up.
    let threads = if problem.frequency.tuples() < 20_000 { 1 } else { limits.threads.clamp(1, BATCH) };
    let mut evaluators: Vec<Evaluator<'_>> = (0..threads).map(|_| Evaluator::new(problem)).collect();
    let mut frontier = Frontier::new(problem);
    descend(&mut frontier, &mut evaluators[0], problem.lattice.upper().to_vec(), &is_over);

    let mut walk = Walk::new(problem);
    let mut deferred: Vec<Vec<usize>> = Vec::new();
    let mut is_complete = true;
    loop {
        let batch = next_batch(&mut walk, &mut deferred, &mut frontier);
        if batch.is_empty() {
            break;
        }
        if is_over() {
            deferred.extend(batch.into_iter().map(|(levels, _)| levels));
            is_complete = false;
            break;
        }
        let tallies = evaluate_all(&mut evaluators, &batch);
        for ((levels, forced), tally) in batch.into_iter().zip(tallies) {
            frontier.record(&levels, forced, tally);
        }
        let best = frontier.best.as_ref().map(|best| best.score.value());
        observer.progress(walk.settled(), size, best, 0.0);
    }
    let lower_bound = if is_complete {
        frontier.best.as_ref().map(|best| best.score.clone())
    } else {
        walk.lower_bound(&frontier, &deferred)
    };
    let checked = frontier.checked;
    let Some(best) = frontier.best else {
        return Err(if is_complete {
            SearchError::NoSolution { limit: problem.limit, rows: problem.frequency.rows, checked }
        } else {
            SearchError::TimeOut
        });
    };
    Ok(Solution {
        levels: best.levels,
        lower_bound: lower_bound.unwrap_or_else(|| best.score.clone()),
        score: best.score,
        tally: best.tally,
        is_optimal: is_complete,
        checked,
        nodes: frontier.nodes,
    })
}

/// From `start` to the best of the transformations one step below, for as long as that improves the score.
pub(super) fn descend(
    frontier: &mut Frontier<'_>,
    evaluator: &mut Evaluator<'_>,
    start: Vec<usize>,
    is_over: &dyn Fn() -> bool,
) {
    let mut evaluate = |frontier: &mut Frontier<'_>, levels: &[usize]| -> Option<Score> {
        let forced = frontier.inherited(levels);
        let tally = evaluator.evaluate(levels);
        frontier.record(levels, forced, tally)
    };
    let mut current = start;
    let mut score = if frontier.is_evaluated(&current) { None } else { evaluate(frontier, &current) };
    while !is_over() {
        let mut next: Option<(Score, Vec<usize>)> = None;
        for j in 0..current.len() {
            if current[j] == frontier.problem.lattice.lower()[j] {
                continue;
            }
            let mut below = current.clone();
            below[j] -= 1;
            let forced = frontier.inherited(&below);
            let bound = frontier.bound(&below, &forced);
            if frontier.is_evaluated(&below) || frontier.rules_out(&below, &bound, &forced) {
                continue;
            }
            if let Some(found) = evaluate(frontier, &below)
                && next.as_ref().is_none_or(|(best, _)| found < *best)
            {
                next = Some((found, below));
            }
        }
        match next {
            Some((found, below)) if score.as_ref().is_none_or(|score| found <= *score) => {
                score = Some(found);
                current = below;
            }
            _ => return,
        }
    }
}

/// The next transformations that must be evaluated, none below another of them.
fn next_batch(
    walk: &mut Walk<'_>,
    deferred: &mut Vec<Vec<usize>>,
    frontier: &mut Frontier<'_>,
) -> Vec<(Vec<usize>, Forced)> {
    let mut batch: Vec<(Vec<usize>, Forced)> = Vec::with_capacity(BATCH);
    let mut waiting = std::mem::take(deferred).into_iter();
    while batch.len() < BATCH && deferred.len() < BATCH {
        let Some(levels) = waiting.next().or_else(|| walk.next(frontier)) else { break };
        if frontier.is_evaluated(&levels) {
            continue;
        }
        if batch.iter().any(|(above, _)| levels.iter().zip(above).all(|(level, upper)| level <= upper)) {
            deferred.push(levels);
            continue;
        }
        let forced = frontier.inherited(&levels);
        let bound = frontier.bound(&levels, &forced);
        if frontier.rules_out(&levels, &bound, &forced) {
            frontier.remember(&levels, forced);
        } else {
            batch.push((levels, forced));
        }
    }
    deferred.extend(waiting);
    batch
}

fn evaluate_all(evaluators: &mut [Evaluator<'_>], batch: &[(Vec<usize>, Forced)]) -> Vec<crate::Tally> {
    if let [evaluator] = evaluators {
        return batch.iter().map(|(levels, _)| evaluator.evaluate(levels)).collect();
    }
    let share = batch.len().div_ceil(evaluators.len());
    evaluators
        .par_iter_mut()
        .zip(batch.par_chunks(share))
        .flat_map_iter(|(evaluator, part)| {
            part.iter().map(|(levels, _)| evaluator.evaluate(levels)).collect::<Vec<_>>()
        })
        .collect()
}

/// All transformations in descending lexicographic order, without those that generalization alone rules out.
struct Walk<'p> {
    problem: &'p Problem,
    order: Vec<usize>,
    /// The next transformation, if there is one.
    next: Option<Vec<usize>>,
    /// Prefixes up to this long are those of the transformation before, which was not skipped.
    checked_depth: usize,
    nothing: Forced,
}

impl<'p> Walk<'p> {
    fn new(problem: &'p Problem) -> Self {
        let order = attribute_order(problem);
        let nothing = Forced::nothing(order.len());
        Self { problem, order, next: Some(problem.lattice.upper().to_vec()), checked_depth: 0, nothing }
    }

    fn next(&mut self, frontier: &Frontier<'_>) -> Option<Vec<usize>> {
        let lower = self.problem.lattice.lower();
        loop {
            let levels = self.next.clone()?;
            // The shortest prefix whose least general completion is already too costly: nothing below this level of its last
            // attribute has been seen, so continue there.
            let mut least = lower.to_vec();
            let mut skip_at = None;
            for (depth, &j) in self.order.iter().enumerate() {
                least[j] = levels[j];
                if depth < self.checked_depth {
                    continue;
                }
                let bound = frontier.bound(&least, &self.nothing);
                if frontier.best.as_ref().is_some_and(|best| bound > best.score) {
                    skip_at = Some(depth);
                    break;
                }
            }
            self.step_back(&levels, skip_at.map_or(self.order.len(), |depth| depth + 1));
            if skip_at.is_none() {
                return Some(levels);
            }
        }
    }

    /// Continues at the lexicographic predecessor, dropping everything that shares the first `depth` attributes' levels.
    fn step_back(&mut self, levels: &[usize], depth: usize) {
        let lattice = &self.problem.lattice;
        let position = (0..depth).rev().find(|&i| levels[self.order[i]] > lattice.lower()[self.order[i]]);
        self.checked_depth = position.unwrap_or(0);
        self.next = position.map(|position| {
            let mut before = levels.to_vec();
            before[self.order[position]] -= 1;
            for &j in &self.order[position + 1..] {
                before[j] = lattice.upper()[j];
            }
            before
        });
    }

    /// No admissible transformation scores below this, with the walk where it is and some transformations put off.
    ///
    /// What is left of the walk is, for each attribute, a box: the transformations that agree with the next one on the attributes
    /// before it and are lower on this one. All that is known from above its most general corner holds in all of it.
    fn lower_bound(&self, frontier: &Frontier<'_>, deferred: &[Vec<usize>]) -> Option<Score> {
        let lattice = &self.problem.lattice;
        let mut bounds: Vec<Score> = frontier.best.iter().map(|best| best.score.clone()).collect();
        let mut add = |low: &[usize], high: &[usize]| {
            let forced = frontier.inherited(high);
            if forced.rows <= self.problem.limit {
                bounds.push(frontier.bound(low, &forced));
            }
        };
        deferred.iter().chain(&self.next).for_each(|levels| add(levels, levels));
        if let Some(next) = &self.next {
            let (mut low, mut high) = (lattice.lower().to_vec(), lattice.upper().to_vec());
            for &j in &self.order {
                if next[j] > lattice.lower()[j] {
                    high[j] = next[j] - 1;
                    add(&low, &high);
                }
                (low[j], high[j]) = (next[j], next[j]);
            }
        }
        bounds.into_iter().min()
    }

    /// How many transformations were passed.
    fn settled(&self) -> f64 {
        let lattice = &self.problem.lattice;
        let Some(next) = &self.next else { return lattice.approximate_size() };
        let mut left = 0.0;
        for &j in &self.order {
            let width = (lattice.upper()[j] - lattice.lower()[j] + 1) as f64;
            left = left * width + (next[j] - lattice.lower()[j]) as f64;
        }
        lattice.approximate_size() - left - 1.0
    }
}
