//! Normal random numbers.

use rand::{Rng, RngExt};
use std::f64::consts::TAU;

/// A normal number with mean 0 and variance 1 (Box and Muller 1958).
pub(crate) fn unit_normal(dice: &mut impl Rng) -> f64 {
    // 1 - u is never 0, whose logarithm is infinite.
    let radius = (-2.0 * (1.0 - dice.random::<f64>()).ln()).sqrt();
    radius * (TAU * dice.random::<f64>()).cos()
}
