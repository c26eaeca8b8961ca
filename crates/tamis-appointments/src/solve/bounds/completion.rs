//! A lower bound from components that are already known.

use super::even_parts;
use crate::vector::AnonymityVector;

/// The least vector with these components, (size, cells) for every size below `next` that occurs, and at least
/// `least_next` cells of size `next`, when cells hold at most `largest` people. None if there is no such vector.
///
/// Everybody not in a known cell is in one of at least `next` people. Regardless of who they are, the least vector of
/// them has as few cells of size `next` as let the rest do without that size, and the rest in even parts. Takes time in
/// the number of cells.
pub(crate) fn completion(
    known: &[(u64, u64)],
    next: u64,
    least_next: u64,
    people: u64,
    largest: u64,
) -> Option<AnonymityVector> {
    let in_known: u64 = known.iter().map(|&(size, cells)| size * cells).sum();
    let rest = people.checked_sub(in_known)?;
    let mut cells = least_next;
    loop {
        let beyond = rest.checked_sub(next.checked_mul(cells)?)?;
        if is_divisible(beyond, next + 1, largest) {
            let parts = known.iter().copied().chain([(next, cells)]).chain(even_parts(beyond, largest));
            return Some(AnonymityVector::of_counts(parts));
        }
        cells += 1;
    }
}

/// Whether people can be cut into parts from `smallest` to `largest`.
fn is_divisible(people: u64, smallest: u64, largest: u64) -> bool {
    people == 0 || (largest > 0 && people / people.div_ceil(largest) >= smallest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::cuts;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_completion_is_the_best_of_all_vectors_with_these_components(
            people in 1_u64..20,
            largest in 1_u64..10,
            next in 1_u64..8,
            least_next in 0_u64..3,
            pick in 0_usize..1000,
        ) {
            let cuts: Vec<AnonymityVector> = cuts(people, largest).into_iter().map(AnonymityVector::of_sizes).collect();
            let before = |vector: &AnonymityVector| -> Vec<(u64, u64)> {
                vector.counts().iter().copied().filter(|&(size, _)| size < next).collect()
            };
            let known = before(&cuts[pick % cuts.len()]);
            let is_alike = |cut: &AnonymityVector| before(cut) == known && cut.cells_of_size(next) >= least_next;
            let best = cuts.into_iter().filter(is_alike).min();
            prop_assert_eq!(completion(&known, next, least_next, people, largest), best);
        }
    }
}
