//! Vectors that no schedule can go below, without solving anything.
//!
//! Rows and columns of a schedule each tell a bound by themselves: a frequency larger than every slot must be cut,
//! however the others are scheduled, and a slot larger than every frequency must hold several cells. Both bounds rest
//! on one fact: of all ways to cut m people into parts of at most S, the least vector is that of ⌈m/S⌉ parts as equal
//! as possible ([`even_parts`]).

mod columns;
mod completion;

pub(crate) use columns::column_bound;
pub(crate) use completion::completion;

use crate::instance::Plain;
use crate::vector::AnonymityVector;

/// The greater of the row bound and the column bound.
pub(crate) fn lower_bound(problem: &Plain) -> AnonymityVector {
    let rows = row_bound(problem);
    match column_bound(problem) {
        Some(columns) => rows.max(columns),
        None => rows,
    }
}

/// The size of the largest cell there can be: a cell is part of a frequency and of a capacity.
pub(crate) fn largest_cell(problem: &Plain) -> u64 {
    let largest = |numbers: &[u64]| numbers.iter().copied().max().unwrap_or(0);
    largest(&problem.frequencies).min(largest(&problem.capacities))
}

/// What splitting the frequencies needs: each of them in the best parts by itself. The order of vectors does not change
/// when the same vector is added to both sides, so the sum of the best is the best sum.
pub(crate) fn row_bound(problem: &Plain) -> AnonymityVector {
    let largest = largest_cell(problem);
    AnonymityVector::of_counts(problem.frequencies.iter().flat_map(|&people| even_parts(people, largest)))
}

/// The least vector of people cut into parts of at most `largest`, as (size, parts): ⌈people/largest⌉ parts that differ
/// by at most one.
///
/// Fewer parts are impossible. With n parts the smallest has at most ⌊people/n⌋ people, so more parts never have a
/// larger smallest one; and x parts of that size a leave n - x parts of at least a + 1, hence x ≥ n(a + 1) - people,
/// which even parts meet and which grows with n.
pub(super) fn even_parts(people: u64, largest: u64) -> [(u64, u64); 2] {
    if people == 0 || largest == 0 {
        return [(0, 0); 2];
    }
    let parts = people.div_ceil(largest);
    let (size, larger) = (people / parts, people % parts);
    [(size, parts - larger), (size + 1, larger)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(counts: [(u64, u64); 2]) -> AnonymityVector {
        AnonymityVector::of_counts(counts)
    }

    /// Every way to cut people into parts of at most `largest`.
    pub(super) fn cuts(people: u64, largest: u64) -> Vec<Vec<u64>> {
        if people == 0 {
            return vec![Vec::new()];
        }
        let with_first = |first| {
            cuts(people - first, first).into_iter().map(move |mut parts| {
                parts.push(first);
                parts
            })
        };
        (1..=people.min(largest)).flat_map(with_first).collect()
    }

    proptest! {
        #[test]
        fn even_parts_are_the_best_of_all_cuts(people in 1_u64..22, largest in 1_u64..12) {
            let best = cuts(people, largest).into_iter().map(AnonymityVector::of_sizes).min();
            prop_assert_eq!(Some(vector(even_parts(people, largest))), best);
        }
    }

    #[test]
    fn the_running_example_is_bounded_by_its_slots() {
        let problem = Plain { frequencies: vec![4, 4, 5, 2], capacities: vec![4, 2, 4, 3, 2] };
        assert_eq!(row_bound(&problem).to_dense(), [0, 2, 1, 2]);
        assert_eq!(column_bound(&problem).map(|bound| bound.to_dense()), Some(vec![0, 2, 1, 2]));
    }
}
