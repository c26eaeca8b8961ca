//! Annealing for small problems: steps that make things worse for a while, rarer and rarer.

use super::board::{Board, Move, Preview};
use super::journal::Journal;
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand::{Rng, RngExt};

/// How a walk cools down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cooling {
    /// How much is done: looking at a change costs as much as it moves.
    pub(super) work: u64,
    /// How readily things get worse at the beginning: one more cell of the smallest size is taken with a chance of
    /// exp(-1 / heat).
    pub(super) heat: f64,
}

/// How much less a cell counts for every person it is larger; lexicographic order is the limit of ever smaller numbers, this one
/// still lets the search see that a cell of four is better than one of three.
const WEIGHT: f64 = 0.35;

/// After so many moves without a better schedule the walk goes back to the best.
const ASTRAY: usize = 100_000;

/// Walks from a schedule by changes that meet every condition; the board then holds the best schedule met on the way.
pub(super) fn anneal(
    board: &mut Board<'_>,
    cooling: Cooling,
    lower_bound: &AnonymityVector,
    rng: &mut impl Rng,
    patience: &Patience,
) {
    let mut preview = Preview::default();
    let mut since_best = Journal::default();
    let mut smallest = board.vector().k().unwrap_or(1);
    let mut done = 0;
    while done < cooling.work && !patience.is_over() {
        let heat = cooling.heat * (1.0 - done as f64 / cooling.work as f64).powi(2) + 1e-3;
        done += 1;
        let Some(moves) = propose(board, rng) else { continue };
        done += moves.len() as u64;
        if !board.preview(&moves, &mut preview) {
            continue;
        }
        let worse: f64 = preview.sizes.iter().map(|&(size, cells)| weight(size, smallest) * cells as f64).sum();
        if worse > 0.0 && !rng.random_bool((-worse / heat).exp()) {
            continue;
        }
        board.apply(&moves);
        since_best.note(&preview.sizes, &moves);
        if since_best.worse() < 0 {
            since_best.clear();
            let vector = board.vector();
            if vector <= *lower_bound {
                return;
            }
            smallest = vector.k().unwrap_or(1);
        } else if since_best.len() > ASTRAY {
            since_best.undo(board);
        }
    }
    since_best.undo(board);
}

fn weight(size: u64, smallest: u64) -> f64 {
    WEIGHT.powi((size as i64 - smallest as i64).clamp(-8, 60) as i32)
}

/// A change that starts with any cell.
fn propose(board: &Board<'_>, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let from = rng.random_range(0..board.loads.len());
    let quasi_id = any(&board.columns[from], rng)?;
    propose_from(board, quasi_id, from, rng)
}

/// Some people of a cell go elsewhere, and if there is no room for them as many others come back. The change may be impossible.
pub(super) fn propose_from(board: &Board<'_>, quasi_id: usize, from: usize, rng: &mut impl Rng) -> Option<Vec<Move>> {
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
    let mut leaving = Vec::new();
    for _ in 0..3 {
        if excess == 0 {
            break;
        }
        let other = any(&board.columns[to], rng)?;
        if leaving.contains(&other) || (other == quasi_id && board.kinds.rules.is_empty()) {
            continue;
        }
        leaving.push(other);
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
