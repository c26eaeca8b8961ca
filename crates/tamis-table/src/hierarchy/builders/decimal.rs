//! Decimal numbers as people write them: exact, so that 0.1 + 0.2 is 0.3.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A decimal number of at most 38 digits.
///
/// ```
/// use tamis_table::hierarchy::builders::Decimal;
/// let tenth: Decimal = "0.10".parse()?;
/// assert_eq!(tenth.to_string(), "0.1");
/// assert_eq!("1.5e3".parse::<Decimal>()?, Decimal::from(1500));
/// assert!("ten".parse::<Decimal>().is_err());
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
///
/// In a policy it is a number, or a text where a number would lose digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The number is `units` divided by 10 to the power of `scale`; no smaller scale would do.
    units: i128,
    scale: u32,
}

/// 10 to the power of 38 is the largest that fits 128 bits.
const DIGITS: u32 = 38;

/// Why a text is not a [`Decimal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotDecimal {
    /// It does not spell a number.
    NoNumber,
    /// It spells one that takes more than 38 digits.
    TooLong,
}

impl Decimal {
    pub(super) fn parse(text: &str) -> Result<Self, NotDecimal> {
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
            return Err(NotDecimal::NoNumber);
        }
        let trailing_zeros = all().rev().take_while(|&byte| byte == b'0').count();
        let kept = whole.len() + fraction.len() - trailing_zeros;
        let mut units: i128 = 0;
        for digit in all().take(kept).map(|byte| i128::from(byte - b'0')) {
            units = units.checked_mul(10).and_then(|units| units.checked_add(digit)).ok_or(NotDecimal::TooLong)?;
        }
        if units == 0 {
            return Ok(Self { units: 0, scale: 0 });
        }
        let length = |digits: usize| i64::try_from(digits).map_err(|_| NotDecimal::TooLong);
        let scale = length(fraction.len())? - length(trailing_zeros)? - exponent;
        let sign = if negative { -1 } else { 1 };
        if scale > 0 {
            let scale = u32::try_from(scale).ok().filter(|&scale| scale <= DIGITS).ok_or(NotDecimal::TooLong)?;
            return Ok(Self { units: sign * units, scale });
        }
        let factor = power_of_ten(scale.unsigned_abs()).ok_or(NotDecimal::TooLong)?;
        let units = units.checked_mul(factor).ok_or(NotDecimal::TooLong)?;
        Ok(Self { units: sign * units, scale: 0 })
    }

    pub(super) fn scale(self) -> u32 {
        self.scale
    }

    /// The number times 10 to the power of `scale`, which must be at least its own scale.
    pub(super) fn units_at(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(power_of_ten(u64::from(scale.checked_sub(self.scale)?))?)
    }

    /// The number that is `units` at `scale`.
    pub(super) fn from_units(mut units: i128, mut scale: u32) -> Self {
        while scale > 0 && units % 10 == 0 {
            units /= 10;
            scale -= 1;
        }
        Self { units, scale }
    }
}

pub(super) fn power_of_ten(exponent: u64) -> Option<i128> {
    10i128.checked_pow(u32::try_from(exponent).ok()?)
}

/// Exponents beyond any use are cut off where they still count as too long.
fn parse_exponent(text: &str) -> Result<i64, NotDecimal> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NotDecimal::NoNumber);
    }
    let size = digits.parse::<u32>().map_or(i64::from(u32::MAX), i64::from);
    Ok(if text.starts_with('-') { -size } else { size })
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self { units: number.into(), scale: 0 }
    }
}

impl FromStr for Decimal {
    type Err = crate::HierarchyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).map_err(|reason| {
            crate::HierarchyError::Builder(match reason {
                NotDecimal::NoNumber => format!("`{text}` is no number; write it like 12 or 0.5"),
                NotDecimal::TooLong => format!("`{text}` takes more than {DIGITS} digits; round it"),
            })
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let digits = self.units.unsigned_abs().to_string();
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let digits = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        if let Ok(whole) = text.parse::<i64>() {
            return serializer.serialize_i64(whole);
        }
        match text.parse::<f64>() {
            Ok(number) if Self::parse(&number.to_string()) == Ok(*self) => serializer.serialize_f64(number),
            _ => serializer.serialize_str(&text),
        }
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;

        impl Visitor<'_> for NumberOrText {
            type Value = Decimal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Decimal, E> {
                Ok(number.into())
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Decimal, E> {
                Ok(Decimal { units: number.into(), scale: 0 })
            }

            /// The shortest spelling of a double is the number that was written in the policy.
            fn visit_f64<E: Error>(self, number: f64) -> Result<Decimal, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Decimal, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(NumberOrText)
    }
}
