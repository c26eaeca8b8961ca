//! Prices of a solver as the fractions that they stand for.
//!
//! The prices of an attacker's program are solutions of equations with small whole coefficients, hence fractions with small
//! denominators, up to the rounding of the solver. As fractions they prove something without any rounding.

/// Numbers smaller than this are taken for zero.
pub(crate) const ZERO: f64 = 1e-11;

/// How far a multiple of a number may be from a whole one.
const NEAR: f64 = 1e-9;

/// The least number that makes all the others whole when they are multiplied by it; `None` if it is too large. Time: linear,
/// with a few steps of a continued fraction for each new denominator.
pub(crate) fn common_denominator(numbers: impl Iterator<Item = f64>) -> Option<i128> {
    let mut all: u64 = 1;
    for number in numbers.filter(|number| number.abs() > ZERO) {
        let scaled = number * all as f64;
        if (scaled - scaled.round()).abs() < NEAR * all as f64 {
            continue;
        }
        // The next denominator by continued fractions.
        let (mut before, mut denominator, mut rest) = (0_u64, 1_u64, scaled.abs().fract());
        loop {
            let inverse = 1.0 / rest;
            (before, denominator) = (denominator, (inverse.floor() as u64).checked_mul(denominator)? + before);
            rest = inverse.fract();
            let tried = scaled * denominator as f64;
            if (tried - tried.round()).abs() < NEAR * all as f64 * denominator as f64 {
                break;
            }
            if denominator > 10_000 {
                return None;
            }
        }
        all *= denominator;
        if all > 10_000_000 {
            return None;
        }
    }
    Some(i128::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_have_their_least_common_denominator() {
        let of = |numbers: &[f64]| common_denominator(numbers.iter().copied());
        assert_eq!(of(&[1.0, -2.0, 0.0, 1e-14]), Some(1));
        assert_eq!(of(&[0.5, -1.0 / 3.0, 1.25]), Some(12));
        assert_eq!(of(&[std::f64::consts::PI, std::f64::consts::SQRT_2]), None);
    }
}
