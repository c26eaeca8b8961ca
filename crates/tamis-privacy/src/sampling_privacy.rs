//! How many rows must look alike for a sample to be differentially private: k from epsilon and delta.
//!
//! The mechanism (Li, Qardaji and Su 2012, "On sampling, anonymization, and differential privacy"; Bild, Kuhn and Prasser 2018,
//! "SafePub"): keep every row by itself with probability beta, recode with a recoding that does not depend on the data, suppress every
//! class of fewer than k rows. One person changes the size of one class of the input from n - 1 to n, and the class that is released
//! from Bin(n - 1, beta) to Bin(n, beta), told only from k on.
//!
//! * The person's absence is at most e^epsilon times as likely as their presence whatever is seen if
//!   beta <= 1 - e^-epsilon.
//! * Their presence is at most e^epsilon times as likely as their absence while the class has j <= gamma n rows,
//!   gamma = (e^epsilon - 1 + beta) / e^epsilon, for the ratio of the two binomial probabilities is n (1 - beta) / (n - j).
//! * What is left is the probability of more than gamma n rows, and delta has to cover it for every n that the data may have:
//!   delta(k) = max over n >= n_m of P(Bin(n, beta) > gamma n), where n_m = ceil(k / gamma - 1). A class of the input with fewer than
//!   n_m rows shows its bad sizes only from k on, which is less likely than with n_m rows.
//!
//! The maximum is over infinitely many n, but by Chernoff's bound P(Bin(n, beta) > gamma n) <= e^(-n D(gamma, beta)) with the relative
//! entropy D, and this falls with n: once it is no more than the largest probability found so far, no later n can exceed that.
//!
//! All rounding errs towards a larger delta, so that a k found here is never too small: logarithms of factorials are taken from the
//! side that enlarges a probability (two terms of Stirling's series, which bracket it), gamma from the side that enlarges the tail, and what floating point may lose is
//! added.

use std::fmt;

/// What to do to a table so that its release is differentially private.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplingPlan {
    /// Every row is kept with this probability, a whole multiple of [`BETA_STEP`]: exact as a double and as a fraction.
    pub beta: f64,
    /// Classes of fewer rows are suppressed.
    pub k: u64,
    /// An upper bound of the delta that is reached, at most the one asked for.
    pub delta: f64,
}

impl SamplingPlan {
    /// The probability of keeping a row as a fraction, for a sampler that uses no floating point.
    pub fn beta_fraction(&self) -> (u64, u64) {
        ((self.beta / BETA_STEP) as u64, (1.0 / BETA_STEP) as u64)
    }
}

/// Probabilities of keeping a row are whole multiples of this, 2^-32.
pub const BETA_STEP: f64 = 1.0 / 4_294_967_296.0;

/// The smallest epsilon for which a plan is made; below it, next to nothing would be kept.
pub const LEAST_EPSILON: f64 = 1e-4;

/// The largest epsilon for which a plan is made; it promises next to nothing any more.
pub const MOST_EPSILON: f64 = 10.0;

/// The smallest delta for which a plan is made.
pub const LEAST_DELTA: f64 = 1e-100;

/// Why no plan can be made.
#[derive(Debug, Clone, PartialEq)]
pub enum SamplingError {
    /// Epsilon out of range.
    Epsilon(f64),
    /// Delta out of range.
    Delta(f64),
    /// Beta out of range: the largest that epsilon allows.
    Beta {
        /// The probability asked for.
        found: f64,
        /// The largest that is private.
        most: f64,
    },
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epsilon(found) => {
                write!(f, "epsilon is {found}; expected a number between {LEAST_EPSILON} and {MOST_EPSILON}")
            }
            Self::Delta(found) => {
                write!(f, "delta is {found}; expected a number between {LEAST_DELTA:e} and below 1, such as 0.000001")
            }
            Self::Beta { found, most } => write!(
                f,
                "beta is {found}; expected a probability above 0 and at most {most}, which is 1 - e^-epsilon; keep fewer rows or allow a larger epsilon"
            ),
        }
    }
}

impl std::error::Error for SamplingError {}

/// The largest probability of keeping a row under epsilon: 1 - e^-epsilon, rounded down.
///
/// ```
/// use tamis_privacy::sampling_privacy::largest_beta;
/// assert_eq!((largest_beta(1.0) * 1e6).floor(), 632_120.0);
/// ```
pub fn largest_beta(epsilon: f64) -> f64 {
    let exact = -(-epsilon).exp_m1();
    ((exact * (1.0 - 8.0 * f64::EPSILON)) / BETA_STEP).floor() * BETA_STEP
}

/// The smallest k for which sampling with probability `beta` (the largest that epsilon allows if left out) and suppression below k is
/// (epsilon, delta)-differentially private.
///
/// A search by doubling and halving over k, for delta(k) never grows with k. Each step sums the binomial tails of some hundred to some
/// thousand n; the whole takes milliseconds for epsilon of 0.1 and more.
///
/// ```
/// use tamis_privacy::sampling_privacy::{delta_of, plan};
/// let plan = plan(1.0, 1e-6, None)?;
/// assert!(plan.delta <= 1e-6);
/// assert!(delta_of(plan.k - 1, plan.beta, 1.0) > 1e-6);
/// # Ok::<(), tamis_privacy::sampling_privacy::SamplingError>(())
/// ```
pub fn plan(epsilon: f64, delta: f64, beta: Option<f64>) -> Result<SamplingPlan, SamplingError> {
    if !(LEAST_EPSILON..=MOST_EPSILON).contains(&epsilon) {
        return Err(SamplingError::Epsilon(epsilon));
    }
    if !(LEAST_DELTA..1.0).contains(&delta) {
        return Err(SamplingError::Delta(delta));
    }
    let most = largest_beta(epsilon);
    let rounded = match beta {
        None => most,
        // Nobody writes the largest beta down to its last digit.
        Some(given) if given > most && given <= -(-epsilon).exp_m1() * (1.0 + 1e-9) => most,
        Some(given) => (given / BETA_STEP).floor() * BETA_STEP,
    };
    if !(BETA_STEP..=most).contains(&rounded) {
        return Err(SamplingError::Beta { found: beta.unwrap_or(rounded), most });
    }
    let beta = rounded;
    let (mut too_small, mut enough) = (0, 1);
    while delta_of(enough, beta, epsilon) > delta {
        too_small = enough;
        enough *= 2;
    }
    while enough - too_small > 1 {
        let middle = too_small + (enough - too_small) / 2;
        if delta_of(middle, beta, epsilon) > delta { too_small = middle } else { enough = middle }
    }
    Ok(SamplingPlan { beta, k: enough, delta: delta_of(enough, beta, epsilon) })
}

