//! From parts to a schedule.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use std::collections::BTreeMap;

/// Parts of one frequency or one capacity: the sum they belong to, and their sizes.
pub(super) type Parts = Vec<(u64, Vec<u64>)>;

/// A schedule whose cells are these parts, once as parts of frequencies and once as parts of (capped) capacities. Parts
/// of the same size are matched in any order; two that meet in the same row and slot become one cell, which only makes
/// the vector smaller. None if the parts do not match.
pub(super) fn assemble(problem: &Plain, cap: u64, of_rows: &Parts, of_slots: &Parts) -> Option<Schedule> {
    let capped: Vec<u64> = problem.capacities.iter().map(|&capacity| capacity.min(cap)).collect();
    let mut rows_of_part = owners(&problem.frequencies, of_rows)?;
    let mut cells: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (size, slots) in owners(&capped, of_slots)? {
        let rows = rows_of_part.remove(&size).filter(|rows| rows.len() == slots.len())?;
        for (row, slot) in rows.into_iter().zip(slots) {
            *cells.entry((row, slot)).or_insert(0) += size;
        }
    }
    let mut rows = vec![Vec::new(); problem.frequencies.len()];
    for ((row, slot), units) in cells {
        rows[row].push(Placement { slot, units });
    }
    rows_of_part.is_empty().then_some(Schedule { rows })
}

/// For each size of part the positions of the numbers it belongs to.
fn owners(numbers: &[u64], parts: &Parts) -> Option<BTreeMap<u64, Vec<usize>>> {
    let mut positions: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (position, &number) in numbers.iter().enumerate().rev() {
        positions.entry(number).or_default().push(position);
    }
    let mut owners: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (sum, sizes) in parts {
        let owner = positions.get_mut(sum)?.pop()?;
        for &size in sizes {
            owners.entry(size).or_default().push(owner);
        }
    }
    Some(owners)
}
