//! Numbers as people write them: a whole number times a power of ten.
//!
//! Values, bounds and coefficients come from decimal text. The shortest decimal that reads as a given floating-point number
//! is that text again, and whole multiples of one power of ten are compared and added without any rounding.

/// Whole numbers beyond this are not worth keeping: a solver's floating-point answer cannot name them.
const LARGEST: i128 = 1_000_000_000_000_000_000;

/// A finite number as digits times a power of ten, without trailing zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// The shortest decimal that reads as this number; `None` for infinities.
    pub(super) fn of(number: f64) -> Option<Self> {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let exponent = if digits == 0 { 0 } else { exponent - i32::try_from(fraction.len()).ok()? };
        // Rust's shortest form has no trailing zeros behind a point; "1e2" has none either.
        Some(Self { digits, exponent })
    }

    /// The power of ten of the last digit; zero has none that matters.
    pub(super) fn exponent(self) -> Option<i32> {
        (self.digits != 0).then_some(self.exponent)
    }

    /// How many times 10^`exponent`; `None` if that is no whole number or too large.
    pub(super) fn in_units(self, exponent: i32) -> Option<i128> {
        if self.digits == 0 {
            return Some(0);
        }
        let power = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        let factor = 10_i128.checked_pow(power)?;
        self.digits.checked_mul(factor).filter(|units| units.abs() <= LARGEST)
    }
}

/// The whole numbers proportional to these, without a common factor; `None` if there are none of a reasonable size.
pub(super) fn whole(numbers: &[f64]) -> Option<Vec<i128>> {
    let decimals = numbers.iter().map(|number| Decimal::of(*number)).collect::<Option<Vec<_>>>()?;
    let exponent = decimals.iter().filter_map(|decimal| decimal.exponent()).min().unwrap_or(0);
    let units = decimals.iter().map(|decimal| decimal.in_units(exponent)).collect::<Option<Vec<_>>>()?;
    let divisor = units.iter().fold(0, |divisor, number| gcd(divisor, number.abs())).max(1);
    Some(units.into_iter().map(|number| number / divisor).collect())
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_what_a_person_wrote() {
        assert_eq!(Decimal::of(0.3), Some(Decimal { digits: 3, exponent: -1 }));
        assert_eq!(Decimal::of(-1200.0), Some(Decimal { digits: -12, exponent: 2 }));
        assert_eq!(Decimal::of(-0.0).and_then(|zero| zero.in_units(7)), Some(0));
        assert_eq!(Decimal::of(f64::INFINITY), None);
        assert_eq!(Decimal::of(12.5).and_then(|number| number.in_units(-2)), Some(1250));
        assert_eq!(Decimal::of(12.5).and_then(|number| number.in_units(0)), None);
        assert_eq!(Decimal::of(1e300).and_then(|number| number.in_units(0)), None);
    }

    #[test]
    fn coefficients_become_the_smallest_whole_numbers() {
        assert_eq!(whole(&[0.5, -1.0, 0.25]), Some(vec![2, -4, 1]));
        assert_eq!(whole(&[3.0, -6.0]), Some(vec![1, -2]));
        assert_eq!(whole(&[1e-300, 1.0]), None);
    }
}
