//! A schedule of blocks: lines filled exactly by whole lines of the other kind, and a small rest.

use super::MOST_LINES;
use super::part::{self, Part};
use super::search::Effort;
use super::whole::fill;
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use crate::solve::Patience;
use rand::Rng;

/// Fills the larger lines by whole smaller ones, as far as that is found, and anneals the rest.
///
/// Where slots are smaller than crowds, every slot in one piece is the best there can be; where crowds are smaller than
/// slots, every crowd in one piece. Of slots that are not needed, the smallest stay empty: they would hold the smallest
/// cells. None where too much is left, as where crowds and slots are of similar sizes.
pub(super) fn blocks(
    problem: &Plain,
    effort: Effort,
    seed: u64,
    patience: &Patience,
    dice: &mut impl Rng,
) -> Option<Schedule> {
    let crowds: Vec<(usize, u64)> = problem.frequencies.iter().copied().enumerate().collect();
    let slots = needed_slots(problem);
    let mut rows = vec![Vec::new(); crowds.len()];
    let rest = if crowds.len() <= slots.len() {
        let filling = fill(&crowds, &slots, kept(crowds.len(), slots.len()), MOST_LINES, dice)?;
        for (row, filled_by) in filling.filled {
            rows[row].extend(filled_by.iter().map(|&slot| Placement { slot, units: problem.capacities[slot] }));
        }
        Part { rows: filling.bins_left, slots: filling.items_left }
    } else {
        let filling = fill(&slots, &crowds, kept(slots.len(), crowds.len()), MOST_LINES, dice)?;
        for (slot, filled_by) in filling.filled {
            for row in filled_by {
                rows[row].push(Placement { slot, units: problem.frequencies[row] });
            }
        }
        Part { rows: filling.items_left, slots: filling.bins_left }
    };
    if rest.rows.len() + rest.slots.len() > MOST_LINES {
        return None;
    }
    if !rest.rows.is_empty() {
        rest.place(&part::schedule(&rest.problem(problem), effort, seed, patience, dice), &mut rows);
    }
    for row in &mut rows {
        row.sort_unstable();
    }
    Some(Schedule { rows })
}

/// How many lines are left to annealing: enough to make up a problem of about a hundred lines, but not most of the
/// lines.
fn kept(bins: usize, items: usize) -> usize {
    const LINES_LEFT: usize = 100;
    (bins * LINES_LEFT / (bins + items)).min(bins / 3).max(2)
}

/// All slots but the smallest that can stay empty.
fn needed_slots(problem: &Plain) -> Vec<(usize, u64)> {
    let mut slots: Vec<(usize, u64)> = problem.capacities.iter().copied().enumerate().collect();
    slots.sort_unstable_by_key(|&(_, capacity)| std::cmp::Reverse(capacity));
    let mut slack = problem.slack();
    while let Some(&(_, capacity)) = slots.last()
        && capacity <= slack
    {
        slack -= capacity;
        slots.pop();
    }
    slots
}
