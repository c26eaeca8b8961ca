//! How many quasi-identifier values a population of some size has.

use crate::laboratory::LaboratoryError;
use std::fmt;
use std::str::FromStr;

/// A formula `N/D+C` with integer division, or a number.
///
/// ```
/// use tamis_appointments::laboratory::generators::QuasiIds;
///
/// assert_eq!(QuasiIds::PAPER.of(1000), 15);
/// let dense: QuasiIds = "N/10+5".parse()?;
/// assert_eq!(dense.of(1000), 105);
/// assert_eq!("12".parse::<QuasiIds>()?.of(1000), 12);
/// # Ok::<(), tamis_appointments::laboratory::LaboratoryError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuasiIds {
    /// None if the number does not depend on N.
    divisor: Option<u64>,
    plus: u64,
}

impl QuasiIds {
    /// The paper's `N/100+5`.
    pub const PAPER: Self = Self { divisor: Some(100), plus: 5 };

    /// The paper's remark on many values: `N/10+5`.
    pub const DENSE: Self = Self { divisor: Some(10), plus: 5 };

    /// The number for so many people.
    pub fn of(self, people: u64) -> u64 {
        self.plus.saturating_add(self.divisor.map_or(0, |divisor| people / divisor))
    }

    /// The number for so many people, refused where some values would have nobody.
    pub(super) fn checked(self, people: u64) -> Result<u64, LaboratoryError> {
        let number = self.of(people);
        if (1..=people).contains(&number) {
            return Ok(number);
        }
        let expected = format!("for {people} people there can be 1 to {people}; each value needs somebody");
        Err(LaboratoryError::parameter("the number of quasi-identifier values", number, expected))
    }
}

impl fmt::Display for QuasiIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.divisor {
            Some(divisor) => write!(f, "N/{divisor}+{}", self.plus),
            None => write!(f, "{}", self.plus),
        }
    }
}

impl FromStr for QuasiIds {
    type Err = LaboratoryError;

    fn from_str(text: &str) -> Result<Self, LaboratoryError> {
        let refused = || {
            LaboratoryError::parameter(
                "the formula of quasi-identifier values",
                format!("`{text}`"),
                "write a number such as 12 or a formula such as N/100+5",
            )
        };
        let number = |digits: &str| digits.trim().parse::<u64>().map_err(|_| refused());
        let Some(formula) = text.trim().strip_prefix(['N', 'n']) else {
            return Ok(Self { divisor: None, plus: number(text)? });
        };
        let (divisor, plus) = formula.split_once('+').unwrap_or((formula, "0"));
        let divisor = divisor.trim().strip_prefix('/').ok_or_else(refused)?;
        let divisor = Some(number(divisor)?).filter(|&divisor| divisor > 0).ok_or_else(refused)?;
        Ok(Self { divisor: Some(divisor), plus: number(plus)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_as_they_are_written() {
        for text in ["N/100+5", "N/10+5", "7"] {
            assert_eq!(text.parse::<QuasiIds>().expect("a formula").to_string(), text);
        }
        assert_eq!("N/100 + 5".parse(), Ok(QuasiIds::PAPER));
        for text in ["", "N", "N/0+5", "N*2", "-3", "N/10+x", "1e3"] {
            assert!(text.parse::<QuasiIds>().is_err(), "{text}");
        }
    }
}
