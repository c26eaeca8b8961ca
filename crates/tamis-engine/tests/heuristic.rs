//! The heuristic search: what it promises about its result and its bound, on small lattices that can be listed and on large ones.

use crate::adult;
use crate::wide;

use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tamis_engine::{Limits, Observer, Problem, Recoding, Score, SearchError, Solution, heuristic, optimal, survey};
use wide::Shape;

fn evaluations(evaluations: u64, seed: u64) -> Limits<'static> {
    Limits { evaluations: Some(evaluations), seed, ..Limits::default() }
}

fn seconds(seconds: f64) -> Limits<'static> {
    Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() }
}

/// The score of an admissible transformation, counted anew from the tuples.
fn score(problem: &Problem, levels: &[usize]) -> Option<Score> {
    let tally = Recoding::of(problem, levels).tally;
    (tally.suppressed <= problem.limit).then(|| problem.measure.score(levels, &tally))
}

/// From the top to the best transformation one level down, while that improves; and how many evaluations that takes.
fn greedy(problem: &Problem) -> (Option<Score>, u64) {
    let mut levels = problem.lattice.upper().to_vec();
    let mut best = score(problem, &levels);
    let mut evaluated = 1;
    loop {
        let below = (0..levels.len()).filter(|&j| levels[j] > problem.lattice.lower()[j]).filter_map(|j| {
            let mut below = levels.clone();
            below[j] -= 1;
            evaluated += 1;
            Some((score(problem, &below)?, below))
        });
        match below.min() {
            Some((found, below)) if best.as_ref().is_none_or(|best| found <= *best) => {
                (best, levels) = (Some(found), below);
            }
            _ => return (best, evaluated),
        }
    }
}

/// What holds of every solution, however early the search was stopped.
fn assert_sound(problem: &Problem, solution: &Solution) {
    assert_eq!(score(problem, &solution.levels).as_ref(), Some(&solution.score));
    assert!(solution.lower_bound <= solution.score);
    assert!(!solution.is_optimal || solution.lower_bound == solution.score);
}

fn shapes() -> impl Strategy<Value = Shape> {
    let measures = prop_oneof![
        4 => Just("loss"),
        1 => Just("discernibility"),
        1 => Just("average-class-size"),
        1 => Just("non-uniform-entropy"),
        1 => Just("precision"),
        1 => Just("height")
    ];
    let limits = prop_oneof![Just(0.0), Just(0.05), Just(0.3), Just(1.0)];
    let models = prop_oneof![
        2 => Just(None),
        1 => Just(Some(("entropy-l-diversity", "l", 1.8))),
        1 => Just(Some(("t-closeness", "t", 0.3)))
    ];
    let cuts = prop_oneof![3 => Just(0), 1 => any::<u32>()];
    let table = (1usize..6, 7usize..80, any::<u64>());
    (table, 1i64..7, limits, measures, models, cuts).prop_map(
        |((attributes, rows, seed), k, limit, measure, model, cut)| Shape {
            attributes,
            rows,
            seed,
            k,
            limit,
            measure,
            model,
            cut,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_time_enough_it_returns_and_proves_the_optimum(shape in shapes(), seed: u64) {
        let problem = shape.problem();
        match (optimal(&problem, &Limits::default(), &mut ()), heuristic(&problem, &evaluations(u64::MAX, seed), &mut ())) {
            (Ok(expected), Ok(found)) => {
                prop_assert!(found.is_optimal);
                prop_assert_eq!(&found.levels, &expected.levels);
                prop_assert_eq!(&found.lower_bound, &expected.score);
                assert_sound(&problem, &found);
            }
            (Err(SearchError::NoSolution { .. }), Err(SearchError::NoSolution { .. })) => {}
            (expected, found) => prop_assert!(false, "{expected:?} but {found:?}"),
        }
    }

    #[test]
    fn stopped_early_it_is_admissible_and_bounded(shape in shapes(), seed: u64, most in 0u64..60) {
        let problem = shape.problem();
        let surveyed = survey(&problem).unwrap();
        let optimum = surveyed.iter().filter(|node| node.holds).map(|node| &node.score).min();
        match heuristic(&problem, &evaluations(most, seed), &mut ()) {
            Ok(found) => {
                assert_sound(&problem, &found);
                prop_assert!(found.checked <= most.max(1));
                prop_assert!(Some(&found.lower_bound) <= optimum);
                prop_assert!(!found.is_optimal || Some(&found.score) == optimum);
                prop_assert_eq!(Ok(found), heuristic(&problem, &evaluations(most, seed), &mut ()));
            }
            Err(SearchError::NoSolution { .. }) => prop_assert_eq!(optimum, None),
            Err(error) => prop_assert_eq!(error, SearchError::TimeOut),
        }
    }

    #[test]
    fn a_stopped_optimal_search_is_bounded_too(shape in shapes()) {
        let problem = shape.problem();
        let Ok(expected) = optimal(&problem, &Limits::default(), &mut ()) else { return Ok(()) };
        let stop = AtomicBool::new(false);
        let mut stop_after = StopAfter { left: shape.seed % 20, stop: &stop, last: None };
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        if let Ok(found) = optimal(&problem, &limits, &mut stop_after) {
            assert_sound(&problem, &found);
            prop_assert!(found.lower_bound <= expected.score);
        }
    }
}

/// Asks to stop after some reports.
struct StopAfter<'a> {
    left: u64,
    stop: &'a AtomicBool,
    last: Option<(f64, f64, f64)>,
}

impl Observer for StopAfter<'_> {
    fn progress(&mut self, done: f64, of: f64, _best: Option<f64>, bound: f64) {
        let last = self.last.replace((done, of, bound));
        assert!(done <= of && last.is_none_or(|(before, ..)| done >= before - of * 1e-9));
        self.stop.store(self.left == 0, Ordering::Relaxed);
        self.left = self.left.saturating_sub(1);
    }
}

