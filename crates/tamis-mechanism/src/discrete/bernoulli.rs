//! Coins: yes with a given probability.

use super::dice::Draw;

/// Yes with probability `numerator / denominator`; always if that is 1 or more.
///
/// ```
/// use tamis_mechanism::{Dice, discrete::bernoulli};
/// let mut dice = Dice::from_seed(1, "");
/// assert!(bernoulli(3, 3, &mut dice) && !bernoulli(0, 3, &mut dice));
/// ```
pub fn bernoulli(numerator: u128, denominator: u128, dice: &mut impl Draw) -> bool {
    dice.chance(numerator, denominator)
}

/// Yes with probability e^-(numerator / denominator); expects a denominator above 0. O(1) draws on average.
///
/// For x <= 1, throw coins that say yes with probability x, x/2, x/3, ... until the first no. At least i yeses have probability x^i / i!,
/// so that an even number of them has 1 - x + x^2/2! - ... = e^-x. A larger x is 1 + ... + 1 + a rest, all of which must say yes.
pub fn bernoulli_exp(numerator: u128, denominator: u128, dice: &mut impl Draw) -> bool {
    let denominator = denominator.max(1);
    let mut ones = numerator / denominator;
    while ones > 0 {
        if !alternating(dice, |i| Some((1, i))) {
            return false;
        }
        ones -= 1;
    }
    let rest = numerator % denominator;
    alternating(dice, |i| Some((rest, denominator.checked_mul(i)?)))
}

/// Yes with probability (1 - p)^exponent, where p = `numerator / denominator` and exponent * p is at most 1. O(1) draws on average.
///
/// As [`bernoulli_exp`], with C(exponent, i) p^i in the place of x^i / i!: the sum with alternating signs is (1 - p)^exponent.
pub fn bernoulli_power((numerator, denominator): (u64, u64), exponent: u64, dice: &mut impl Draw) -> bool {
    debug_assert!(u128::from(exponent) * u128::from(numerator) <= u128::from(denominator));
    alternating(dice, |i| {
        let left = u128::from(exponent).checked_sub(i - 1)?;
        Some((left.checked_mul(numerator.into())?, i.checked_mul(denominator.into())?))
    })
}

/// Whether an even number of coins said yes before the first no. `probability` gives the i-th, from 1; none means no.
fn alternating(dice: &mut impl Draw, probability: impl Fn(u128) -> Option<(u128, u128)>) -> bool {
    let mut i = 1;
    while probability(i).is_some_and(|(numerator, denominator)| dice.chance(numerator, denominator)) {
        i += 1;
    }
    i % 2 == 1
}
