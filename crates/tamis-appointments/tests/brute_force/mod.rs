//! Every schedule of a small problem, one by one.

use std::collections::BTreeMap;
use tamis_appointments::AnonymityVector;

/// Calls back with every Q x R matrix of people whose rows sum to the frequencies and whose columns sum to at most the
/// capacities.
pub(crate) fn every_schedule(frequencies: &[u64], capacities: &[u64], mut visit: impl FnMut(&[Vec<u64>])) {
    let mut matrix = vec![vec![0; capacities.len()]; frequencies.len()];
    let mut left = capacities.to_vec();
    fill(0, 0, frequencies, &mut left, &mut matrix, &mut visit);
}

/// Fills the cells from (row, slot) on, row by row.
fn fill(
    row: usize,
    slot: usize,
    frequencies: &[u64],
    left: &mut [u64],
    matrix: &mut [Vec<u64>],
    visit: &mut impl FnMut(&[Vec<u64>]),
) {
    if row == frequencies.len() {
        visit(matrix);
        return;
    }
    let people = frequencies[row] - matrix[row][..slot].iter().sum::<u64>();
    if slot == left.len() {
        if people == 0 {
            fill(row + 1, 0, frequencies, left, matrix, visit);
        }
        return;
    }
    for cell in 0..=people.min(left[slot]) {
        matrix[row][slot] = cell;
        left[slot] -= cell;
        fill(row, slot + 1, frequencies, left, matrix, visit);
        left[slot] += cell;
    }
    matrix[row][slot] = 0;
}

/// The vectors of all schedules with the number of schedules that have them, most anonymous first.
pub(crate) fn every_vector(frequencies: &[u64], capacities: &[u64]) -> BTreeMap<AnonymityVector, u64> {
    let mut vectors = BTreeMap::new();
    every_schedule(frequencies, capacities, |matrix| {
        *vectors.entry(AnonymityVector::of_sizes(matrix.iter().flatten().copied())).or_insert(0) += 1;
    });
    vectors
}

/// The vector of the most anonymous schedule.
pub(crate) fn optimum(frequencies: &[u64], capacities: &[u64]) -> Option<AnonymityVector> {
    every_vector(frequencies, capacities).into_keys().next()
}
