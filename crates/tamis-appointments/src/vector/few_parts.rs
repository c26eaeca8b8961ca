//! ln r(m, s) where m makes only a few parts of at least s: too few for the saddle point, which knows nothing of whole parts.
//!
//! r(m, s) is the sum over t of P(m - t s, at most t parts). Small values of P are counted; for large m, P is the polynomial that
//! the pole of its generating function at 1 gives: with `z = m + t(t+1)/4`, the coefficient of `y^-1` in
//! `e^(z y) / product over i <= t of 2 sinh(i y / 2)`. The other poles give terms of less than half the degree.

/// Up to so many parts this is the way to count.
pub(super) const FEW: u64 = 24;
/// Below this, P is counted one by one.
const COUNTED: usize = 4096;

/// ln r(m, s) for at least one and at most `FEW` parts.
pub(super) fn log_of_few_parts(people: u64, smallest: u64) -> f64 {
    let rests: Vec<u64> = (1..=people / smallest).map(|parts| people - parts * smallest).collect();
    let rows = rests.iter().filter(|&&rest| rest < COUNTED as u64).max().map_or(0, |&rest| rest as usize + 1);
    let mut counted = vec![1.0_f64; rows];
    let mut logs = Vec::new();
    for (parts, &rest) in (1..).zip(&rests) {
        if parts > 1 {
            for m in parts..rows {
                counted[m] += counted[m - parts];
            }
        }
        logs.push(match parts {
            _ if rest < COUNTED as u64 => counted[rest as usize].ln(),
            // Of two parts any up to half is the smaller one; three are the nearest integer to the polynomial.
            1 => 0.0,
            2 => ((rest / 2 + 1) as f64).ln(),
            _ => log_polynomial(rest, parts),
        });
    }
    log_sum(&logs)
}

/// ln of the sum of numbers given by their logarithms.
pub(super) fn log_sum(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        return largest;
    }
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}

/// ln P(m, at most t parts) by the polynomial.
fn log_polynomial(people: u64, parts: usize) -> f64 {
    /// B_2, B_4, ... divided by 2k (2k)!: the coefficients of ln(sinh(y/2) / (y/2)) in y^2.
    const SINH: [f64; 6] = [
        1.0 / 24.0,
        -1.0 / 2880.0,
        1.0 / 181_440.0,
        -1.0 / 9_676_800.0,
        1.0 / 479_001_600.0,
        -691.0 / 15_692_092_416_000.0,
    ];
    let t = parts as f64;
    let z = people as f64 + t * (t + 1.0) / 4.0;
    let logarithm = |k: usize| {
        let powers: f64 = (1..=parts).map(|part| (part as f64).powf(2.0 * k as f64)).sum();
        -SINH[k - 1] * powers
    };
    // The exponential of that series, and what becomes of z^(t-1)/(t-1)! when 2k powers are taken from it.
    let mut series = [1.0; SINH.len() + 1];
    let mut sum = 1.0;
    let mut falling = 1.0;
    for n in 1..=SINH.len() {
        series[n] = (1..=n).map(|k| k as f64 * logarithm(k) * series[n - k]).sum::<f64>() / n as f64;
        let taken = 2.0 * n as f64;
        falling *= (t + 1.0 - taken).max(0.0) * (t - taken).max(0.0) / (z * z);
        sum += series[n] * falling;
    }
    let log_factorials: f64 = (1..=parts).map(|part| 2.0 * (part as f64).ln()).sum::<f64>() - t.ln();
    (t - 1.0) * z.ln() - log_factorials + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::restricted::PartsSweep;
    use crate::vector::rounding::natural_log;

    #[test]
    fn the_polynomial_is_the_number_of_partitions_into_few_parts() {
        let mut sweep = PartsSweep::new(9000, 4);
        while sweep.parts <= FEW as usize {
            for people in [COUNTED, 5003, 9000] {
                let exact = natural_log(&sweep.table.number(people));
                let found = log_polynomial(people as u64, sweep.parts);
                // Two parts lack the term of the pole at -1, which is a quarter.
                let allowed = if sweep.parts == 2 { 0.25 / people as f64 * 2.1 } else { 1e-6 };
                assert!((found - exact).abs() < allowed, "{people} into {}: {found} {exact}", sweep.parts);
            }
            sweep.advance();
        }
    }
}