#[test]
fn stop_signal_ends_the_search_with_the_best_so_far() {
    let problem = Shape::people(30, 500, 0.1).problem();
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..seconds(60.0) };
    let solution = heuristic(&problem, &limits, &mut ()).unwrap();
    assert_eq!((solution.checked, solution.is_optimal), (1, false));

    let mut observer = StopAfter { left: 3, stop: &stop, last: None };
    stop.store(false, Ordering::Relaxed);
    let started = Instant::now();
    let solution = heuristic(&problem, &limits, &mut observer).unwrap();
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_sound(&problem, &solution);
    assert!(observer.last.is_some_and(|(_, _, bound)| bound == solution.lower_bound.value() && bound > 0.0));
}

#[test]
fn same_seed_and_evaluations_give_the_same_result() {
    let problem = Shape::people(30, 300, 0.05).problem();
    let [first, second] = [(); 2].map(|()| heuristic(&problem, &evaluations(1_500, 7), &mut ()).unwrap());
    assert_eq!(first, second);
    assert_eq!(first.checked, 1_500);
    let other = heuristic(&problem, &evaluations(1_500, 8), &mut ()).unwrap();
    assert_ne!(first.nodes, other.nodes);
}

#[test]
fn levels_too_low_for_any_solution_are_told_apart_from_too_little_time() {
    let problem = Shape { cut: u32::MAX, ..Shape::people(30, 1_000, 0.05) }.problem();
    let found = heuristic(&problem, &Limits::default(), &mut ());
    assert_eq!(found, Err(SearchError::NoSolution { limit: 50, rows: 1_000, checked: 1 }));
    // Entropy diversity may fail on top and hold below as far as the search can know.
    let model = Some(("entropy-l-diversity", "l", 4.99));
    let problem = Shape { model, ..Shape::people(20, 500, 0.3) }.problem();
    let found = heuristic(&problem, &evaluations(3, 0), &mut ());
    assert!(matches!(found, Err(SearchError::TimeOut | SearchError::NoSolution { .. })), "{found:?}");
}

#[test]
fn twenty_and_more_attributes_in_two_seconds() {
    for (attributes, limit) in [(20, 0.05), (20, 1.0), (30, 0.1), (50, 0.1)] {
        let problem = Shape::people(attributes, 2_000, limit).problem();
        let started = Instant::now();
        let solution = heuristic(&problem, &seconds(2.0), &mut ()).unwrap();
        let took = started.elapsed();
        assert_sound(&problem, &solution);
        let (greedy, evaluated) = greedy(&problem);
        let greedy = greedy.unwrap();
        println!(
            "{attributes} attributes, {:.0e} transformations, limit {limit}: {:.6}, greedy {:.6}, bound {:.6}, {} evaluations, {took:?}",
            problem.lattice.approximate_size(),
            solution.score.value(),
            greedy.value(),
            solution.lower_bound.value(),
            solution.checked,
        );
        // A slow machine may not get that far in two seconds.
        assert!(solution.score <= greedy || solution.checked < evaluated);
        assert!(took < Duration::from_secs(10));
    }
}

#[test]
fn published_adult_optima_are_found_early_and_proven() {
    let table = adult::table();
    for published in tamis_adult::PUBLISHED {
        if !["k5", "k5_c4_l4", "k5_t0.2"].contains(&published.name) {
            continue;
        }
        let problem = adult::problem(&table, &adult::requirements(&published.setting));
        let started = Instant::now();
        let solution = heuristic(&problem, &evaluations(10_000, 0), &mut ()).unwrap();
        let levels: Vec<usize> = published.levels.iter().map(|&level| usize::from(level)).collect();
        let found = solution.nodes.iter().position(|node| node.levels == levels);
        println!("{}: found {found:?}, proven {} in {:?}", published.name, solution.checked, started.elapsed());
        assert_eq!(solution.levels, levels, "{}", published.name);
        assert!(solution.is_optimal);
        assert!(found.is_some_and(|found| found < 1_000));
    }
}
