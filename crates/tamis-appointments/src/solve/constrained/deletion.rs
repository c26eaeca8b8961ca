//! The conflict that is left when everything that can be left out is left out.

use super::conflict::units_where;
use super::enumerate::{Demands, Enumerated, enumerate};
use super::kinds::Kinds;
use crate::error::Conflict;
use crate::solve::Patience;

/// How many steps one look at every schedule may take.
pub(super) const STEPS: u64 = 400_000;

/// How many steps all looks together may take.
const STEPS_IN_ALL: u64 = 8_000_000;

/// A conflict of a problem for which looking at every schedule found none (`is_proved`) or was given up. Rules are dropped and
/// units allowed to stay away, one after the other, as long as there is still provably no schedule. Units that may stay away may
/// also come, as company that makes a share hold, so that what is left cannot be helped by anybody.
pub(super) fn smallest_conflict(kinds: &Kinds, is_proved: bool, patience: &Patience) -> Conflict {
    let mut demands = Demands::all(kinds);
    let mut steps_left = if is_proved { STEPS_IN_ALL } else { 0 };
    let mut can_do_without = |demands: &Demands| {
        if steps_left < STEPS || patience.is_over() {
            return false;
        }
        steps_left -= STEPS / 8;
        match enumerate(kinds, demands, STEPS) {
            Enumerated::Nothing => true,
            Enumerated::Found(_) => false,
            Enumerated::GivenUp => {
                steps_left -= STEPS / 8 * 7;
                false
            }
        }
    };
    for rule in 0..kinds.rules.len() {
        demands.is_in_force[rule] = false;
        demands.is_in_force[rule] = !can_do_without(&demands);
    }
    for kind in 0..kinds.all.len() {
        demands.is_required[kind] = false;
        demands.is_required[kind] = !can_do_without(&demands);
    }
    describe(kinds, &demands, is_proved)
}

fn describe(kinds: &Kinds, demands: &Demands, is_proved: bool) -> Conflict {
    let required = || (0..kinds.all.len()).filter(|&kind| demands.is_required[kind]);
    let rules: Vec<usize> = (0..kinds.rules.len()).filter(|&rule| demands.is_in_force[rule]).collect();
    let units = units_where(kinds, |kind| demands.is_required[kind]);
    let mut slots: Vec<usize> = required().flat_map(|kind| kinds.slots(kind).iter().copied()).collect();
    slots.sort_unstable();
    slots.dedup();
    let people: u64 = required().map(|kind| kinds.all[kind].size * kinds.all[kind].count).sum();
    let places: u64 = slots.iter().map(|&slot| kinds.capacities[slot]).sum();
    let numbers: Vec<String> = rules.iter().map(|rule| (rule + 1).to_string()).collect();
    let condition = match numbers.as_slice() {
        [] => "without splitting units".to_owned(),
        [rule] => format!("so that rule {rule} holds"),
        [first @ .., last] => format!("so that rules {} and {last} hold", first.join(", ")),
    };
    let slot_words = if slots.len() == 1 { "the only slot" } else { "the slots" };
    let reason = if is_proved {
        format!("{people} people cannot be placed in {slot_words} they may go to, which take {places}, {condition}")
    } else {
        format!(
            "no way was found to place {people} people in {slot_words} they may go to, which take {places}, {condition}; \
             whether there is one is not known"
        )
    };
    Conflict { reason, units, slots, rules, people, places, is_proved }
}
