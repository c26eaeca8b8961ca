//! Count, mean, variance and range of a column of numbers.

use serde::Serialize;
use tamis_table::Column;
use tamis_table::number_in;

/// One column's figures before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NumberChange {
    /// The column.
    pub column: String,
    /// In the original table.
    pub before: NumberFigures,
    /// In the transformed one.
    pub after: NumberFigures,
}

/// Figures of one column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NumberFigures {
    /// Rows that hold a number; the figures are about these.
    pub n: u64,
    /// Rows without a value.
    pub missing: u64,
    /// Rows with a value that is not a number, such as `*` or an interval.
    pub not_comparable: u64,
    /// None without a number.
    pub mean: Option<f64>,
    /// The sample variance, with n - 1 below; none with fewer than two numbers.
    pub variance: Option<f64>,
    /// The smallest number.
    pub min: Option<f64>,
    /// The largest number.
    pub max: Option<f64>,
}

/// The number of each row of a column, NaN where there is none.
pub(super) fn numbers(column: &Column) -> Vec<f64> {
    let missing = column.missing().map(|code| code.0 as usize);
    let texts = column.dictionary().iter().enumerate();
    let by_code: Vec<f64> =
        texts.map(|(code, text)| number_in(text).filter(|_| missing != Some(code)).unwrap_or(f64::NAN)).collect();
    let mut numbers = Vec::with_capacity(column.codes().len());
    column.codes().for_each(|_, code| numbers.push(by_code[code as usize]));
    numbers
}

impl NumberFigures {
    /// In two passes, the second correcting the rounding of the first: the variance of a million numbers around a billion is right.
    pub(super) fn of(column: &Column, numbers: &[f64]) -> Self {
        let missing = column.missing().map_or(0, |code| column.frequencies()[code.0 as usize]);
        let known = || numbers.iter().copied().filter(|number| !number.is_nan());
        let n = known().count() as u64;
        let mean = known().sum::<f64>() / n as f64;
        let (mut squares, mut rest) = (0.0, 0.0);
        for deviation in known().map(|number| number - mean) {
            squares += deviation * deviation;
            rest += deviation;
        }
        let variance = (squares - rest * rest / n as f64) / (n as f64 - 1.0);
        Self {
            n,
            missing,
            not_comparable: numbers.len() as u64 - n - missing,
            mean: Some(mean).filter(|mean| n > 0 && mean.is_finite()),
            variance: Some(variance.max(0.0)).filter(|_| n > 1 && variance.is_finite()),
            min: known().reduce(f64::min),
            max: known().reduce(f64::max),
        }
    }
}
