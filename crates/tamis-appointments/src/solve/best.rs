//! The exact method for some seconds, then the heuristic from the best that it found: what is done when nothing is asked for.
//!
//! The exact method begins with the heuristic's schedule, so that its answer is never worse. How long it takes depends on the sizes
//! of cells rather than on the number of people: a million people may be proved in less time than a thousand.

use super::{Patience, Solution, SolveOptions, bounds, exact, heuristic};
use crate::instance::Plain;
use std::time::Duration;

/// How long a proof is looked for if nobody says how long.
pub(super) const SHORT: Duration = Duration::from_secs(20);

/// The proven optimum, or the best schedule found with a bound.
pub(super) fn best(problem: &Plain, options: &SolveOptions) -> Solution {
    let proving = SolveOptions { patience: for_proof(&options.patience), ..options.clone() };
    let found = exact::exact(problem, &proving);
    if found.is_optimal() || options.level.is_some() {
        return found;
    }
    let schedule = heuristic::polish(problem, found.schedule.clone(), options);
    let vector = schedule.plain_vector();
    if vector >= found.vector {
        return found;
    }
    // A schedule below the bound would be an error of floating point: then nothing but the bounds in integers is claimed.
    let (lower_bound, proofs) = if found.lower_bound > vector {
        (bounds::lower_bound(problem), Vec::new())
    } else {
        (found.lower_bound, found.proofs)
    };
    Solution { schedule, vector, lower_bound, proofs }
}

/// The part of the time that belongs to the proof.
fn for_proof(patience: &Patience) -> Patience {
    patience.at_most(patience.left().map_or(SHORT, |left| left.mul_f64(0.9)))
}
