//! Draws that do not depend on the version of a random number crate.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of random numbers that belongs to a seed.
#[derive(Debug, Clone)]
pub(crate) struct Dice {
    random: ChaCha8Rng,
}

impl Dice {
    /// The dice of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The dice of the numbered part of a seed: parts are independent, so they can be worked on in any order.
    pub(crate) fn of_part(seed: u64, part: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(part);
        Self { random }
    }

    /// A seed for something that takes one.
    pub(crate) fn seed(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// A number from 0 to `bound - 1`, 0 for a bound of 0. The bias, below `bound / 2^64`, is far beyond what a sample shows.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.random.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `least` to `most`, both included; `least` if they are the wrong way round.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least).saturating_add(1))
    }

    /// A number above 0 and up to 1.
    fn unit(&mut self) -> f64 {
        ((self.random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal draw (Box and Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_their_range_and_reach_its_ends() {
        let mut dice = Dice::new(1);
        let draws: Vec<u64> = (0..1000).map(|_| dice.between(3, 7)).collect();
        assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&3), Some(&7)));
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.between(5, 5), 5);
    }

    #[test]
    fn normal_draws_have_mean_0_and_deviation_1() {
        let mut dice = Dice::new(2);
        let draws: Vec<f64> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn parts_of_a_seed_differ_from_each_other_and_stay_the_same() {
        assert_ne!(Dice::of_part(1, 1).seed(), Dice::of_part(1, 2).seed());
        assert_eq!(Dice::of_part(1, 2).seed(), Dice::of_part(1, 2).seed());
    }
}
