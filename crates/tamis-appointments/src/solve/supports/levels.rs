//! The best vector when it is known which cells are used.

use super::transport::Transport;
use crate::vector::AnonymityVector;
use tamis_solver::Limit;

/// The least vector of the chosen cells alone, whatever people the other cells hold within their limits; none if some cell cannot
/// be within its limits, the vector would not be less than `best`, or a limit of the search is reached.
///
/// One size after the other: the smallest of the cells is made as large as possible, then as few as possible are that small, then
/// the smallest of the others is made as large as possible. Each of these is a flow in whole numbers, so that how long it takes
/// depends on the number of cells and not on that of people. The matrix has that vector afterwards, and its limits allow exactly
/// the matrices that have it.
pub(super) fn least_vector(
    transport: &mut Transport,
    mut is_chosen: Vec<bool>,
    best: &AnonymityVector,
    limit: &Limit<'_>,
) -> Option<AnonymityVector> {
    let mut counts: Vec<(u64, u64)> = Vec::new();
    transport.settle().ok()?;
    loop {
        let chosen: Vec<usize> = (0..is_chosen.len()).filter(|&at| is_chosen[at]).collect();
        let Some(mut size) = chosen.iter().map(|&at| transport.room(at)).min() else { break };
        // Cuts lower the size until it is possible.
        loop {
            if limit.is_reached() || is_no_better(&with(&counts, size, 1), best) {
                return None;
            }
            for &at in &chosen {
                transport.at_least(at, size);
            }
            match transport.settle() {
                Ok(()) => break,
                Err(cut) => size = transport.most_by(&cut, &is_chosen)?.min(size - 1),
            }
        }
        let (at_size, at_next) = transport.least_at(size, &mut is_chosen);
        counts = with(&with(&counts, size, at_size), size + 1, at_next);
        if is_no_better(&counts, best) {
            return None;
        }
    }
    let vector = AnonymityVector::of_counts(counts);
    (vector < *best).then_some(vector)
}

/// Components with so many more cells of a size.
fn with(counts: &[(u64, u64)], size: i64, cells: u64) -> Vec<(u64, u64)> {
    let mut counts = counts.to_vec();
    let size = size.max(0).cast_unsigned();
    match counts.iter_mut().find(|(known, _)| *known == size) {
        Some((_, known)) => *known += cells,
        None if cells > 0 => {
            counts.push((size, cells));
            counts.sort_unstable();
        }
        None => {}
    }
    counts
}

/// Whether all vectors that have at least so many cells of these sizes, and those of all but the last for certain, are no less.
fn is_no_better(counts: &[(u64, u64)], best: &AnonymityVector) -> bool {
    let different = counts.iter().zip(best.counts()).find(|(ours, theirs)| ours != theirs);
    different.is_some_and(|(ours, theirs)| ours.0 < theirs.0 || ours.0 == theirs.0 && ours.1 > theirs.1)
}
