//! Every transformation of a lattice, for looking at it as a whole.

use super::SearchError;
use crate::classes::{Evaluator, attribute_order};
use crate::{Problem, Score};

/// One transformation of a surveyed lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Surveyed {
    /// The level of each attribute.
    pub levels: Vec<usize>,
    /// Its score.
    pub score: Score,
    /// Rows it suppresses.
    pub suppressed: u64,
    /// Released classes.
    pub classes: u64,
    /// Whether the models hold within the suppression limit.
    pub holds: bool,
    /// Whether it holds and nothing below it does.
    pub is_minimal: bool,
}

/// A survey keeps every transformation in memory.
const MOST_TRANSFORMATIONS: f64 = 5e6;

/// Evaluates every transformation, in lexicographic order of their levels.
pub fn survey(problem: &Problem) -> Result<Vec<Surveyed>, SearchError> {
    let size = problem.lattice.approximate_size();
    if size > MOST_TRANSFORMATIONS {
        return Err(SearchError::TooLarge { size, most: MOST_TRANSFORMATIONS });
    }
    let mut evaluator = Evaluator::for_walking(problem);
    let order = attribute_order(problem);
    let mut all: Vec<Vec<usize>> = problem.lattice.iter().collect();
    // Neighbours in this order share most of their grouping.
    all.sort_by_cached_key(|levels| order.iter().map(|&j| levels[j]).collect::<Vec<_>>());
    let mut surveyed: Vec<Surveyed> = all
        .into_iter()
        .map(|levels| {
            let tally = evaluator.evaluate(&levels);
            Surveyed {
                score: problem.measure.score(&levels, &tally),
                suppressed: tally.suppressed,
                classes: tally.kept_classes,
                holds: tally.suppressed <= problem.limit && !tally.is_blocked,
                is_minimal: false,
                levels,
            }
        })
        .collect();
    surveyed.sort_by(|left, right| left.levels.cmp(&right.levels));
    mark_minimal(problem, &mut surveyed);
    Ok(surveyed)
}

/// In lexicographic order everything below a transformation comes before it; `anything_below` says whether something there holds.
fn mark_minimal(problem: &Problem, surveyed: &mut [Surveyed]) {
    let lattice = &problem.lattice;
    let mut holds_at_or_below = vec![false; surveyed.len()];
    for i in 0..surveyed.len() {
        let mut below = surveyed[i].levels.clone();
        let mut anything_below = false;
        for j in 0..below.len() {
            if below[j] > lattice.lower()[j] {
                below[j] -= 1;
                anything_below |= holds_at_or_below[lattice.index(&below) as usize];
                below[j] += 1;
            }
        }
        surveyed[i].is_minimal = surveyed[i].holds && !anything_below;
        holds_at_or_below[i] = surveyed[i].holds || anything_below;
    }
}
