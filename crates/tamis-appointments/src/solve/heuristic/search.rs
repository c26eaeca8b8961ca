//! The best of repeated annealings.

use super::Incumbent;
use super::anneal::{Annealing, Costs, anneal, quench};
use super::board::Board;
use crate::instance::Plain;
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand::Rng;

/// How much may be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Exchanges tried in the first annealing; every further one tries twice as many.
    pub(super) first: u64,
    /// Exchanges tried in all.
    pub(super) total: u64,
}

/// Whether a problem fits a board.
pub(super) fn fits(problem: &Plain) -> bool {
    const MOST_CELLS: usize = 1 << 19;
    (problem.frequencies.len() + 1).checked_mul(problem.capacities.len()).is_some_and(|cells| cells < MOST_CELLS)
}

/// Anneals again and again, longer every time, in turn warm and hot: what is cut to pieces in the heat takes long to
/// mend in large problems, but small ones may be stuck without it. It goes on until the bound is met, effort or
/// patience is used up.
pub(super) fn search(
    problem: &Plain,
    bound: &AnonymityVector,
    best: &mut Incumbent,
    effort: Effort,
    patience: &Patience,
    dice: &mut impl Rng,
) {
    let most = |numbers: &[u64]| numbers.iter().copied().max().unwrap_or(0);
    let largest = most(&problem.frequencies).min(most(&problem.capacities));
    let costs = Costs::up_to(largest);
    let mut steps = effort.first;
    let mut left = effort.total;
    let mut starts = [0.1, 1.0].into_iter().cycle();
    while left > 0 && best.vector > *bound && !patience.is_over() {
        steps = steps.min(left);
        left -= steps;
        let mut board = Board::new(problem, &best.schedule);
        let annealing = Annealing { largest, start: starts.next().unwrap_or(1.0), steps };
        anneal(&mut board, &costs, &annealing, patience, dice);
        quench(&mut board, patience);
        best.offer(board.schedule());
        steps *= 2;
    }
}
