//! Which of many are chosen, without asking each of them.

use super::bernoulli::bernoulli_power;
use super::dice::Draw;

/// The positions below a limit that are chosen where each is chosen by itself with probability `numerator / denominator`.
///
/// Instead of a coin for every position, the gap to the next chosen one is drawn, which is geometric: O(1) coins on average a chosen
/// position, whatever the limit.
///
/// ```
/// use tamis_mechanism::{Dice, discrete::Gaps};
/// let mut dice = Dice::from_seed(3, "");
/// let chosen = Gaps::new((1, 1_000_000_000), 5_000_000_000).collect(&mut dice);
/// assert!(chosen.len() < 100);
/// ```
#[derive(Debug, Clone)]
pub struct Gaps {
    probability: (u64, u64),
    limit: u128,
    next: u128,
}

impl Gaps {
    /// Positions below `limit`, each with this probability; one above 1 counts as 1.
    pub fn new((numerator, denominator): (u64, u64), limit: u128) -> Self {
        Self { probability: (numerator.min(denominator), denominator), limit, next: 0 }
    }

    /// The next chosen position.
    pub fn advance(&mut self, dice: &mut impl Draw) -> Option<u128> {
        if self.probability.0 == 0 {
            return None;
        }
        let position = self.next.checked_add(self.gap(dice)).filter(|&position| position < self.limit)?;
        self.next = position + 1;
        Some(position)
    }

    /// All of them.
    pub fn collect(mut self, dice: &mut impl Draw) -> Vec<u128> {
        std::iter::from_fn(|| self.advance(dice)).collect()
    }

    /// How many are passed over: whole blocks of as many positions as hold one chosen on average, then the first chosen one of a block
    /// that holds some, by rejection.
    fn gap(&self, dice: &mut impl Draw) -> u128 {
        let block = self.probability.1 / self.probability.0;
        let mut passed: u128 = 0;
        while bernoulli_power(self.probability, block, dice) {
            passed = passed.saturating_add(block.into());
            // Past the limit it does not matter any more how far.
            if passed >= self.limit {
                return passed;
            }
        }
        loop {
            let position = dice.below(block.into()) as u64;
            if bernoulli_power(self.probability, position, dice) {
                return passed + u128::from(position);
            }
        }
    }
}