/// The smallest k of [`plan`].
pub fn k_for(epsilon: f64, delta: f64, beta: Option<f64>) -> Result<u64, SamplingError> {
    plan(epsilon, delta, beta).map(|plan| plan.k)
}

/// An upper bound of delta(k): the delta of the release when rows are kept with probability `beta` and classes of fewer than k rows are
/// suppressed. Expects epsilon above 0 and 0 < beta <= 1 - e^-epsilon; k = 0 counts as 1.
pub fn delta_of(k: u64, beta: f64, epsilon: f64) -> f64 {
    let (least_gamma, most_gamma) = gamma(beta, epsilon);
    let entropy = least_entropy(least_gamma, beta);
    // From the larger gamma, so that no n is left out; the tails are those of the smaller one.
    let mut n = ((k.max(1) as f64 / most_gamma) * (1.0 - 4.0 * f64::EPSILON) - 1.0).ceil().max(1.0) as u64;
    let mut largest: f64 = 0.0;
    loop {
        let bound = (-(n as f64) * entropy).exp() * (1.0 + 1e-12);
        // Past this point no tail is larger than what was found; a bound too small for a double is as good as none left.
        if bound <= largest || bound < f64::MIN_POSITIVE {
            return largest.max(f64::MIN_POSITIVE);
        }
        largest = largest.max(most_tail(n, least_gamma, beta).min(bound));
        n += 1;
    }
}

/// Bounds of gamma from below and above: 1 - (1 - beta) e^-epsilon.
fn gamma(beta: f64, epsilon: f64) -> (f64, f64) {
    let gamma = -(-epsilon).exp_m1() + beta * (-epsilon).exp();
    (gamma * (1.0 - 8.0 * f64::EPSILON), (gamma * (1.0 + 8.0 * f64::EPSILON)).min(1.0))
}

/// The relative entropy of gamma and beta, not more than it is.
fn least_entropy(gamma: f64, beta: f64) -> f64 {
    let kept = gamma * (gamma / beta).ln();
    let lost = if gamma < 1.0 { (1.0 - gamma) * ((-gamma).ln_1p() - (-beta).ln_1p()) } else { 0.0 };
    // The two terms nearly cancel for small epsilon; what rounding may have cost them is taken off their difference.
    (kept + lost - 16.0 * f64::EPSILON * (kept.abs() + lost.abs())).max(0.0)
}

/// P(Bin(n, beta) > gamma n), not less than it is. O(terms until they vanish).
fn most_tail(n: u64, gamma: f64, beta: f64) -> f64 {
    let first = (gamma * n as f64 * (1.0 - 4.0 * f64::EPSILON)).floor() as u64 + 1;
    if first > n {
        return 0.0;
    }
    let odds = beta / (1.0 - beta);
    let (mut term, mut sum) = (1.0, 1.0);
    for j in first..n {
        let ratio = (n - j) as f64 / (j + 1) as f64 * odds;
        term *= ratio;
        sum += term;
        // The ratios fall, so that the terms left are less than a geometric series.
        if ratio < 1.0 && term / (1.0 - ratio) < sum * f64::EPSILON {
            sum += term / (1.0 - ratio);
            break;
        }
    }
    let (rest, lost) = ((n - first) as f64, (-beta).ln_1p());
    let logarithm = most_ln_choose(n, first) + first as f64 * beta.ln() + rest * lost;
    let slack = 8.0 * f64::EPSILON * (first as f64 * beta.ln().abs() + rest * lost.abs() + logarithm.abs() + 1.0);
    ((logarithm + slack).exp() * sum * (1.0 + 1e-12)).min(1.0)
}

/// The logarithm of the binomial coefficient, not less than it is.
fn most_ln_choose(n: u64, j: u64) -> f64 {
    let ((_, above), (below_j, _), (below_rest, _)) = (ln_factorial(n), ln_factorial(j), ln_factorial(n - j));
    above - below_j - below_rest
}

/// Bounds of ln(n!): Stirling's series, whose partial sums alternate, for large n, the sum of logarithms for small ones; with what rounding may cost.
fn ln_factorial(n: u64) -> (f64, f64) {
    let x = n as f64;
    let (below, above) = if n < 64 {
        let sum: f64 = (2..=n).map(|factor| (factor as f64).ln()).sum();
        (sum, sum)
    } else {
        let stirling = x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln();
        let correction = 1.0 / (12.0 * x);
        (stirling + correction - 1.0 / (360.0 * x * x * x), stirling + correction)
    };
    let slack = 16.0 * f64::EPSILON * (x * x.max(1.0).ln() + 1.0);
    (below - slack, above + slack)
}
