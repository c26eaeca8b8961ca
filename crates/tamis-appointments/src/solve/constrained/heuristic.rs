//! Tamis' own heuristic for components with conditions.

use super::board::Board;
use super::greedy::Rule;
use super::improve::improve;
use super::kinds::Kinds;
use super::start::start;
use super::start_or_conflict;
use crate::error::Conflict;
use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{Solution, SolveOptions, bounds, heuristic};
use crate::vector::AnonymityVector;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

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
    let guide = cells_by_row(&heuristic::heuristic(&relaxed, options));
    let first = start_or_conflict(instance, kinds, Rule::After(&guide), options)?;
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut starts = vec![first.clone()];
    for rule in [Rule::Greatest, Rule::Half, Rule::Authors] {
        starts.extend(start(kinds, rule, 1, &mut rng, &options.patience));
    }
    let board = improve(starts, &lower_bound, &mut rng, &options.patience).unwrap_or(first);
    Ok(Found { board, lower_bound })
}

fn cells_by_row(schedule: &Schedule) -> Vec<Vec<(usize, u64)>> {
    let row =
        |row: &Vec<crate::schedule::Placement>| row.iter().map(|placement| (placement.slot, placement.units)).collect();
    schedule.rows.iter().map(row).collect()
}
