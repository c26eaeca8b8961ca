//! Numbers as people write them: a whole number times a power of ten.
//!
//! Values, bounds and coefficients come from decimal text. The shortest decimal that reads as a given floating-point number
//! is that text again, and whole multiples of one power of ten are compared and added without any rounding.

use super::Cell;

/// Whole numbers beyond this are not worth keeping: sums of their multiples would not fit.
const LARGEST: i128 = 1_000_000_000_000_000_000_000_000_000_000;

/// A finite number as digits times a power of ten, without trailing zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// The shortest decimal that reads as this number; `None` for infinities.
    pub(crate) fn of(number: f64) -> Option<Self> {
        // Whole numbers are most of all; they need no text.
        if number.fract() == 0.0 && number.abs() < 1e15 {
            let (mut digits, mut exponent) = (number as i64, 0);
            while digits != 0 && digits % 10 == 0 {
                (digits, exponent) = (digits / 10, exponent + 1);
            }
            return Some(Self { digits: i128::from(digits), exponent });
        }
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
    pub(crate) fn exponent(self) -> Option<i32> {
        (self.digits != 0).then_some(self.exponent)
    }

    /// How many times 10^`exponent`; `None` if that is no whole number or too large.
    pub(crate) fn in_units(self, exponent: i32) -> Option<i128> {
        if self.digits == 0 {
            return Some(0);
        }
        let power = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        let factor = 10_i128.checked_pow(power)?;
        self.digits.checked_mul(factor).filter(|units| units.abs() <= LARGEST)
    }
}

/// The short decimal that a number stands for, if it differs from one by no more than the rounding of a computation.
///
/// Programs that add up in binary write 36355.989499999996 where 36355.9895 is meant. With such a value in it a table has no unit
/// in which its numbers are whole. Numbers that are no short decimal, such as 1/3, stay as they are.
///
/// ```
/// use tamis_cells::plain;
///
/// assert_eq!(plain(36355.989499999996), 36355.9895);
/// assert_eq!(plain(0.1 + 0.2), 0.3);
/// assert_eq!(plain(1.0 / 3.0), 1.0 / 3.0);
/// ```
pub fn plain(number: f64) -> f64 {
    /// Two digits fewer than a number holds for sure.
    const SHORT: i128 = 10_000_000_000_000;
    let near: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    let is_short = Decimal::of(near).is_some_and(|decimal| decimal.digits.abs() < SHORT);
    if is_short && (near - number).abs() <= 4.0 * f64::EPSILON * number.abs() { near } else { number }
}

/// The power of ten of which all values and bounds of a table are whole multiples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit(Option<i32>);

impl Unit {
    /// Time: linear in the cells.
    pub(crate) fn of(cells: &[Cell]) -> Self {
        let numbers = cells.iter().flat_map(|cell| [cell.value, cell.lower, cell.upper]);
        Self(numbers.filter_map(|number| Decimal::of(number)?.exponent()).min())
    }

    /// The least multiple of the unit that is not below a number, which is not negative; the number itself where multiples of
    /// the unit are not told apart in floating point.
    pub(crate) fn up(self, number: f64) -> f64 {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let Some(exponent) = self.0 else { return number };
        let power = power_of_ten(exponent.abs());
        let units = if exponent < 0 { number * power } else { number / power };
        // A number that was computed may lie an ulp above the multiple that is meant.
        let whole = (units * (1.0 - f64::EPSILON)).ceil();
        match exponent {
            _ if units >= EXACT => number,
            ..0 => whole / power,
            _ => whole * power,
        }
    }
}

/// Ten to the power of a number that is not negative, exact up to 10^22, which `powi` alone does not promise.
pub(crate) fn power_of_ten(power: i32) -> f64 {
    const EXACT: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    let exact = usize::try_from(power).ok().and_then(|power| EXACT.get(power)).copied();
    exact.unwrap_or_else(|| format!("1e{power}").parse().unwrap_or(f64::INFINITY))
}

/// The whole numbers proportional to these, without a common factor; `None` if there are none of a reasonable size.
pub(crate) fn whole(numbers: &[f64]) -> Option<Vec<i128>> {
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
