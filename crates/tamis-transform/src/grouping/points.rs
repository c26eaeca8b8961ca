//! Rows as points in space.

use crate::{Numbers, TransformError};
use tamis_table::{Column, DataType};

/// Rows as points: numbers on a common scale, and categories, which are one apart if they differ.
#[derive(Debug, Clone, Default)]
pub struct Points {
    /// Columns of numbers, finite ones; as many as rows in each.
    pub numbers: Vec<Vec<f64>>,
    /// Columns of categories.
    pub categories: Vec<Vec<u32>>,
}

impl Points {
    /// The given columns, those of numbers standardized.
    pub fn of(kind: &'static str, columns: &[&Column]) -> Result<Self, TransformError> {
        let mut points = Self::default();
        for column in columns {
            if is_numeric(column) {
                points.numbers.push(standardized(Numbers::of(kind, column)?.values()));
            } else {
                let mut codes = Vec::with_capacity(column.codes().len());
                column.codes().for_each(|_, code| codes.push(code));
                points.categories.push(codes);
            }
        }
        Ok(points)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let numbers = self.numbers.first().map(Vec::len);
        numbers.or_else(|| self.categories.first().map(Vec::len)).unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether a column is one of numbers; all others hold categories.
pub(crate) fn is_numeric(column: &Column) -> bool {
    matches!(column.data_type(), DataType::Integer | DataType::Decimal)
}

/// Numbers less their mean, divided by their standard deviation. Missing ones lie at the mean, 0; so do all of a constant column.
///
/// ```
/// use tamis_transform::grouping::standardized;
/// assert_eq!(standardized(&[Some(-2.0), None, Some(2.0)]), [-1.0 / f64::sqrt(2.0), 0.0, 1.0 / f64::sqrt(2.0)]);
/// ```
pub fn standardized(values: &[Option<f64>]) -> Vec<f64> {
    let known = || values.iter().filter_map(|&value| value);
    let largest = known().map(f64::abs).fold(0.0, f64::max);
    // Dividing by the largest first keeps squares of the largest doubles finite.
    let n = known().count() as f64;
    let mean = known().map(|value| value / largest).sum::<f64>() / n;
    let squares: f64 = known().map(|value| (value / largest - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    // A constant column may deviate from its mean by rounding.
    let is_constant = known().all(|value| Some(value) == known().next());
    if is_constant || deviation == 0.0 {
        return vec![0.0; values.len()];
    }
    values.iter().map(|value| value.map_or(0.0, |value| (value / largest - mean) / deviation)).collect()
}
