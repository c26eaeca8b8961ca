//! The journalist knows that a person is in the population around the table, and all their quasi-identifiers; whoever they find will
//! do.
//!
//! A class with F people in the population is recognised with probability 1/F. Where the population is at hand F is counted. Where only
//! the sampling fraction p is known, F given f people in the sample is taken as negative binomial, as in Benedetti and Franconi (1998),
//! and the risk is the mean of 1/F.

/// How likely a journalist is right.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JournalistRisk {
    /// Mean over rows. Also the marketer's risk: the expected share of rows that are matched to the right person.
    pub average: f64,
    /// Of the rows in the class that is rarest in the population.
    pub max: f64,
    /// Share of rows whose risk is above the threshold.
    pub at_risk: f64,
    /// That threshold.
    pub threshold: f64,
}

impl JournalistRisk {
    /// From the rows of each class and the risk of each of its rows. No rows mean no risk.
    pub fn of(classes: impl Iterator<Item = (u64, f64)>, threshold: f64) -> Self {
        let (mut rows, mut total, mut above, mut max) = (0u64, 0.0, 0u64, 0.0f64);
        for (class_rows, risk) in classes {
            rows += class_rows;
            total += class_rows as f64 * risk;
            max = max.max(risk);
            if risk > threshold {
                above += class_rows;
            }
        }
        if rows == 0 {
            return Self { threshold, ..Self::default() };
        }
        Self { average: total / rows as f64, max, at_risk: above as f64 / rows as f64, threshold }
    }
}

/// Below this fraction the sum takes long and the recursion loses nothing.
const SMALL_FRACTION: f64 = 1e-3;

/// The mean of 1/F over populations in which a class shows `size` people in a sample of this fraction (above 0, at most 1).
///
/// For one person it is p/(1-p) ln(1/p). In general it is p/f times the hypergeometric function 2F1(1, 1; f+1; 1-p), summed term by
/// term; for tiny fractions by the recursion r(f+1) = p/(1-p) (1/f - r(f)), which then damps its errors.
///
/// ```
/// use tamis_risk::expected_risk;
/// assert!((expected_risk(1, 0.5) - 2f64.ln()).abs() < 1e-12);
/// assert_eq!(expected_risk(4, 1.0), 0.25);
/// ```
pub fn expected_risk(size: u64, fraction: f64) -> f64 {
    let rest = 1.0 - fraction;
    if fraction < SMALL_FRACTION {
        let odds = fraction / rest;
        let mut risk = -odds * fraction.ln();
        for smaller in 1..size {
            risk = odds * (1.0 / smaller as f64 - risk);
        }
        return risk;
    }
    let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
    while term > 1e-17 * sum {
        term *= (n + 1.0) / (size as f64 + 1.0 + n) * rest;
        sum += term;
        n += 1.0;
    }
    fraction / size as f64 * sum
}

#[cfg(test)]
mod tests {
    use super::expected_risk;

    /// The sum over F of P(F | f)/F with P(F | f) = C(F-1, f-1) p^f (1-p)^(F-f).
    fn literally(size: u64, p: f64) -> f64 {
        let f = size as f64;
        let mut probability = p.powf(f);
        let mut total = 0.0;
        let mut population = f;
        while population < f + 200.0 / p {
            total += probability / population;
            probability *= population / (population - f + 1.0) * (1.0 - p);
            population += 1.0;
        }
        total
    }

    #[test]
    fn the_expected_risk_is_its_sum_written_out() {
        for fraction in [0.02, 0.1, 0.37, 0.5, 0.9] {
            for size in [1, 2, 3, 7, 30] {
                let (found, expected) = (expected_risk(size, fraction), literally(size, fraction));
                assert!((found / expected - 1.0).abs() < 1e-9, "{size} {fraction}: {found} {expected}");
            }
        }
    }

    #[test]
    fn recursion_and_sum_meet() {
        for size in [1, 2, 5, 9] {
            let ratio = expected_risk(size, 1e-3 - 1e-12) / expected_risk(size, 1e-3);
            assert!((ratio - 1.0).abs() < 1e-6, "{size}: {ratio}");
        }
    }
}
