//! Some rows of a large schedule at a time, scheduled anew among the places they have.

use super::Incumbent;
use super::search::{Effort, fits, search};
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use crate::solve::{Patience, bounds};
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Betters a schedule where it is worst: again and again some of the rows with the smallest cells, with the rows that
/// share slots with them, exchange the places that they have and those that are free in their slots, as a small problem
/// of their own.
pub(super) fn mend(problem: &Plain, best: &mut Incumbent, patience: &Patience, dice: &mut impl Rng) {
    const ROUNDS: usize = 60;
    const WORST: usize = 3;
    let mut schedule = best.schedule.clone();
    let mut free = free_places(problem, &schedule);
    let mut rows_in = vec![Vec::new(); problem.capacities.len()];
    for (row, placements) in schedule.rows.iter().enumerate() {
        for placement in placements {
            rows_in[placement.slot].push(row);
        }
    }
    let mut worst = worst_rows(&schedule, ROUNDS * WORST);
    worst.shuffle(dice);
    for some in worst.chunks(WORST) {
        if patience.is_over() {
            break;
        }
        let rows = neighbours(some, &schedule, &rows_in);
        for placement in rows.iter().flat_map(|&row| &schedule.rows[row]) {
            rows_in[placement.slot].retain(|row| !rows.contains(row));
        }
        reschedule(&rows, &mut schedule, &mut free, patience, dice);
        for &row in &rows {
            for placement in &schedule.rows[row] {
                rows_in[placement.slot].push(row);
            }
        }
    }
    best.offer(schedule);
}

/// Some rows, the rows that share slots with them, those that share slots with these, and so on up to a small problem.
fn neighbours(rows: &[usize], schedule: &Schedule, rows_in: &[Vec<usize>]) -> BTreeSet<usize> {
    const ROWS: usize = 24;
    let mut found: BTreeSet<usize> = rows.iter().copied().collect();
    let mut open: VecDeque<usize> = rows.iter().copied().collect();
    while let Some(row) = open.pop_front() {
        for &other in schedule.rows[row].iter().flat_map(|placement| &rows_in[placement.slot]) {
            if found.len() == ROWS {
                return found;
            }
            if found.insert(other) {
                open.push_back(other);
            }
        }
    }
    found
}

fn free_places(problem: &Plain, schedule: &Schedule) -> Vec<u64> {
    let mut free = problem.capacities.clone();
    for placement in schedule.rows.iter().flatten() {
        free[placement.slot] -= placement.units;
    }
    free
}

/// So many rows with the smallest cells, of those that are split.
fn worst_rows(schedule: &Schedule, number: usize) -> Vec<usize> {
    let smallest = |row: &usize| schedule.rows[*row].iter().map(|placement| placement.units).min();
    let mut rows: Vec<usize> = (0..schedule.rows.len()).filter(|&row| schedule.rows[row].len() > 1).collect();
    rows.sort_by_cached_key(smallest);
    rows.truncate(number);
    rows
}

/// Schedules some rows anew among their own and the free places of their slots.
fn reschedule(
    rows: &BTreeSet<usize>,
    schedule: &mut Schedule,
    free: &mut [u64],
    patience: &Patience,
    dice: &mut impl Rng,
) {
    const EFFORT: Effort = Effort { first: 20_000, total: 20_000 };
    let mut number_of: BTreeMap<usize, usize> = BTreeMap::new();
    for placement in rows.iter().flat_map(|&row| &schedule.rows[row]) {
        number_of.insert(placement.slot, 0);
    }
    let slots: Vec<usize> = number_of.keys().copied().collect();
    for (number, slot) in slots.iter().enumerate() {
        number_of.insert(*slot, number);
    }
    let own = |placement: &Placement| Placement { slot: number_of[&placement.slot], units: placement.units };
    let now = Schedule { rows: rows.iter().map(|&row| schedule.rows[row].iter().map(own).collect()).collect() };
    let mut capacities: Vec<u64> = slots.iter().map(|&slot| free[slot]).collect();
    for placement in now.rows.iter().flatten() {
        capacities[placement.slot] += placement.units;
    }
    let frequencies = now.rows.iter().map(|row| row.iter().map(|placement| placement.units).sum()).collect();
    let problem = Plain { frequencies, capacities };
    if !fits(&problem) {
        return;
    }
    let mut best = Incumbent::of(now);
    search(&problem, &bounds::lower_bound(&problem), &mut best, EFFORT, patience, dice);
    for (slot, free_then) in slots.iter().zip(free_places(&problem, &best.schedule)) {
        free[*slot] = free_then;
    }
    for (&row, placements) in rows.iter().zip(&best.schedule.rows) {
        let placed = placements.iter().map(|part| Placement { slot: slots[part.slot], units: part.units });
        schedule.rows[row] = placed.collect();
    }
}
