//! The proven optimum.
//!
//! The lattice is walked from general to specific, in descending lexicographic order of the attributes sorted by the number of their
//! values. In that order
//! * every transformation comes after all more general ones, whose tallies say how many rows must be suppressed here too
//!   ([`Forced`](crate::Forced)): together with what generalizing alone costs, that is a lower bound on its score;
//! * neighbours share the first attributes' levels, so their classes are rolled up from classes already grouped;
//! * generalizing alone costs more the higher the levels, so whole subtrees above a prefix are skipped by its bound.
//!
//! A greedy descent from the top provides a first candidate to compare bounds with. Evaluation happens in runs of neighbours; for
//! large tables several runs are evaluated at a time, as many on one thread as on eight, so the result does not depend on threads.

use super::frontier::Frontier;
use super::walk::Walk;
use super::{Limits, Observer, SearchError, Solution};
use crate::classes::Evaluator;
use crate::{Forced, Problem, Score, Tally};
use rayon::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Runs of neighbouring transformations evaluated together, where the table is large enough for several threads.
const RUNS: usize = 8;

/// Tables with fewer distinct tuples are evaluated by one thread.
const MANY_TUPLES: usize = 20_000;

/// The same where requirements on all classes together make each evaluation many times as long.
const MANY_TUPLES_TOGETHER: usize = 2_000;

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
    // Small tables are evaluated faster than threads wake up. The number of runs does not depend on the number of threads, so neither
    // does the result.
    let many = if problem.table_models.is_empty() { MANY_TUPLES } else { MANY_TUPLES_TOGETHER };
    let runs = if problem.frequency.tuples() < many { 1 } else { RUNS };
    let mut evaluators = vec![Evaluator::for_walking(problem)];
    for _ in 1..limits.threads.clamp(1, runs) {
        evaluators.push(evaluators[0].fork());
    }
    let mut frontier = Frontier::new(problem);
    descend(&mut frontier, &mut evaluators[0], problem.lattice.upper().to_vec(), &is_over);

    let mut walk = Walk::new(problem);
    let mut unsettled: Vec<Vec<usize>> = Vec::new();
    while unsettled.is_empty() {
        let batch: Vec<Vec<Vec<usize>>> = std::iter::from_fn(|| walk.next_run(&frontier)).take(runs).collect();
        if batch.is_empty() {
            break;
        }
        for (levels, settled) in evaluate_all(&frontier, &mut evaluators, &batch, &is_over) {
            match settled {
                Settled::Evaluated(forced, tally) => {
                    frontier.record(&levels, forced, tally);
                }
                Settled::RuledOut(forced) => frontier.remember(&levels, forced),
                Settled::Not => unsettled.push(levels),
            }
        }
        let best = frontier.best.as_ref().map(|best| best.score.value());
        observer.progress(walk.settled(), size, best, 0.0);
    }
    let is_complete = unsettled.is_empty();
    let lower_bound = if is_complete {
        frontier.best.as_ref().map(|best| best.score.clone())
    } else {
        walk.lower_bound(&frontier, &unsettled)
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

/// What became of a transformation.
enum Settled {
    Evaluated(Forced, Tally),
    RuledOut(Forced),
    /// The time ran out before.
    Not,
}

/// Settles runs, each on one of the evaluators, with what was known before any of them; in the order of the walk.
fn evaluate_all(
    frontier: &Frontier<'_>,
    evaluators: &mut [Evaluator<'_>],
    runs: &[Vec<Vec<usize>>],
    is_over: &(dyn Fn() -> bool + Sync),
) -> Vec<(Vec<usize>, Settled)> {
    if let [evaluator] = evaluators {
        return runs.iter().flat_map(|run| evaluate_run(frontier, evaluator, run, is_over)).collect();
    }
    let share = runs.len().div_ceil(evaluators.len());
    evaluators
        .par_iter_mut()
        .zip(runs.par_chunks(share))
        .flat_map_iter(|(evaluator, part)| {
            part.iter().flat_map(|run| evaluate_run(frontier, evaluator, run, is_over)).collect::<Vec<_>>()
        })
        .collect()
}

/// Settles a run from general to specific, so that what is forced in one is known in those below it.
fn evaluate_run(
    frontier: &Frontier<'_>,
    evaluator: &mut Evaluator<'_>,
    run: &[Vec<usize>],
    is_over: &(dyn Fn() -> bool + Sync),
) -> Vec<(Vec<usize>, Settled)> {
    let mut settled: Vec<(Vec<usize>, Settled)> = Vec::with_capacity(run.len());
    for levels in run {
        if frontier.is_evaluated(levels) {
            continue;
        }
        let mut forced = frontier.inherited(levels);
        for (above, outcome) in &settled {
            if let Settled::Evaluated(known, _) | Settled::RuledOut(known) = outcome
                && levels.iter().zip(above).all(|(level, upper)| level <= upper)
            {
                forced.strengthen(known);
            }
        }
        let outcome = if is_over() {
            Settled::Not
        } else if frontier.rules_out(levels, &frontier.bound(levels, &forced), &forced) {
            Settled::RuledOut(forced)
        } else {
            let tally = evaluator.evaluate(levels);
            forced.strengthen(&tally.forced);
            Settled::Evaluated(forced, tally)
        };
        settled.push((levels.clone(), outcome));
    }
    settled
}
