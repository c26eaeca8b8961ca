//! From the solutions of components to the solution of the whole.

use crate::error::Conflict;
use crate::instance::{Component, Instance};
use crate::schedule::{Placement, Schedule};
use crate::solve::{LevelProof, Reason, Solution};
use crate::vector::AnonymityVector;
use std::collections::BTreeMap;

/// The schedules side by side: vectors and bounds add.
pub(super) fn merge(instance: &Instance, components: &[Component], solutions: Vec<Solution>) -> Solution {
    let proofs = merged_proofs(&solutions);
    let sum = |vector: fn(&Solution) -> &AnonymityVector| {
        AnonymityVector::of_counts(solutions.iter().flat_map(|part| vector(part).counts().iter().copied()))
    };
    let (vector, lower_bound) = (sum(|part| &part.vector), sum(|part| &part.lower_bound));
    let mut rows = vec![Vec::new(); instance.units.len()];
    for (component, solution) in components.iter().zip(solutions) {
        for (&unit, row) in component.units.iter().zip(solution.schedule.rows) {
            let rename = |placement: Placement| Placement { slot: component.slots[placement.slot], ..placement };
            rows[unit] = row.into_iter().map(rename).collect();
        }
    }
    Solution { schedule: Schedule { rows }, vector, lower_bound, proofs }
}

/// A conflict in the numbers of the whole instance.
pub(super) fn in_instance(mut conflict: Conflict, component: &Component) -> Conflict {
    let rename = |numbers: &mut Vec<usize>, names: &[usize]| {
        for number in numbers {
            *number = names[*number];
        }
    };
    rename(&mut conflict.units, &component.units);
    rename(&mut conflict.slots, &component.slots);
    rename(&mut conflict.rules, &component.rules);
    conflict
}

/// A size is proved for the whole when it and every smaller one is proved in every component, by the most that any of them needed.
fn merged_proofs(solutions: &[Solution]) -> Vec<LevelProof> {
    let first_open = solutions.iter().filter_map(first_unproved_size).min().unwrap_or(u64::MAX);
    let mut merged: BTreeMap<u64, LevelProof> = BTreeMap::new();
    for solution in solutions {
        for &proof in solution.proofs.iter().filter(|proof| proof.size < first_open) {
            let known = merged.entry(proof.size).or_insert(LevelProof { cells: 0, ..proof });
            known.cells += proof.cells;
            if effort(proof.reason) > effort(known.reason) {
                known.reason = proof.reason;
            }
        }
    }
    merged.into_values().collect()
}

/// The first size at which a solution and its bound differ.
fn first_unproved_size(solution: &Solution) -> Option<u64> {
    let (found, bound) = (solution.vector.counts(), solution.lower_bound.counts());
    let at = found.iter().zip(bound).position(|(left, right)| left != right).unwrap_or(found.len().min(bound.len()));
    let size = |counts: &[(u64, u64)]| counts.get(at).map(|&(size, _)| size);
    [size(found), size(bound)].into_iter().flatten().min()
}

/// Reasons by the work they stand for.
fn effort(reason: Reason) -> u8 {
    match reason {
        Reason::Zero => 0,
        Reason::Remainder => 1,
        Reason::RowBound => 2,
        Reason::ColumnBound => 3,
        Reason::LinearBound => 4,
        Reason::IntegerBound => 5,
        Reason::Enumeration => 6,
    }
}
