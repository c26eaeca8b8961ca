//! Tamis' own heuristic for components with conditions.

use super::board::Board;
use super::greedy::Rule;
use super::improve::{FEW_PEOPLE, improve, improve_families, is_worth_both_ways};
use super::kinds::Kinds;
use super::settle::can_settle;
use super::start::start;
use super::start_or_conflict;
use crate::error::Conflict;
use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{Solution, SolveOptions, bounds, heuristic};
use crate::vector::AnonymityVector;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// The other rules are tried if there is time for so many starts; if there is not, the one start is better improved.
const STARTS_IN_TIME: u32 = 20;

/// A schedule on a board and a vector that no schedule goes below.
pub(super) struct Found<'a> {
    pub(super) board: Board<'a>,
    pub(super) lower_bound: AnonymityVector,
}

impl Found<'_> {
    pub(super) fn solution(self, instance: &Instance) -> Solution {
        Solution {
            schedule: self.board.kinds.schedule(instance, &self.board.placed()),
            vector: self.board.vector(),
            lower_bound: self.lower_bound,
            proofs: Vec::new(),
        }
    }
}

/// A good schedule: starts by every rule and after the schedule without conditions, the best of them bettered step by step.
pub(super) fn heuristic<'a>(
    instance: &Instance,
    kinds: &'a Kinds,
    options: &SolveOptions,
) -> Result<Found<'a>, Conflict> {
    let relaxed = instance.relaxed();
    let lower_bound = bounds::lower_bound(&relaxed);
    let is_settled = kinds.has_families && can_settle(kinds);
    // Where everything is settled anew, a start that follows the best schedule without families is not worth its time.
    let guide = if is_settled && !is_worth_both_ways(kinds) {
        None
    } else {
        Some(cells_by_row(&heuristic::heuristic(&relaxed, options)))
    };
    let first_rule = guide.as_ref().map_or(Rule::Greatest, |guide| Rule::After(guide));
    let began = Instant::now();
    let first = start_or_conflict(instance, kinds, first_rule, options)?;
    let has_time = options.patience.left().is_none_or(|left| left > began.elapsed() * STARTS_IN_TIME);
    let mut starts = vec![first.clone()];
    for rule in [Rule::Greatest, Rule::Half, Rule::Authors] {
        let is_first = guide.is_none() && matches!(rule, Rule::Greatest);
        if is_first || !has_time || options.patience.is_over() {
            continue;
        }
        // The same dice as the rule has when it is asked for by itself: the result is never worse than the rule's.
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        starts.extend(start(kinds, rule, 1, &mut rng, &options.patience));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    if is_settled {
        let board = improve_families(starts, &lower_bound, &mut rng, &options.patience).unwrap_or(first);
        return Ok(Found { board, lower_bound });
    }
    if kinds.people() <= FEW_PEOPLE {
        starts.extend(start(kinds, Rule::Random, 1, &mut rng, &options.patience));
    }
    let board = improve(starts, &lower_bound, &mut rng, &options.patience).unwrap_or(first);
    Ok(Found { board, lower_bound })
}

fn cells_by_row(schedule: &Schedule) -> Vec<Vec<(usize, u64)>> {
    let row =
        |row: &Vec<crate::schedule::Placement>| row.iter().map(|placement| (placement.slot, placement.units)).collect();
    schedule.rows.iter().map(row).collect()
}
