//! Annealing on exchanges of people between slots.

use super::board::{Board, Exchange};
use crate::solve::Patience;
use rand::Rng;
use std::sync::LazyLock;

/// What a cell of a size costs: every size costs a fixed factor less than the one before, so that one cell less of a
/// size weighs more than a cell more of the next. While the temperature falls from the cost of the smallest cells to
/// that of the largest, the number of cells of every size is settled in turn, the smallest size first, as the order of
/// vectors wants.
pub(super) struct Costs {
    of_size: Vec<f64>,
    /// sizes are looked up without their last bits where there are too many
    shift: u32,
}

/// So many sizes are told apart.
pub(super) const MOST_SIZES: u64 = 1024;

impl Costs {
    /// Costs of cells of up to so many people.
    pub(super) fn up_to(largest: u64) -> Self {
        const FACTOR: f64 = 3.0;
        let shift = (0..64).find(|&shift| largest >> shift < MOST_SIZES).unwrap_or(63);
        let sizes = (largest >> shift) as usize;
        // Beyond so many sizes the factor is brought nearer to 1, lest the costs of large cells vanish.
        let factor = FACTOR.powf((60.0 / sizes.max(1) as f64).min(1.0));
        let mut of_size: Vec<f64> = (0..=sizes).map(|size| factor.powf(-(size as f64))).collect();
        of_size[0] = if shift == 0 { 0.0 } else { of_size[0] };
        Self { of_size, shift }
    }

    fn of(&self, size: u64) -> f64 {
        if size == 0 { 0.0 } else { self.of_size[(size >> self.shift) as usize] }
    }
}

/// How an annealing goes.
pub(super) struct Annealing {
    /// The size of the largest cells, whose cost sets the temperature at the end.
    pub(super) largest: u64,
    /// The temperature at first, as a multiple of the cost of a single person.
    pub(super) start: f64,
    /// How many exchanges are tried.
    pub(super) steps: u64,
}

/// Tries random exchanges while the temperature falls.
///
/// Every other exchange is one within a row; of all of them three in four move a whole cell, which is what merges
/// cells, and the others any part of it.
pub(super) fn anneal(
    board: &mut Board,
    costs: &Costs,
    annealing: &Annealing,
    patience: &Patience,
    dice: &mut impl Rng,
) {
    const STEPS_AT_ONE_TEMPERATURE: u64 = 256;
    const END: f64 = 0.3;
    let rounds = (annealing.steps / STEPS_AT_ONE_TEMPERATURE).max(1);
    let mut temperature = costs.of(1) * annealing.start;
    let end = (costs.of(annealing.largest) * END).min(temperature);
    let cooling = (end / temperature).powf(1.0 / rounds as f64);
    for round in 0..rounds {
        if round % 64 == 0 && patience.is_over() {
            return;
        }
        for step in 0..STEPS_AT_ONE_TEMPERATURE {
            let random = dice.next_u64();
            let cells = board.cells() as u64;
            let first = below(cells, random, 19) as usize;
            let exchange = if step % 2 == 0 {
                let mut more = dice.next_u64();
                board.exchange_within_row(first, |limit| {
                    let chosen = below(limit, more, 32);
                    more >>= 32;
                    chosen
                })
            } else {
                board.exchange(first, below(cells, random >> 19, 19) as usize)
            };
            let Some(mut exchange) = exchange else { continue };
            if below(4, random >> 38, 2) == 0 {
                exchange.amount = 1 + below(exchange.amount, random >> 40, 14);
            }
            let change = change(board, costs, &exchange);
            if change <= 0.0 || change < temperature * PATIENCE_WITH_WORSE[(random >> 54) as usize] {
                board.perform(&exchange);
            }
        }
        temperature *= cooling;
    }
}

/// A number below another one from so many random bits, those that fit at the least.
fn below(limit: u64, random: u64, bits: u32) -> u64 {
    (limit * (random & ((1 << bits) - 1))) >> bits
}

fn change(board: &Board, costs: &Costs, exchange: &Exchange) -> f64 {
    let outcome = board.outcome(exchange);
    let mut change = 0.0;
    for (position, (before, after)) in exchange.positions.into_iter().zip(outcome) {
        // Empty places cost nothing, and only they come in larger cells than there are costs of.
        if board.is_real(position) {
            change += costs.of(after) - costs.of(before);
        }
    }
    change
}

/// How many temperatures worse an outcome may be: minus the logarithm of an evenly drawn number, as Metropolis' rule
/// has it.
static PATIENCE_WITH_WORSE: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..1024).map(|at| -((f64::from(at) + 0.5) / 1024.0).ln()).collect());

/// Performs exchanges that make the vector smaller until there is none. Every pass looks at all pairs of cells, which
/// is left alone where there are too many.
pub(super) fn quench(board: &mut Board, patience: &Patience) {
    const MOST_CELLS: usize = 1500;
    let mut improved = board.cells() <= MOST_CELLS;
    while improved && !patience.is_over() {
        improved = false;
        let mut first = 0;
        while first < board.cells() {
            for second in 0..board.cells() {
                let Some(exchange) = board.exchange(first, second) else { continue };
                if is_better(board, &exchange) {
                    board.perform(&exchange);
                    improved = true;
                    break;
                }
            }
            first += 1;
        }
    }
}

/// Whether an exchange makes the vector smaller.
fn is_better(board: &Board, exchange: &Exchange) -> bool {
    let outcome = board.outcome(exchange);
    let sizes = |side: fn(&(u64, u64)) -> u64| {
        let mut sizes = [u64::MAX; 4];
        for (at, position) in exchange.positions.into_iter().enumerate() {
            let size = side(&outcome[at]);
            if size > 0 && board.is_real(position) {
                sizes[at] = size;
            }
        }
        sizes.sort_unstable();
        sizes
    };
    // The sizes in ascending order: the first difference is the smallest size of which one side has more cells.
    sizes(|&(_, after)| after) > sizes(|&(before, _)| before)
}
