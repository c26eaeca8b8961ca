//! Numbers in a range with a given sum, as the authors' program draws them.

use crate::laboratory::dice::Dice;
use std::ops::RangeInclusive;

/// What the numbers must add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sum {
    /// This and no other.
    Exactly(u64),
    /// This or more.
    AtLeast(u64),
}

/// Draws numbers evenly from a range, then mends their sum: the first is raised (or lowered) until the sum is right or the number
/// is at the end of the range, then the second, and so on. Which numbers are mended matters to the published figures: the
/// first ones end up at an end of the range together.
///
/// The caller makes sure that the sum can be reached.
pub(super) fn within(dice: &mut Dice, number: u64, range: RangeInclusive<u64>, sum: Sum) -> Vec<u64> {
    let mut numbers: Vec<u64> = (0..number).map(|_| dice.between(*range.start(), *range.end())).collect();
    let drawn: u64 = numbers.iter().sum();
    let (Sum::Exactly(wanted) | Sum::AtLeast(wanted)) = sum;
    let mut missing = wanted.saturating_sub(drawn);
    for number in &mut numbers {
        let raise = missing.min(range.end() - *number);
        *number += raise;
        missing -= raise;
    }
    let mut excess = if matches!(sum, Sum::Exactly(_)) { drawn.saturating_sub(wanted) } else { 0 };
    for number in &mut numbers {
        let lower = excess.min(*number - range.start());
        *number -= lower;
        excess -= lower;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_reached_within_the_range(
            number in 1_u64..30, least in 1_u64..10, span in 0_u64..15, share in 0.0_f64..=1.0, seed in any::<u64>(),
        ) {
            let most = least + span;
            let wanted = number * least + ((number * span) as f64 * share) as u64;
            let exact = within(&mut Dice::new(seed), number, least..=most, Sum::Exactly(wanted));
            let enough = within(&mut Dice::new(seed), number, least..=most, Sum::AtLeast(wanted));
            prop_assert_eq!(exact.iter().sum::<u64>(), wanted);
            prop_assert!(enough.iter().sum::<u64>() >= wanted);
            for drawn in [&exact, &enough] {
                prop_assert!(drawn.iter().all(|number| (least..=most).contains(number)));
            }
        }
    }

    /// The first number that can still be moved is moved by one, until the sum is right.
    fn mended_one_by_one(mut numbers: Vec<u64>, least: u64, most: u64, wanted: u64) -> Vec<u64> {
        while numbers.iter().sum::<u64>() < wanted {
            let first = numbers.iter_mut().find(|number| **number < most).expect("a reachable sum");
            *first += 1;
        }
        while numbers.iter().sum::<u64>() > wanted {
            let first = numbers.iter_mut().find(|number| **number > least).expect("a reachable sum");
            *first -= 1;
        }
        numbers
    }

    #[test]
    fn the_first_numbers_are_mended() {
        for seed in 0..50 {
            let drawn = within(&mut Dice::new(seed), 6, 2..=9, Sum::AtLeast(0));
            for wanted in [12, 20, 30, 40, 54] {
                let mended = within(&mut Dice::new(seed), 6, 2..=9, Sum::Exactly(wanted));
                assert_eq!(mended, mended_one_by_one(drawn.clone(), 2, 9, wanted));
            }
        }
    }
}
