//! How large a probability can be that was seen in some of many trials.

/// The exact upper confidence bound of Clopper and Pearson (1934): the largest probability under which `failures` or fewer in `trials`
/// still have probability 1 - confidence. O(failures) for each of the some sixty halvings.
///
/// ```
/// use tamis_mechanism::audit::upper_confidence_bound;
/// // Nothing seen in n trials: 1 - (1 - confidence)^(1/n), about 3/n for 95 %.
/// assert!((upper_confidence_bound(0, 1000, 0.95) - 0.002_991_25).abs() < 1e-7);
/// assert_eq!(upper_confidence_bound(5, 5, 0.95), 1.0);
/// ```
pub fn upper_confidence_bound(failures: u64, trials: u64, confidence: f64) -> f64 {
    if failures >= trials {
        return 1.0;
    }
    let miss = 1.0 - confidence;
    let ln_choices = ln_choose(trials, failures);
    let (mut low, mut high) = (failures as f64 / trials as f64, 1.0);
    while high - low > 1e-12 * high {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if at_most(failures, trials, ln_choices, middle) > miss { low = middle } else { high = middle }
    }
    high
}

/// P(Bin(trials, probability) <= failures), summed from the largest term down so that nothing underflows before it matters.
/// `ln_choices` is the logarithm of the binomial coefficient of the two numbers.
fn at_most(failures: u64, trials: u64, ln_choices: f64, probability: f64) -> f64 {
    if probability >= 1.0 {
        return 0.0;
    }
    let odds = (1.0 - probability) / probability;
    let (mut term, mut sum) = (1.0, 1.0);
    for j in (1..=failures).rev() {
        term *= j as f64 / (trials - j + 1) as f64 * odds;
        sum += term;
        if term < sum * f64::EPSILON && (j as f64) < probability * trials as f64 {
            break;
        }
    }
    let logarithm =
        ln_choices + failures as f64 * probability.ln() + (trials - failures) as f64 * (-probability).ln_1p();
    (logarithm + sum.ln()).exp()
}

fn ln_choose(n: u64, k: u64) -> f64 {
    let k = k.min(n - k);
    (0..k).map(|i| ((n - i) as f64).ln() - ((i + 1) as f64).ln()).sum()
}
