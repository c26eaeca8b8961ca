//! From a schedule that breaks conditions to one that keeps them, by moving and exchanging single units.

use super::board::{Board, Move, Preview, compare_changes};
use crate::solve::Patience;
use rand::{Rng, RngExt};
use std::collections::{BTreeSet, HashMap};

/// How many moves are compared for one step.
const CANDIDATES: usize = 80;

/// For how many steps a unit that left a slot should not come back to it.
const TABU: usize = 7;

/// Moves and exchanges units out of, into and between slots that are overfull or break a rule, always the one that leaves the least
/// trouble of some drawn at random, among equals the one best for the vector, without going straight back. Whether nothing is wrong in the end.
pub(super) fn repair(board: &mut Board<'_>, rng: &mut impl Rng, patience: &Patience) -> bool {
    let mut troubled: BTreeSet<usize> = (0..board.loads.len()).filter(|&slot| board.trouble(slot) > 0).collect();
    let trouble: u64 = troubled.iter().map(|&slot| board.trouble(slot)).sum();
    let steps = 500 + 12 * trouble.min(1 << 20) as usize;
    let mut left_at: HashMap<(usize, usize), usize> = HashMap::new();
    let mut tallies = Vec::new();
    let mut preview = Preview::default();
    for step in 0..steps {
        let Some(slot) = pick(&troubled, rng) else { return true };
        if step % 64 == 0 && patience.is_over() {
            return false;
        }
        let mut best: Option<(i64, Vec<(u64, i64)>, Vec<Move>)> = None;
        for _ in 0..CANDIDATES {
            let Some(moves) = propose(board, slot, rng) else { continue };
            let (before, after) = weigh(board, &moves, &mut tallies);
            let change = after as i64 - before as i64;
            let is_recent = |at: &usize| step < at + TABU;
            let is_tabu = moves.iter().any(|way| left_at.get(&(way.kind, way.to)).is_some_and(is_recent));
            if (is_tabu && change >= 0) || best.as_ref().is_some_and(|best| change > best.0) {
                continue;
            }
            board.preview_sizes(&moves, &mut preview);
            let is_better = |best: &(i64, Vec<(u64, i64)>, Vec<Move>)| {
                change.cmp(&best.0).then_with(|| compare_changes(&preview.sizes, &best.1)).is_lt()
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((change, preview.sizes.clone(), moves));
                if change < 0 && preview.order().is_le() {
                    break;
                }
            }
        }
        let Some((_, _, moves)) = best else { continue };
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
    if rng.random_bool(0.5) {
        return propose_alike(board, slot, rng);
    }
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

/// An exchange of two people with the same quasi-identifier, who differ in what the rules look at: it changes no cell.
fn propose_alike(board: &Board<'_>, slot: usize, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let quasi_id = any(&board.columns[slot], rng)?;
    let (out, units) = any(&board.cell(quasi_id, slot)?.units, rng)?;
    let row = &board.rows[quasi_id];
    let other = &row[rng.random_range(0..row.len())];
    let (back, back_units) = any(&other.units, rng)?;
    let can_meet = board.kinds.allows(out, other.slot) && board.kinds.allows(back, slot);
    if other.slot == slot || out == back || !can_meet {
        return None;
    }
    let most = units.min(back_units);
    let units = if rng.random_bool(0.5) { 1 } else { rng.random_range(1..=most) };
    let leave = Move { kind: out, from: slot, to: other.slot, units };
    Some(vec![leave, Move { kind: back, from: other.slot, to: slot, units }])
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
