//! The two-sided geometric distribution, also called discrete Laplace.

use super::bernoulli::bernoulli_exp;
use super::dice::Draw;

/// The whole number x with probability proportional to e^-(|x| numerator / denominator).
///
/// ```
/// use tamis_mechanism::{Dice, discrete::DiscreteLaplace};
/// let noise = DiscreteLaplace::new(1, 2).map(|laplace| laplace.draw(&mut Dice::from_seed(7, "")));
/// assert!(noise.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    numerator: u128,
    denominator: u128,
}

impl DiscreteLaplace {
    /// The distribution that falls by e^-(numerator / denominator) a step; nothing if either is 0.
    pub fn new(numerator: u128, denominator: u128) -> Option<Self> {
        (numerator > 0 && denominator > 0).then_some(Self { numerator, denominator })
    }

    /// One draw. O(1) coins on average.
    ///
    /// A multiple of 1/denominator is drawn whose tail falls by e a unit: its part below one by rejection, its whole part by throwing a
    /// coin of e^-1 until the first no. Divided by the numerator and rounded down it is geometric; a sign makes it two-sided, and a
    /// negative zero is drawn again, for zero must not be counted twice.
    pub fn draw(&self, dice: &mut impl Draw) -> i128 {
        loop {
            let part = dice.below(self.denominator);
            if !bernoulli_exp(part, self.denominator, dice) {
                continue;
            }
            let mut whole: u128 = 0;
            while bernoulli_exp(1, 1, dice) {
                whole += 1;
            }
            let steps = whole.saturating_mul(self.denominator).saturating_add(part) / self.numerator;
            let magnitude = i128::try_from(steps).unwrap_or(i128::MAX);
            let is_negative = dice.chance(1, 2);
            if is_negative && magnitude == 0 {
                continue;
            }
            return if is_negative { -magnitude } else { magnitude };
        }
    }
}
