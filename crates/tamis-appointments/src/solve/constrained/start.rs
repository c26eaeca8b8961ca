//! A first schedule that meets every condition.

use super::board::Board;
use super::greedy::{EFFORT, Rule, place_people};
use super::kinds::{Kind, Kinds};
use super::repair::repair;
use super::reservation::Reservation;
use crate::solve::Patience;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;

/// How often families are packed in another order before the packing is given up.
pub(super) const ATTEMPTS: usize = 12;

/// A schedule by a rule: families first, then the people by the rule on the places held for them, then exchanges until the
/// mixing rules hold. With allowed slots and capacities alone this always succeeds if there is any schedule; families and mixing
/// rules make the question hard, and none then only means that none was found.
pub(super) fn start<'a>(
    kinds: &'a Kinds,
    rule: Rule<'_>,
    attempts: usize,
    rng: &mut ChaCha8Rng,
    patience: &Patience,
) -> Option<Board<'a>> {
    let mut demand = vec![0; kinds.classes.len()];
    for kind in kinds.kinds.iter().filter(|kind| kind.is_single()) {
        demand[kind.class] += kind.count;
    }
    let reservation = Reservation::new(&kinds.classes, &demand, &kinds.capacities).ok()?;
    for attempt in 0..attempts {
        let mut board = Board::empty(kinds);
        let mut reservation = reservation.clone();
        if place_families(&mut board, &mut reservation, attempt, rng) {
            place_people(&mut board, &mut reservation, rule, rng);
            if repair(&mut board, rng, patience) {
                return Some(board);
            }
        }
        if patience.is_over() {
            return None;
        }
    }
    let mut board = place_roughly(kinds, rng);
    repair(&mut board, rng, patience).then_some(board)
}

/// Packs the families, those without a choice and the large ones first; where people still to come hold places, they make room.
/// The first attempts prefer slots with people of the same quasi-identifiers and then the emptiest or the fullest slot; later
/// ones go by chance.
fn place_families(
    board: &mut Board<'_>,
    reservation: &mut Reservation<'_>,
    attempt: usize,
    rng: &mut impl Rng,
) -> bool {
    let kinds = board.kinds;
    let mut families: Vec<usize> = (0..kinds.kinds.len()).filter(|&kind| !kinds.kinds[kind].is_single()).collect();
    families.shuffle(rng);
    families
        .sort_by_key(|&kind| (kinds.slots(kind).len() > 1, Reverse(kinds.kinds[kind].size), kinds.slots(kind).len()));
    for kind in families {
        let Kind { size, count, ref parts, .. } = kinds.kinds[kind];
        for _ in 0..count {
            let room = |board: &Board<'_>, slot: usize| kinds.capacities[slot] - board.loads[slot];
            let mut slots: Vec<usize> =
                kinds.slots(kind).iter().copied().filter(|&slot| room(board, slot) >= size).collect();
            slots.shuffle(rng);
            let known = |board: &Board<'_>, slot: usize| {
                parts.iter().filter(|&&(quasi_id, _)| board.people(quasi_id, slot) > 0).count()
            };
            match attempt {
                0 => slots.sort_by_key(|&slot| (Reverse(known(board, slot)), Reverse(room(board, slot)))),
                1 => slots.sort_by_key(|&slot| (room(board, slot), Reverse(known(board, slot)))),
                2 => slots.sort_by_key(|&slot| Reverse(room(board, slot))),
                _ if rng.random_bool(0.5) => slots.sort_by_key(|&slot| room(board, slot)),
                _ => {}
            }
            let Some(&slot) = slots.iter().find(|&&slot| reservation.take(slot, size, EFFORT)) else { return false };
            board.put(kind, slot, 1);
        }
    }
    true
}

/// Everybody in an allowed slot, as evenly as can be without looking back, capacities or not.
fn place_roughly<'a>(kinds: &'a Kinds, rng: &mut impl Rng) -> Board<'a> {
    let mut board = Board::empty(kinds);
    let mut order: Vec<usize> = (0..kinds.kinds.len()).collect();
    order.shuffle(rng);
    order.sort_by_key(|&kind| Reverse(kinds.kinds[kind].size));
    for kind in order {
        let mut left = kinds.kinds[kind].count;
        while left > 0 {
            let emptiest = kinds.slots(kind).iter().copied().max_by_key(|&slot| board.room(slot));
            let Some(slot) = emptiest else { break };
            let units = (board.room(slot) / kinds.kinds[kind].size).clamp(1, left);
            board.put(kind, slot, units);
            left -= units;
        }
    }
    board
}
