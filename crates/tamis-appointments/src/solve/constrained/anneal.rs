//! Annealing for small problems: steps that make things worse for a while, rarer and rarer.

use super::board::{Board, Move, Preview};
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand::{Rng, RngExt};

/// How many steps one cooling takes.
const STEPS: u32 = 40_000;

/// How often it starts anew from the best.
const COOLINGS: u32 = 3;

/// How much less a cell counts for every person it is larger; lexicographic order is the limit of ever smaller numbers, this one
/// still lets the search see that a cell of four is better than one of three.
const WEIGHT: f64 = 0.35;

/// The best schedule met on a walk from a schedule, every step of which meets every condition.
pub(super) fn anneal<'a>(
    start: &Board<'a>,
    lower_bound: &AnonymityVector,
    rng: &mut impl Rng,
    patience: &Patience,
) -> Board<'a> {
    let mut best = start.clone();
    let mut best_vector = best.vector();
    let mut preview = Preview::default();
    for _ in 0..COOLINGS {
        let mut board = best.clone();
        for step in 0..STEPS {
            if step % 1_024 == 0 && patience.is_over() {
                return best;
            }
            let heat = 0.6 * (1.0 - f64::from(step) / f64::from(STEPS)).powi(2) + 1e-3;
            let Some(moves) = propose(&board, rng) else { continue };
            if !board.preview(&moves, &mut preview) {
                continue;
            }
            let worse: f64 = preview.sizes.iter().map(|&(size, cells)| weight(size) * cells as f64).sum();
            if worse > 0.0 && !rng.random_bool((-worse / heat).exp()) {
                continue;
            }
            board.apply(&moves);
            if preview.sizes.is_empty() {
                continue;
            }
            let vector = board.vector();
            if vector < best_vector {
                best_vector = vector;
                best = board.clone();
                if best_vector <= *lower_bound {
                    return best;
                }
            }
        }
    }
    best
}

fn weight(size: u64) -> f64 {
    WEIGHT.powi(size.min(60) as i32 - 1)
}

/// Some people of a cell go elsewhere, and if there is no room for them as many others come back.
fn propose(board: &Board<'_>, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let from = rng.random_range(0..board.loads.len());
    let quasi_id = any(&board.columns[from], rng)?;
    let (kind, units) = any(&board.cell(quasi_id, from)?.units, rng)?;
    let to = any(board.kinds.slots(kind), rng)?;
    if to == from {
        return None;
    }
    let people = board.people(quasi_id, from);
    let wanted = if rng.random_bool(0.5) { people } else { rng.random_range(1..=people) };
    let mut moves = Vec::new();
    if !board.gather(quasi_id, from, to, wanted, &mut moves) {
        let units = if rng.random_bool(0.5) { units } else { rng.random_range(1..=units) };
        moves.push(Move { kind, from, to, units });
    }
    let arriving: u64 = moves.iter().map(|step| board.kinds.kinds[step.kind].size * step.units).sum();
    let mut excess = arriving.saturating_sub(board.room(to));
    let exchange_anyway = board.kinds.rules.is_empty() || rng.random_bool(0.5);
    if excess == 0 && !exchange_anyway {
        excess = 1;
    }
    for _ in 0..3 {
        if excess == 0 {
            break;
        }
        let other = any(&board.columns[to], rng)?;
        if other == quasi_id && board.kinds.rules.is_empty() {
            continue;
        }
        let there = board.people(other, to);
        let coming = if there > excess && rng.random_bool(0.7) { excess } else { there };
        if board.gather(other, to, from, coming, &mut moves) {
            excess = excess.saturating_sub(coming);
        }
    }
    (excess == 0).then_some(moves)
}

fn any<T: Copy>(items: &[T], rng: &mut impl Rng) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.random_range(0..items.len())])
}
