//! Problems to measure on.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Frequencies and capacities as the authors' program draws them.
pub(crate) fn paper(people: usize, quasi_ids: usize, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let (people, slots) = (people as u64, people / 10);
    let mut between = |number: usize, least: u64, most: u64, is_exact: bool| {
        let mut numbers: Vec<u64> = (0..number).map(|_| dice.random_range(least..=most)).collect();
        let drawn: u64 = numbers.iter().sum();
        let mut missing = people.saturating_sub(drawn);
        let mut excess = if is_exact { drawn.saturating_sub(people) } else { 0 };
        // The first numbers are moved to an end of the range until the sum is right.
        for number in &mut numbers {
            let (more, less) = (missing.min(most - *number), excess.min(*number - least));
            *number = *number + more - less;
            (missing, excess) = (missing - more, excess - less);
        }
        numbers
    };
    let mean = people / quasi_ids as u64;
    (between(quasi_ids, mean.saturating_sub(5).max(1), mean + 10, true), between(slots, 5, 14, false))
}

/// One of the programmes of a national screening: birth years of a region, whose crowds are from a few people to a
/// hundred, and a few centres of hundreds.
pub(crate) fn screening(centres: usize, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let scale = dice.random_range(0.15..1.0);
    let year = |year: u32| 1.0 + 99.0 * scale * (1.0 - ((f64::from(year) - 46.0) / 47.0).powi(2)).max(0.0);
    let frequencies: Vec<u64> =
        (0..93).map(|at| (year(at) * dice.random_range(0.8..1.2)).round().max(1.0) as u64).collect();
    let people: u64 = frequencies.iter().sum();
    let shares: Vec<f64> = (0..centres).map(|_| dice.random_range(0.5..1.5)).collect();
    let whole: f64 = shares.iter().sum();
    let mut capacities: Vec<u64> = shares.iter().map(|share| (people as f64 * share / whole) as u64 + 1).collect();
    capacities[0] += people.saturating_sub(capacities.iter().sum());
    (frequencies, capacities)
}
