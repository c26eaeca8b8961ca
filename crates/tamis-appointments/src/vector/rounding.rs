//! Large integers as floating-point numbers, rounded once.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

/// ln of a large integer; minus infinity for 0. Exact to a few units in the last place.
pub(super) fn natural_log(number: &BigUint) -> f64 {
    let shift = number.bits().saturating_sub(64);
    let leading = (number >> shift).to_f64().unwrap_or(f64::INFINITY);
    leading.ln() + shift as f64 * std::f64::consts::LN_2
}

/// numerator / denominator as the nearest floating-point number. The denominator must not be 0.
pub(super) fn fraction(numerator: &BigInt, denominator: &BigUint) -> f64 {
    let magnitude = numerator.magnitude();
    // At least 65 digits of the quotient, so that the last one can say that something follows: then the conversion rounds as it
    // would round the quotient itself.
    let shift = (denominator.bits() + 65).saturating_sub(magnitude.bits());
    let shifted = magnitude << shift;
    let mut quotient = &shifted / denominator;
    if (&quotient * denominator) != shifted {
        quotient.set_bit(0, true);
    }
    // Far below the smallest floating-point number there is nothing but zero.
    let scale = i32::try_from(shift).unwrap_or(i32::MAX);
    let half = 2_f64.powi(-(scale / 2));
    let value = quotient.to_f64().unwrap_or(f64::INFINITY) * half * 2_f64.powi(-(scale - scale / 2));
    if numerator.sign() == Sign::Minus { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fractions_of_exact_doubles_are_their_quotient(numerator in -(1_i64 << 53)..(1 << 53), denominator in 1_u64..(1 << 53)) {
            let expected = numerator as f64 / denominator as f64;
            prop_assert_eq!(fraction(&BigInt::from(numerator), &BigUint::from(denominator)), expected);
            let (large, other) = (BigInt::from(numerator) << 5000, BigUint::from(denominator) << 5000);
            prop_assert_eq!(fraction(&large, &other), expected);
        }

        #[test]
        fn logarithms_are_those_of_doubles(number in 1_u64.., shift in 0_u64..3000) {
            let expected = (number as f64).ln() + shift as f64 * std::f64::consts::LN_2;
            let found = natural_log(&(BigUint::from(number) << shift));
            prop_assert!((found - expected).abs() <= expected.abs() * 1e-15 + 1e-15);
        }
    }

    #[test]
    fn what_is_too_small_is_zero_and_nothing_has_no_logarithm() {
        assert_eq!(fraction(&BigInt::from(1), &(BigUint::from(1_u32) << 100_000)), 0.0);
        assert_eq!(fraction(&BigInt::ZERO, &BigUint::from(3_u32)), 0.0);
        assert_eq!(natural_log(&BigUint::ZERO), f64::NEG_INFINITY);
    }
}
