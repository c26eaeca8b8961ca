//! From a schedule that breaks conditions to one that keeps them, by moving and exchanging single units.

use super::board::{Board, Move};
use crate::solve::Patience;
use rand::{Rng, RngExt};
use std::collections::{BTreeSet, HashMap};

/// How many moves are compared for one step.
const CANDIDATES: usize = 80;

/// For how many steps a unit that left a slot should not come back to it.
const TABU: usize = 7;

/// Moves and exchanges units out of, into and between slots that are overfull or break a rule, always the one that leaves the least
/// trouble of some drawn at random, without going straight back. Whether nothing is wrong in the end.
pub(super) fn repair(board: &mut Board<'_>, rng: &mut impl Rng, patience: &Patience) -> bool {
    let mut troubled: BTreeSet<usize> = (0..board.loads.len()).filter(|&slot| board.trouble(slot) > 0).collect();
    let trouble: u64 = troubled.iter().map(|&slot| board.trouble(slot)).sum();
    let steps = 2_000 + 12 * trouble.min(1 << 20) as usize;
    let mut left_at: HashMap<(usize, usize), usize> = HashMap::new();
    let mut tallies = Vec::new();
    for step in 0..steps {
        let Some(slot) = pick(&troubled, rng) else { return true };
        if step % 64 == 0 && patience.is_over() {
            return false;
        }
        let mut best: Option<(i64, Vec<Move>)> = None;
        for _ in 0..CANDIDATES {
            let Some(moves) = propose(board, slot, rng) else { continue };
            let (before, after) = weigh(board, &moves, &mut tallies);
            let change = after as i64 - before as i64;
            let is_tabu =
                moves.iter().any(|step_| left_at.get(&(step_.kind, step_.to)).is_some_and(|&at| step < at + TABU));
            if (is_tabu && change >= 0) || best.as_ref().is_some_and(|(least, _)| change >= *least) {
                continue;
            }
            best = Some((change, moves));
            if change < 0 && after == 0 {
                break;
            }
        }
        let Some((_, moves)) = best else { continue };
        board.apply(&moves);
        for moved in &moves {
            left_at.insert((moved.kind, moved.from), step);
            for touched in [moved.from, moved.to] {
                if board.trouble(touched) > 0 {
                    troubled.insert(touched);
                } else {
                    troubled.remove(&touched);
                }
            }
        }
    }
    troubled.is_empty()
}

fn pick(slots: &BTreeSet<usize>, rng: &mut impl Rng) -> Option<usize> {
    let first = *slots.first()?;
    let last = *slots.last()?;
    let from = rng.random_range(first..=last);
    slots.range(from..).next().copied().or(Some(first))
}

/// A unit out of the slot, a unit into it, or an exchange of two units with another slot.
fn propose(board: &Board<'_>, slot: usize, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let out = any_unit(board, slot, rng);
    let other = match out {
        Some(kind) => any(board.kinds.slots(kind), rng)?,
        None => rng.random_range(0..board.loads.len()),
    };
    if other == slot {
        return None;
    }
    let back = any_unit(board, other, rng).filter(|&kind| board.kinds.allows(kind, slot));
    let leave = out.map(|kind| Move { kind, from: slot, to: other, units: 1 });
    let come = back.map(|kind| Move { kind, from: other, to: slot, units: 1 });
    let moves: Vec<Move> = match rng.random_range(0..4) {
        0 => leave.into_iter().collect(),
        1 => come.into_iter().collect(),
        _ => leave.into_iter().chain(come).collect(),
    };
    let is_same_kind = moves.len() == 2 && moves[0].kind == moves[1].kind;
    (!moves.is_empty() && !is_same_kind).then_some(moves)
}

/// A kind with units in the slot.
fn any_unit(board: &Board<'_>, slot: usize, rng: &mut impl Rng) -> Option<usize> {
    let quasi_id = any(&board.columns[slot], rng)?;
    let cell = board.cell(quasi_id, slot)?;
    any(&cell.units, rng).map(|(kind, _)| kind)
}

fn any<T: Copy>(items: &[T], rng: &mut impl Rng) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.random_range(0..items.len())])
}

/// How much is wrong with the slots touched, before and after.
fn weigh(board: &Board<'_>, moves: &[Move], tallies: &mut Vec<u64>) -> (u64, u64) {
    let (one, two) = (moves[0].from, moves[0].to);
    let before = board.trouble(one) + board.trouble(two);
    let after = board.trouble_after(one, moves, tallies) + board.trouble_after(two, moves, tallies);
    (before, after)
}
