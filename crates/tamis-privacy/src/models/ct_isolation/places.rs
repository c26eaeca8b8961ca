//! Numbers as coordinates whose squares are exact enough, however large or small the numbers are.

use crate::QuasiFacts;

/// Coordinates are at most about 1 apart; if two are nearer than this, the square of their distance has no full precision any more.
const LEAST_GAP: f64 = 1e-150;

/// Powers of two beyond this and their inverses are no doubles.
const LARGEST_EXPONENT: f64 = 1000.0;

/// For each quasi-identifier and level the coordinate of each label: divided by the range of the values, or all by one power of two.
/// An error is the position of one whose numbers lie too close together for their range. O(labels log labels).
pub(super) fn places(quasi: &[&QuasiFacts], is_scaled: bool) -> Result<Vec<Vec<Vec<f64>>>, usize> {
    let magnitude =
        |quasi: &QuasiFacts| quasi.numbers.iter().flatten().fold(0.0, |most: f64, number| most.max(number.abs()));
    let largest = quasi.iter().map(|quasi| magnitude(quasi)).fold(0.0, f64::max);
    let places = quasi.iter().enumerate().map(|(position, quasi)| {
        // A power of two takes nothing away from a number, and what is of the size of 1 has a range and squares.
        let factor = power_of_two_below(if is_scaled { magnitude(quasi) } else { largest });
        let range = if is_scaled { extent(&quasi.numbers[0], factor) } else { (0.0, 1.0) };
        let place = |number: f64| (number * factor - range.0) / range.1;
        let are_apart = quasi.numbers.iter().all(|level| is_precise(level, factor, range.1));
        let level = |level: &Vec<f64>| level.iter().map(|&number| place(number)).collect();
        are_apart.then(|| quasi.numbers.iter().map(level).collect()).ok_or(position)
    });
    places.collect()
}

/// The inverse of about the largest power of two that is not above a magnitude.
fn power_of_two_below(magnitude: f64) -> f64 {
    let exponent = if magnitude > 0.0 { magnitude.log2().floor() } else { 0.0 };
    2f64.powi(-(exponent.clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT) as i32))
}

/// The least number times the factor, and by how much the largest exceeds it; 1 where all are the same.
fn extent(numbers: &[f64], factor: f64) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min) * factor;
    let range = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) * factor - least;
    if range > 0.0 { (least, range) } else { (0.0, 1.0) }
}

/// Whether different numbers are far enough apart once they are multiplied by the factor and divided by the range.
fn is_precise(numbers: &[f64], factor: f64, range: f64) -> bool {
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.windows(2).all(|pair| pair[0] == pair[1] || (pair[1] * factor - pair[0] * factor) / range >= LEAST_GAP)
}
