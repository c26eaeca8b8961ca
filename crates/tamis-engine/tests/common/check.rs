//! Compares the engine with the search that takes no short cuts.

use super::{Outcome, Sample, outcome};
use std::collections::HashMap;
use tamis_engine::{Limits, Problem, Recoding, Score, SearchError, Solution, Surveyed, Tally, optimal, survey};

/// Sums in another order may round to the other side of the tenth decimal, once per attribute.
fn is_close(found: &Score, expected: &[f64]) -> bool {
    let parts: Vec<f64> = found.parts().collect();
    parts.len() == expected.len()
        && parts
            .iter()
            .zip(expected)
            .all(|(found, expected)| (found - expected).abs() <= 1e-9 * expected.abs().max(1.0))
}

/// The whole lattice, the optimum and its replay, all against the definitions.
pub(crate) fn check(sample: &Sample) {
    let problem = sample.problem();
    let surveyed = check_survey(sample, &problem);
    let solution = check_optimum(&problem, &surveyed);
    for found in &surveyed {
        let expected = outcome(sample, &found.levels);
        check_recoding(&problem, &found.levels, &expected);
    }
    if let Some(solution) = solution {
        let recoding = Recoding::of(&problem, &solution.levels);
        if problem.limit == 0 || !problem.is_everything_hidden(&solution.levels) {
            // Which model is asked first decides how much is known to be forced; either is a right bound.
            let replayed = Tally { forced: solution.tally.forced.clone(), ..recoding.tally };
            assert_eq!(replayed, solution.tally, "the replay and the search tally {:?} differently", solution.levels);
        }
    }
}

/// Every transformation is as the definitions say, and minimal iff nothing below it holds.
pub(crate) fn check_survey(sample: &Sample, problem: &Problem) -> Vec<Surveyed> {
    let surveyed = survey(problem).unwrap();
    let mut levels: Vec<Vec<usize>> = vec![Vec::new()];
    for (&lower, &upper) in sample.lower.iter().zip(&sample.upper) {
        levels =
            levels.iter().flat_map(|head| (lower..=upper).map(|level| [head.as_slice(), &[level]].concat())).collect();
    }
    assert_eq!(surveyed.iter().map(|found| found.levels.clone()).collect::<Vec<_>>(), levels);
    let expected: HashMap<&[usize], Outcome> =
        levels.iter().map(|levels| (levels.as_slice(), outcome(sample, levels))).collect();
    for found in &surveyed {
        let levels = found.levels.as_slice();
        let outcome = &expected[levels];
        assert_eq!((found.suppressed, found.classes), (outcome.suppressed, outcome.classes), "{levels:?}");
        assert_eq!(found.holds, outcome.holds, "{levels:?}");
        assert!(is_close(&found.score, &outcome.score), "{levels:?}: {:?} for {:?}", found.score, outcome.score);
        let is_below =
            |other: &[usize]| other != levels && other.iter().zip(levels).all(|(other, level)| other <= level);
        let is_minimal = outcome.holds && !expected.iter().any(|(other, found)| found.holds && is_below(other));
        assert_eq!(found.is_minimal, is_minimal, "{levels:?}");
    }
    surveyed
}

/// The optimum is the best of the whole lattice to the last bit, by score, then height, then order.
pub(crate) fn check_optimum(problem: &Problem, surveyed: &[Surveyed]) -> Option<Solution> {
    let height = |found: &Surveyed| found.levels.iter().sum::<usize>();
    let best = surveyed
        .iter()
        .filter(|found| found.holds)
        .min_by(|a, b| a.score.cmp(&b.score).then(height(a).cmp(&height(b))).then_with(|| a.levels.cmp(&b.levels)));
    let found = optimal(problem, &Limits::default(), &mut ());
    let Some(best) = best else {
        let error = found.unwrap_err();
        let SearchError::NoSolution { limit, rows, checked } = error else { panic!("{error}") };
        assert_eq!((limit, rows), (problem.limit, problem.frequency.rows));
        assert!(checked <= surveyed.len() as u64);
        return None;
    };
    let solution = found.unwrap();
    assert_eq!(solution.levels, best.levels, "{:?} scores {:?}, {:?}", best.levels, best.score, solution.score);
    assert_eq!((&solution.score, solution.tally.suppressed), (&best.score, best.suppressed));
    assert_eq!((&solution.lower_bound, solution.is_optimal), (&best.score, true));
    assert!(solution.checked <= surveyed.len() as u64, "evaluated something twice");
    for node in &solution.nodes {
        let same = surveyed.iter().find(|found| found.levels == node.levels).unwrap();
        assert_eq!((&node.score, node.suppressed, node.is_admissible), (&same.score, same.suppressed, same.holds));
    }
    Some(solution)
}

/// The replay of a transformation on the tuples releases the rows that the definitions release.
pub(crate) fn check_recoding(problem: &Problem, levels: &[usize], expected: &Outcome) {
    let recoding = Recoding::of(problem, levels);
    let figures = recoding.statistics();
    if problem.limit > 0 && problem.is_everything_hidden(levels) {
        assert_eq!((figures.count, figures.rows, recoding.suppressed_rows()), (0, 0, problem.frequency.rows));
        let score = problem.measure.score(levels, &recoding.tally);
        assert!(is_close(&score, &expected.score), "{levels:?}: {score:?} for {:?}", expected.score);
        return;
    }
    assert_eq!((figures.count, recoding.tally.suppressed), (expected.classes, expected.suppressed), "{levels:?}");
    assert_eq!(figures.rows, problem.frequency.rows - expected.suppressed);
    let score = problem.measure.score(levels, &recoding.tally);
    assert!(is_close(&score, &expected.score), "{levels:?}: {score:?} for {:?}", expected.score);
    let rows: u64 = recoding.class_rows.iter().sum();
    assert_eq!(rows, problem.frequency.rows);
}
