//! Vectors for tests.

use super::AnonymityVector;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// So many people in so many cells, cut at random places.
pub(super) fn random_vector(people: u64, cells: u64, seed: u64) -> AnonymityVector {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cuts: Vec<u64> = (1..cells).map(|_| random.random_range(0..=people)).collect();
    cuts.extend([0, people]);
    cuts.sort_unstable();
    AnonymityVector::of_sizes(cuts.windows(2).map(|pair| pair[1] - pair[0]))
}
