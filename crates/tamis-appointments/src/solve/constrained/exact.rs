//! The proven optimum of a component with conditions.

use super::board::Board;
use super::deletion;
use super::explicit::{Outcome, explicit, explicit_within};
use super::heuristic::heuristic;
use super::improve::improve;
use super::kinds::Kinds;
use crate::error::Conflict;
use crate::instance::Instance;
use crate::solve::best::SHORT;
use crate::solve::{Solution, SolveOptions};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The best schedule found and what is proved about it: the heuristic's schedule, bettered until no better one is left. Where the
/// heuristic finds none, the search says whether there is one.
pub(super) fn exact(instance: &Instance, kinds: &Kinds, options: &SolveOptions) -> Result<Solution, Conflict> {
    // Most of the time belongs to the search, which proves what the heuristic can only find.
    let patience =
        options.patience.left().map_or_else(|| options.patience.clone(), |left| options.patience.at_most(left / 4));
    let start = heuristic(instance, kinds, &SolveOptions { patience, ..options.clone() });
    let incumbent = match start {
        Ok(found) => Ok(found.solution(instance)),
        Err(conflict) if conflict.is_proved => return Err(conflict),
        Err(conflict) => Err(conflict),
    };
    let known = incumbent.as_ref().ok().map(|solution| &solution.schedule);
    let best = match (explicit(instance, known, options), incumbent) {
        (Outcome::Solution(solution), _) => *solution,
        (Outcome::Infeasible, _) => return Err(deletion::smallest_conflict(kinds, true, &options.patience)),
        (Outcome::NothingFound, known) => known?,
    };
    let is_time_left = options.patience.left().is_some_and(|left| !left.is_zero());
    if best.is_optimal() || !is_time_left || options.patience.is_over() {
        return Ok(best);
    }
    // The search declines what is too large for it at once; the heuristic, which had a quarter of the time, makes use of the rest.
    let seed = options.seed.wrapping_add(1);
    let found = heuristic(instance, kinds, &SolveOptions { seed, ..options.clone() })?.solution(instance);
    if found.vector >= best.vector {
        return Ok(best);
    }
    Ok(Solution { schedule: found.schedule, vector: found.vector, ..best })
}

/// Up to so many people tied together are searched as long as the time lasts; more of them for so many steps, their share of those
/// of the programme, which end at the same place on every machine.
const SEARCHED_TO_THE_END: u64 = 40;
const STEPS: u64 = 300_000;

/// The optimum if it is proved in seconds, otherwise the heuristic's schedule with what the search made of it, bettered once more.
pub(super) fn best(instance: &Instance, kinds: &Kinds, options: &SolveOptions) -> Result<Solution, Conflict> {
    if options.patience.left().is_some() {
        return exact(instance, kinds, options);
    }
    let found = heuristic(instance, kinds, options)?.solution(instance);
    let share = (kinds.share * rayon::current_num_threads() as f64).min(1.0);
    let proving = SolveOptions { patience: options.patience.at_most(SHORT.mul_f64(share)), ..options.clone() };
    let is_small = instance.people() <= SEARCHED_TO_THE_END;
    let steps = if is_small { u64::MAX } else { (STEPS as f64 * kinds.share) as u64 };
    let searched = match explicit_within(instance, Some(&found.schedule), &proving, steps) {
        Outcome::Solution(searched) => *searched,
        Outcome::Infeasible | Outcome::NothingFound => return Ok(found),
    };
    if searched.vector >= found.vector || searched.is_optimal() || kinds.has_families {
        return Ok(searched);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let start = Board::with(kinds, &kinds.placed(&searched.schedule));
    match improve(vec![start], &searched.lower_bound, &mut rng, &options.patience) {
        Some(board) if board.vector() < searched.vector => {
            Ok(Solution { schedule: kinds.schedule(instance, &board.placed()), vector: board.vector(), ..searched })
        }
        _ => Ok(searched),
    }
}
