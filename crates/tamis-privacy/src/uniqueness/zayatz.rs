//! The equivalence class estimator (Zayatz 1991).
//!
//! By Bayes' rule the probability that a sample unique is a population unique is
//!
//! P(F = 1 | f = 1) = p1 P(f = 1 | F = 1) / sum over j of pj P(f = 1 | F = j),
//!
//! where P(f = 1 | F = j) is hypergeometric (one of the j is among the n drawn from N) and pj, the share of population classes of size
//! j, is taken from the sample. It is always defined; on small samples it says too much, for the sample's classes are smaller than the
//! population's.

use super::Sizes;

/// The probability that a sample unique is unique in the population. Linear in the largest class.
pub fn unique_given_sample_unique(sizes: &Sizes<'_>, fraction: f64) -> f64 {
    let rows = sizes.rows() as f64;
    let population = (rows / fraction).round();
    // P(f = 1 | F = j) = j n/N times the product over i = 0..j-2 of (N - n - i) / (N - 1 - i); n/N cancels in Bayes' rule.
    let (mut others_stay_out, mut factors, mut total) = (1.0, 0u64, 0.0);
    for &(size, classes) in sizes.of {
        while factors + 1 < size && others_stay_out > 0.0 {
            let i = factors as f64;
            others_stay_out *= ((population - rows - i) / (population - 1.0 - i)).max(0.0);
            factors += 1;
        }
        total += classes as f64 * size as f64 * others_stay_out;
    }
    if total > 0.0 { sizes.uniques() as f64 / total } else { 0.0 }
}

/// Expected number of population uniques: the sample uniques that are, divided by the sampling fraction.
pub fn population_uniques(sizes: &Sizes<'_>, fraction: f64) -> f64 {
    unique_given_sample_unique(sizes, fraction) * sizes.uniques() as f64 / fraction
}
