//! What filling the slots needs.

use super::{even_parts, largest_cell};
use crate::instance::Plain;
use crate::vector::AnonymityVector;

/// The least vector of slots filled without regard to frequencies; none where the bound would not hold.
///
/// Without slack every slot is full and splits like a frequency does. With slack, and if no slot is larger than the
/// largest frequency, a slot may be one cell: then the best is to leave the smallest slots empty while the slack allows
/// and to take what is left of the slack from the largest, person by person. With slack and larger slots, how a slot
/// splits depends on how full it is, and this simple rule can miss the best.
pub(crate) fn column_bound(problem: &Plain) -> Option<AnonymityVector> {
    let largest = largest_cell(problem);
    let slack = problem.slack();
    if slack == 0 {
        let parts = problem.capacities.iter().flat_map(|&capacity| even_parts(capacity, largest));
        return Some(AnonymityVector::of_counts(parts));
    }
    let is_one_cell = problem.capacities.iter().all(|&capacity| capacity <= largest);
    is_one_cell.then(|| AnonymityVector::of_counts(loads(&problem.capacities, slack)))
}

/// The fullest slots, as (people, slots), when so many places stay empty and every slot counts as one cell.
fn loads(capacities: &[u64], mut slack: u64) -> Vec<(u64, u64)> {
    let mut kept = capacities.to_vec();
    kept.sort_unstable_by(|left, right| right.cmp(left));
    while kept.last().is_some_and(|&smallest| smallest <= slack) {
        slack -= kept.pop().unwrap_or(0);
    }
    // The largest slots go down together, to the next smaller capacity at a time, until the slack is used up.
    let mut level = kept.first().copied().unwrap_or(0);
    let mut shaved = 0;
    while slack > 0 {
        while kept.get(shaved) == Some(&level) {
            shaved += 1;
        }
        let down_to = kept.get(shaved).copied().unwrap_or(0);
        let room = (level - down_to) * shaved as u64;
        if room >= slack {
            let (whole, rest) = (slack / shaved as u64, slack % shaved as u64);
            let untouched = kept[shaved..].iter().map(|&capacity| (capacity, 1));
            let levelled = [(level - whole, shaved as u64 - rest), (level - whole - u64::from(rest > 0), rest)];
            return untouched.chain(levelled).collect();
        }
        slack -= room;
        level = down_to;
    }
    kept.into_iter().map(|capacity| (capacity, 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The best vector of loads of at most these capacities that sum to so many people.
    fn best_loads(capacities: &[u64], people: u64) -> Option<AnonymityVector> {
        match capacities.split_first() {
            None => (people == 0).then(AnonymityVector::default),
            Some((&first, rest)) => (0..=first.min(people))
                .filter_map(|load| Some(best_loads(rest, people - load)?.plus(&AnonymityVector::of_sizes([load]))))
                .min(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn loads_are_the_best_of_all(capacities in prop::collection::vec(1_u64..9, 1..6), share in 0_u64..100) {
            let slack = (capacities.iter().sum::<u64>() - 1) * share / 100;
            let people = capacities.iter().sum::<u64>() - slack;
            let loads = AnonymityVector::of_counts(loads(&capacities, slack));
            prop_assert_eq!(Some(loads), best_loads(&capacities, people));
        }
    }
}
