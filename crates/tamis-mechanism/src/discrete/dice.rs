//! Where random bits come from.

use crate::MechanismError;
use rand::rngs::SysRng;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};
use std::fmt;

/// Draws whole numbers. All that is random here comes down to this one question, so that a test can give every possible answer to it.
pub trait Draw {
    /// A whole number below `bound`, every one as likely as the other; 0 if there is none.
    fn below(&mut self, bound: u128) -> u128;

    /// Yes with probability `numerator / denominator`; always if that is 1 or more.
    fn chance(&mut self, numerator: u128, denominator: u128) -> bool {
        self.below(denominator.max(1)) < numerator
    }

    /// The first `count` of `items` become a random choice of them, every choice as likely as the other.
    fn choose<T>(&mut self, items: &mut [T], count: usize) {
        for position in 0..count.min(items.len()) {
            let other = position + self.below((items.len() - position) as u128) as usize;
            items.swap(position, other);
        }
    }
}

/// ChaCha20 with a key of 256 bits from the operating system.
///
/// A seed is for tests and documentation: whoever knows it can draw the same noise and take it off the answer.
pub struct Dice {
    generator: ChaCha20Rng,
}

impl fmt::Debug for Dice {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dice").finish_non_exhaustive()
    }
}

impl Dice {
    /// Dice that nobody can foresee.
    pub fn from_system() -> Result<Self, MechanismError> {
        ChaCha20Rng::try_from_rng(&mut SysRng)
            .map(|generator| Self { generator })
            .map_err(|error| MechanismError::NoRandomness { reason: error.to_string() })
    }

    /// Dice that fall the same way every time. Those for another purpose, such as another query, fall otherwise: were the noise of two
    /// answers the same, their difference would be free of it.
    pub fn from_seed(seed: u64, purpose: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(seed.to_le_bytes());
        hasher.update(purpose.as_bytes());
        Self { generator: ChaCha20Rng::from_seed(hasher.finalize().into()) }
    }

    /// Dice on a generator that is already there, which must be as hard to foresee.
    pub fn on(generator: ChaCha20Rng) -> Self {
        Self { generator }
    }

    fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

impl Draw for Dice {
    /// As many bits as the largest number has are drawn until they make a number below the bound: at most two draws on average, and no
    /// number is favoured as the remainder of a division would be.
    fn below(&mut self, bound: u128) -> u128 {
        let Some(largest) = bound.checked_sub(1) else { return 0 };
        let width = 128 - largest.leading_zeros();
        loop {
            let drawn = match width {
                0 => 0,
                1..=64 => u128::from(self.bits() >> (64 - width)),
                _ => (u128::from(self.bits()) << 64 | u128::from(self.bits())) >> (128 - width),
            };
            if drawn <= largest {
                return drawn;
            }
        }
    }
}
