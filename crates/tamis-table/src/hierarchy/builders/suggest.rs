//! A first guess at the builder that suits a column.

use super::interval::fitting_width;
use super::{Builder, Dates, Decimal, Interval, Mask, Minimums, Patterns, Rare};
use crate::DataType;

/// A column of fewer different texts than these is taken for categories.
const CATEGORIES: usize = 30;
/// Comparing more texts than these would make the user wait.
const COMPARABLE: usize = 1_000;

impl Builder {
    /// A builder that suits values of this type, with the number of rows that hold each.
    ///
    /// Numbers get intervals, dates the calendar, codes of one length a mask, longer texts patterns, and everything else is grouped
    /// by how rare it is. Whatever is suggested builds on these values.
    ///
    /// ```
    /// use tamis_table::DataType;
    /// use tamis_table::hierarchy::builders::Builder;
    /// let ages: Vec<(String, u64)> = (17..91).map(|age| (age.to_string(), 10)).collect();
    /// let ages: Vec<(&str, u64)> = ages.iter().map(|(age, count)| (age.as_str(), *count)).collect();
    /// let Builder::Interval(interval) = Builder::suggest(DataType::Integer, &ages) else { panic!() };
    /// assert_eq!(interval.width, Some(5.into()));
    /// ```
    pub fn suggest(data_type: DataType, values: &[(&str, u64)]) -> Self {
        let present: Vec<(&str, u64)> = values.iter().copied().filter(|(value, _)| !value.is_empty()).collect();
        let guess = match data_type {
            DataType::Integer | DataType::Decimal => Interval::fitting(&present).map(Self::Interval),
            DataType::Date(format) => Some(Self::Date(Dates { format: Some(format.to_owned()), ..Dates::default() })),
            DataType::Text => of_text(&present),
        };
        guess
            .filter(|builder| values.is_empty() || builder.build_with_counts(values).is_ok())
            .unwrap_or_else(|| Self::Rare(Rare::fitting(&present)))
    }
}

fn of_text(values: &[(&str, u64)]) -> Option<Builder> {
    let first = values.first()?.0.chars().count();
    let is_code = |value: &str| {
        value.len() == first
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && value.bytes().any(|byte| byte.is_ascii_digit())
    };
    if (3..=16).contains(&first) && values.iter().all(|&(value, _)| is_code(value)) {
        return Some(Builder::Mask(Mask::default()));
    }
    let letters: usize = values.iter().map(|(value, _)| value.chars().count()).sum();
    let long = letters >= 10 * values.len();
    (long && (CATEGORIES..=COMPARABLE).contains(&values.len())).then(|| Builder::Patterns(Patterns::default()))
}

impl Interval {
    /// Intervals that suit these numbers: about twenty, then ten, then five over the bulk of the rows, with open ends where
    /// outliers lie further away than the bulk is wide. `None` if a value is no number
    /// or there are too few different ones.
    fn fitting(values: &[(&str, u64)]) -> Option<Self> {
        let mut numbers = values
            .iter()
            .map(|&(value, count)| Some((Decimal::parse(value).ok()?, count)))
            .collect::<Option<Vec<_>>>()?;
        if numbers.len() < 3 {
            return None;
        }
        let scale = numbers.iter().map(|(number, _)| number.scale()).max()?;
        let mut units = numbers
            .drain(..)
            .map(|(number, count)| Some((number.units_at(scale)?, count)))
            .collect::<Option<Vec<_>>>()?;
        units.sort_unstable();
        let rows: u128 = units.iter().map(|&(_, count)| u128::from(count)).sum();
        let quantile = |percent: u128| {
            let mut below = 0;
            units.iter().find_map(|&(number, count)| {
                below += u128::from(count);
                (below * 100 >= rows * percent).then_some(number)
            })
        };
        let (low, high) = (quantile(1)?, quantile(99)?);
        let least_width = if scale == 0 { 2 } else { 1 };
        let width = fitting_width([low, high].into_iter()).max(least_width);
        let spread = high.checked_sub(low)?;
        let widest = width.checked_mul(4)?;
        let (least, greatest) = (units.first()?.0, units.last()?.0);
        let far_below = low.checked_sub(least)? > spread.max(widest);
        let far_above = greatest.checked_sub(high)? > spread.max(widest);
        let written = |units: i128| Decimal::from_units(units, scale);
        Some(Self {
            width: Some(written(width)),
            factors: vec![2, 2],
            min: far_below.then_some(written(low.div_euclid(widest).checked_mul(widest)?)),
            max: far_above.then_some(written((high.div_euclid(widest) + 1).checked_mul(widest)?)),
            ..Self::default()
        })
    }
}

impl Rare {
    /// Minimums that suit these values: one in fifty rows, then one in ten.
    fn fitting(values: &[(&str, u64)]) -> Self {
        let rows = values.iter().fold(0u64, |sum, &(_, count)| sum.saturating_add(count));
        let least = (rows / 50).max(2);
        Self { minimum: Minimums::Growing(vec![least, (rows / 10).max(least + 1)]), ..Self::default() }
    }
}
