//! Fractions that are exact: epsilon, delta and probabilities.

use crate::MechanismError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A fraction of at least 0 in lowest terms.
///
/// Read from decimal text, so that 0.1 is one tenth and ten tenths are 1: a budget of 1 is spent by ten queries of 0.1 exactly.
///
/// ```
/// use tamis_mechanism::Ratio;
/// let tenth: Ratio = "0.1".parse()?;
/// let sum = (0..10).try_fold(Ratio::ZERO, |sum, _| sum.checked_add(tenth));
/// assert_eq!(sum, Some(Ratio::ONE));
/// assert_eq!("1e-6".parse::<Ratio>()?.to_string(), "0.000001");
/// # Ok::<(), tamis_mechanism::MechanismError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

/// More decimals than this have no room in a denominator.
const MOST_DECIMALS: i64 = 18;

impl Ratio {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// 1.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The fraction in lowest terms; nothing if the denominator is 0.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        Self::reduced(numerator.into(), denominator.into())
    }

    /// The fraction in lowest terms; nothing if the denominator is 0 or the terms have no room.
    pub(crate) fn reduced(numerator: u128, denominator: u128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        let numerator = u64::try_from(numerator / divisor).ok()?;
        let denominator = u64::try_from(denominator / divisor).ok()?;
        Some(Self { numerator, denominator })
    }

    /// What is above the line.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// What is below the line.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The sum; nothing if it has no room.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (left, right) = (self.widened(other)?, other.widened(self)?);
        Self::reduced(left.checked_add(right)?, self.common_denominator(other)?)
    }

    /// The difference; nothing if it is below 0 or has no room.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        let (left, right) = (self.widened(other)?, other.widened(self)?);
        Self::reduced(left.checked_sub(right)?, self.common_denominator(other)?)
    }

    /// The product with a whole number; nothing if it has no room.
    pub fn checked_mul(self, factor: u64) -> Option<Self> {
        Self::reduced(u128::from(self.numerator) * u128::from(factor), self.denominator.into())
    }

    /// The nearest double: for what is reported, never for what is drawn.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    fn common_denominator(self, other: Self) -> Option<u128> {
        let (left, right) = (u128::from(self.denominator), u128::from(other.denominator));
        (left / greatest_common_divisor(left, right)).checked_mul(right)
    }

    /// The numerator over the common denominator.
    fn widened(self, other: Self) -> Option<u128> {
        u128::from(self.numerator).checked_mul(self.common_denominator(other)? / u128::from(self.denominator))
    }
}

fn greatest_common_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left.max(1)
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        left.cmp(&(u128::from(other.numerator) * u128::from(self.denominator)))
    }
}

impl FromStr for Ratio {
    type Err = MechanismError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |problem| MechanismError::NotANumber { found: text.to_owned(), problem };
        if text.starts_with('-') {
            return Err(wrong("below 0"));
        }
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            Some((digits, exponent)) => {
                let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                let is_number = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
                let exponent: Option<i64> = exponent.parse().ok().filter(|_| is_number);
                (digits, exponent.ok_or_else(|| wrong("no decimal number"))?)
            }
        };
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let all = [whole, decimals].concat();
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong("no decimal number"));
        }
        // Zeros behind the last decimal say nothing and shall not count against the room there is.
        let kept = all.trim_end_matches('0');
        if kept.is_empty() {
            return Ok(Self::ZERO);
        }
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        let dropped = length(&all) - length(kept);
        let scale = length(decimals).saturating_sub(dropped).saturating_sub(exponent);
        if scale > MOST_DECIMALS {
            return Err(wrong("a number with too many decimals"));
        }
        let value: u128 = kept.parse().map_err(|_| wrong("a number with too many digits"))?;
        let power = |places: u64| u32::try_from(places).ok().and_then(|places| 10_u128.checked_pow(places));
        let ratio = if scale >= 0 {
            power(scale.unsigned_abs()).and_then(|denominator| Self::reduced(value, denominator))
        } else {
            power(scale.unsigned_abs())
                .and_then(|factor| value.checked_mul(factor))
                .and_then(|value| Self::reduced(value, 1))
        };
        ratio.ok_or_else(|| wrong("too large a number"))
    }
}

impl fmt::Display for Ratio {
    /// As a decimal number where it is one, else as a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = (0..=MOST_DECIMALS as u32)
            .find(|&places| (10_u128.pow(places)).is_multiple_of(u128::from(self.denominator)));
        let Some(places) = decimals else { return write!(f, "{}/{}", self.numerator, self.denominator) };
        let scaled = u128::from(self.numerator) * (10_u128.pow(places) / u128::from(self.denominator));
        let (whole, rest) = (scaled / 10_u128.pow(places), scaled % 10_u128.pow(places));
        if places == 0 { write!(f, "{whole}") } else { write!(f, "{whole}.{rest:0width$}", width = places as usize) }
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
