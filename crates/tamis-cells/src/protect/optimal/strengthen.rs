//! Stronger inequalities from one: mixed-integer rounding, of which covers are a special case.
//!
//! Let sum a_i y_i >= b hold for whole y_i >= 0 and f = b - floor(b) > 0. Then
//!
//! ```text
//! sum (floor(a_i) + min(1, (a_i - floor(a_i)) / f)) y_i >= ceil(b)
//! ```
//!
//! holds too (the usual rounding inequality, turned round). It is applied to c x >= 1 divided by a number, after some x_i,
//! those close to 1, were replaced by 1 - y_i. All variables are whole, so that this is valid for any divisor and any
//! choice of complemented variables.

use super::cut::Cut;

/// The deepest inequality found by rounding `cut`, if it cuts `x` off deeper than `cut` does.
pub(crate) fn rounded(cut: &Cut, x: &[f64]) -> Option<Cut> {
    let fractional = |value: f64| value > 1e-6 && value < 1.0 - 1e-6;
    let mut divisors: Vec<f64> = Vec::new();
    for &(cell, c) in &cut.terms {
        if fractional(x[cell]) {
            divisors.push(c);
        }
    }
    divisors.push(1.0);
    divisors.sort_by(|a, b| b.total_cmp(a));
    divisors.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    divisors.truncate(12);
    let mut best: Option<(f64, Cut)> = None;
    let least = cut.depth(x).max(1e-3);
    for threshold in [2.0, 0.999, 0.5] {
        let complemented: f64 = cut.terms.iter().filter(|(cell, _)| x[*cell] > threshold).map(|(_, c)| c).sum();
        if threshold < 1.5 && complemented == 0.0 {
            continue;
        }
        for &divisor in &divisors {
            for part in [1.0, 0.5] {
                let Some(found) = round(cut, x, threshold, complemented, divisor * part) else { continue };
                let depth = found.depth(x);
                if depth > best.as_ref().map_or(least, |(best, _)| *best) + 1e-6 {
                    best = Some((depth, found));
                }
            }
        }
    }
    best.map(|(_, cut)| cut)
}

fn round(cut: &Cut, x: &[f64], threshold: f64, complemented: f64, divisor: f64) -> Option<Cut> {
    // A hair less than the true value: rounding up a sum that is whole but for noise must not happen.
    const HAIR: f64 = 1e-9;
    let b = (cut.rhs - complemented) / divisor - HAIR;
    let up = b.ceil();
    let f = b - b.floor();
    if !(0.01..=1.0).contains(&f) || up.abs() > 1e4 {
        return None;
    }
    let mut terms = Vec::with_capacity(cut.terms.len());
    let mut rhs = up;
    for &(cell, c) in &cut.terms {
        let other = x[cell] > threshold;
        let a = if other { -c } else { c } / divisor + HAIR;
        let whole = a.floor();
        let coefficient = whole + f64::min(1.0, (a - whole) / f);
        if other {
            // coefficient * (1 - x)
            rhs -= coefficient;
            if coefficient.abs() > 1e-7 {
                terms.push((cell, -coefficient));
            } else {
                rhs -= coefficient.abs();
            }
        } else if coefficient > 1e-7 {
            terms.push((cell, coefficient));
        } else {
            rhs -= coefficient.abs();
        }
    }
    let scale = if rhs.abs() > 1e-6 { rhs.abs() } else { 1.0 };
    for (_, c) in &mut terms {
        *c /= scale;
    }
    rhs /= scale;
    // Truncation holds for rounded inequalities as well, where nothing is negative.
    if terms.iter().all(|(_, c)| *c >= 0.0) {
        if rhs <= 0.0 {
            return None;
        }
        for (_, c) in &mut terms {
            *c = c.min(rhs);
        }
    }
    Some(Cut { terms, rhs })
}
