//! Numbers as they are written, without the rounding of doubles.

use crate::number_in;
use std::cmp::Ordering;

/// A number of any length. Spellings of one number (`1`, `1.0`, `10e-1`) are equal.
///
/// ```
/// use tamis_table::ExactNumber;
/// let number = |text| ExactNumber::parse(text).ok_or("no number");
/// assert_eq!(number("1")?, number("1.00")?);
/// assert_eq!(number("-0")?, number("0e9")?);
/// assert!(number("9999999999999999999")? < number("10000000000000000001")?);
/// assert!(number("-0.30000000000000000001")? < number("-.3")?);
/// assert!(ExactNumber::parse("20-39").is_none() && ExactNumber::parse("inf").is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactNumber {
    is_negative: bool,
    /// The power of ten of the first digit.
    magnitude: i64,
    /// Without zeros at either end; none at all for 0.
    digits: String,
}

impl ExactNumber {
    const ZERO: Self = Self { is_negative: false, magnitude: 0, digits: String::new() };

    /// The number that a text spells. What no double is large enough for is none, as for [`number_in`]; what is too small for one is 0.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if number_in(text)? == 0.0 {
            return Some(Self::ZERO);
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = whole.trim_start_matches(['-', '+']);
        let digits = format!("{whole}{fraction}");
        let leading = digits.len() - digits.trim_start_matches('0').len();
        Some(Self {
            is_negative: text.starts_with('-'),
            magnitude: exponent + whole.len().cast_signed() as i64 - leading.cast_signed() as i64 - 1,
            digits: digits.trim_matches('0').to_owned(),
        })
    }

    /// The power of ten of the last digit.
    pub fn last_place(&self) -> i64 {
        self.magnitude + 1 - self.digits.len().cast_signed() as i64
    }

    /// The whole number of units of this power of ten, which is that of the last digit or a lower one.
    ///
    /// ```
    /// use tamis_table::ExactNumber;
    /// let number = ExactNumber::parse("-2.50").ok_or("no number")?;
    /// assert_eq!((number.last_place(), number.in_units(-3)), (-1, "-2500".to_owned()));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn in_units(&self, power: i64) -> String {
        let zeros = usize::try_from(self.last_place() - power).unwrap_or(0);
        let sign = if self.is_negative { "-" } else { "" };
        if self.digits.is_empty() { "0".to_owned() } else { format!("{sign}{}{}", self.digits, "0".repeat(zeros)) }
    }
}

impl Ord for ExactNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| if number.digits.is_empty() { 0 } else { 1 - 2 * i8::from(number.is_negative) };
        // Without zeros in front, the first digit decides by its place, and digits of equal places as letters do.
        let size = || self.magnitude.cmp(&other.magnitude).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| if self.is_negative { size().reverse() } else { size() })
    }
}

impl PartialOrd for ExactNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
