//! Pitman's model of random partitions (Pitman 1995), fitted by maximum likelihood (Hoshino 2001).
//!
//! With u classes, s_j of them of size j, in a sample of n people the model's probability is
//!
//! n! (theta + a)(theta + 2a)...(theta + (u-1)a) / ((theta + 1)...(theta + n - 1)) times the product over j of
//! (((1-a)(2-a)...(j-1-a)) / j!)^(s_j) / s_j!,
//!
//! with 0 <= a < 1 and theta > -a; a = 0 is Ewens' formula. A sample of a population that follows it follows it with the same
//! parameters, so they are fitted to the sample and the population's uniques are the expected number of classes of size 1 at size N:
//!
//! E(S1) = N times the product over i = 1..N-1 of (theta + a + i - 1) / (theta + i),
//!
//! which Hoshino approximates by Gamma(theta + 1) / Gamma(theta + a) N^a for large N; here it is computed as it stands. The likelihood
//! has no maximum if everybody or nobody shares a class.

use super::Sizes;

/// Where the likelihood of the sizes is largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The discount, from 0 and below 1: large where there are many uniques.
    pub alpha: f64,
    /// The concentration, above -alpha: large where there are many classes.
    pub theta: f64,
}

/// A third of the steps halve the interval, so these are always enough for the tolerance.
const STEPS: usize = 200;
const TOLERANCE: f64 = 1e-12;
/// The largest discount tried; a likelihood that still rises there has no maximum below 1.
const NEARLY_ONE: f64 = 1.0 - 1e-9;

/// Expected number of population uniques; none if the likelihood has no maximum.
pub fn population_uniques(sizes: &Sizes<'_>, fraction: f64) -> Option<f64> {
    let Fit { alpha, theta } = fit(sizes)?;
    Some(expected_uniques(alpha, theta, sizes.rows() as f64 / fraction))
}

/// Expected number of classes of size 1 in a population of this size. Logarithmic in the size.
///
/// ```
/// use tamis_privacy::uniqueness::pitman::expected_uniques;
/// // Ewens' formula: N theta / (theta + N - 1).
/// assert!((expected_uniques(0.0, 5.0, 1000.0) - 5000.0 / 1004.0).abs() < 1e-9);
/// ```
pub fn expected_uniques(alpha: f64, theta: f64, population: f64) -> f64 {
    // ln((theta + a + i - 1) / (theta + i)) = ln(1 - (1 - a) / (theta + i))
    let logarithm = smooth_sum(population.round() as u64 - 1, |i| (-(1.0 - alpha) / (theta + i)).ln_1p());
    population * logarithm.exp()
}

/// The parameters of largest likelihood; none if there is no such place with 0 <= a < 1.
///
/// For each a the best theta is where the derivative by theta changes its sign; along these the derivative by a does so once more.
pub fn fit(sizes: &Sizes<'_>) -> Option<Fit> {
    let (rows, classes) = (sizes.rows(), sizes.classes());
    if classes < 2 || classes == rows {
        return None;
    }
    let theta_of = |alpha: f64| best_theta(alpha, rows, classes);
    let slope = |alpha: f64| Some(slope_by_alpha(alpha, theta_of(alpha)?, sizes));
    if slope(0.0)? <= 0.0 {
        return Some(Fit { alpha: 0.0, theta: theta_of(0.0)? });
    }
    let alpha = root(0.0, NEARLY_ONE, |alpha| slope(alpha).unwrap_or(f64::NAN))?;
    Some(Fit { alpha, theta: theta_of(alpha)? })
}

/// The root of the derivative by theta. With theta = e^x - a, as it ranges over many powers of ten, the derivative times e^x stays
/// between the numbers of classes and of people and loses no digits where theta is near -a.
fn best_theta(alpha: f64, rows: u64, classes: u64) -> Option<f64> {
    let slope = |x: f64| {
        let above = x.exp();
        smooth_sum(classes - 1, |i| above / (above + (i - 1.0) * alpha))
            - smooth_sum(rows - 1, |i| above / (above + (i - alpha)))
    };
    let largest = (rows as f64).ln() * 2.0 + 10.0;
    root(-30.0, largest, slope).map(|x| x.exp() - alpha)
}

fn slope_by_alpha(alpha: f64, theta: f64, sizes: &Sizes<'_>) -> f64 {
    let rising = smooth_sum(sizes.classes() - 1, |i| i / (theta + i * alpha));
    let falling: f64 = sizes
        .of
        .iter()
        .filter(|&&(size, _)| size > 1)
        .map(|&(size, classes)| classes as f64 * smooth_sum(size - 1, |i| 1.0 / (i - alpha)))
        .sum();
    rising - falling
}

/// The root of a function that is positive on the left and negative on the right, by false position in the Illinois variant, which
/// keeps the root between its ends; none if the signs are otherwise.
fn root(mut left: f64, mut right: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut above, mut below) = (f(left), f(right));
    if !(above > 0.0 && below < 0.0) {
        return None;
    }
    let mut last = 0i8;
    for step in 0..STEPS {
        // Every third step halves, so that a flat side cannot hold the search up.
        let middle =
            if step % 3 == 2 { f64::midpoint(left, right) } else { (left * below - right * above) / (below - above) };
        let value = f(middle);
        if !value.is_finite() {
            return None;
        }
        if value > 0.0 {
            (left, above) = (middle, value);
            below *= if last > 0 { 0.5 } else { 1.0 };
            last = 1;
        } else {
            (right, below) = (middle, value);
            above *= if last < 0 { 0.5 } else { 1.0 };
            last = -1;
        }
        if value == 0.0 || right - left <= TOLERANCE * (1.0 + left.abs()) {
            return Some(middle);
        }
    }
    None
}

/// The sum of `f(1) + ... + f(count)` for a function that varies slowly far from 0.
///
/// The first terms are added up; then blocks whose width is a sixteenth of their distance are replaced by three points that give
/// polynomials of degree five their exact sum, so a sum of millions costs a few hundred terms and is right to about ten digits.
fn smooth_sum(count: u64, f: impl Fn(f64) -> f64) -> f64 {
    let mut total = 0.0;
    let mut next = 1;
    while next <= count {
        let width = (next / 16).min(count - next + 1);
        if width < 4 {
            total += f(next as f64);
            next += 1;
            continue;
        }
        // Nodes and weights from the second and fourth moments of `width` equally spaced points.
        let (w, middle) = (width as f64, next as f64 + (width as f64 - 1.0) / 2.0);
        let variance = (w * w - 1.0) / 12.0;
        let reach = ((3.0 * w * w - 7.0) / 20.0).sqrt();
        let side = variance / (2.0 * reach * reach);
        total += w * (side * (f(middle - reach) + f(middle + reach)) + (1.0 - 2.0 * side) * f(middle));
        next += width;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::smooth_sum;

    #[test]
    fn long_sums_are_those_of_their_terms() {
        for count in [0u64, 1, 63, 64, 1_000, 200_000] {
            for shift in [-0.9, 0.0, 37.5, 1e6] {
                let plain: f64 = (1..=count).map(|i| 1.0 / (i as f64 + shift)).sum();
                let quick = smooth_sum(count, |i| 1.0 / (i + shift));
                assert!((plain - quick).abs() <= 1e-9 * plain.abs(), "{count} {shift}: {plain} {quick}");
            }
        }
    }
}
