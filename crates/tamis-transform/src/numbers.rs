//! A column seen as numbers, and numbers written back as a column.
//!
//! ```
//! use tamis_table::ColumnBuilder;
//! use tamis_transform::Numbers;
//!
//! let mut weight = ColumnBuilder::new("weight");
//! for text in ["61.5", "70.25", "", "80"] {
//!     weight.push(text)?;
//! }
//! let weight = weight.finish();
//! let numbers = Numbers::of("noise", &weight)?;
//! assert_eq!(numbers.values(), [Some(61.5), Some(70.25), None, Some(80.0)]);
//! assert_eq!(numbers.decimals(), 2);
//! let doubled: Vec<Option<f64>> = numbers.values().iter().map(|value| value.map(|value| 2.0 * value)).collect();
//! let column = numbers.written(&doubled)?;
//! assert_eq!((column.name(), column.text(0), column.text(2), column.text(3)), ("weight", "123.00", "", "160.00"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::TransformError;
use std::fmt::Write;
use tamis_table::{Column, ColumnBuilder, number_in};

/// The smallest double above zero is written with 324 decimals; more are zeros.
const MOST_DECIMALS: usize = 324;

const HINT: &str = "; leave this column out, or recode or remove such values first";

/// The numbers of a column, row by row; missing values are `None`.
#[derive(Debug, Clone)]
pub struct Numbers<'a> {
    kind: &'static str,
    column: &'a Column,
    values: Vec<Option<f64>>,
    decimals: usize,
}

impl<'a> Numbers<'a> {
    /// Reads a column for the transformation called `kind`. Missing values are fine, any other text is an error that names its row.
    pub fn of(kind: &'static str, column: &'a Column) -> Result<Self, TransformError> {
        let missing = column.missing().map(|code| code.0 as usize);
        let mut decimals = 0;
        let mut by_code = Vec::with_capacity(column.dictionary().len());
        let mut strange = None;
        for (code, text) in column.dictionary().iter().enumerate() {
            let number = if missing == Some(code) { None } else { number_in(text) };
            if number.is_some() {
                decimals = decimals.max(decimals_in(text));
            } else if missing != Some(code) {
                strange.get_or_insert(code as u32);
            }
            by_code.push(number);
        }
        if let Some(strange) = strange {
            // Dictionaries keep the order of first appearance, so this is the first such row.
            let row = (0..column.codes().len()).find(|&row| column.codes().get(row) == strange).unwrap_or(0) + 1;
            let found = column.dictionary().text(strange).to_owned();
            return Err(TransformError::NotANumber { kind, column: column.name().to_owned(), row, found, hint: HINT });
        }
        let mut values = Vec::with_capacity(column.codes().len());
        column.codes().for_each(|_, code| values.push(by_code[code as usize]));
        Ok(Self { kind, column, values, decimals })
    }

    /// The number of each row.
    pub fn values(&self) -> &[Option<f64>] {
        &self.values
    }

    /// The numbers there are, without the rows where none is.
    pub fn known(&self) -> impl Iterator<Item = f64> {
        self.values.iter().filter_map(|&value| value)
    }

    /// The largest number of digits after the decimal point.
    pub fn decimals(&self) -> usize {
        self.decimals
    }

    /// A column of the same name with other numbers, each with as many decimals as this column has at most. A number that is not finite
    /// is refused: sums and squares of the largest doubles are none.
    pub fn written(&self, values: &[Option<f64>]) -> Result<Column, TransformError> {
        self.written_with(values, self.decimals)
    }

    /// A column of the same name with other numbers, each with this many decimals. A number that is not finite is refused.
    pub fn written_with(&self, values: &[Option<f64>], decimals: usize) -> Result<Column, TransformError> {
        self.ensure_finite(values.iter().flatten().copied())?;
        let mut builder = builder_like(self.column);
        let missing = missing_text(self.column).to_owned();
        let mut text = String::new();
        for &value in values {
            text.clear();
            match value {
                Some(value) => write_number(&mut text, value, decimals),
                None => text.push_str(&missing),
            }
            builder.push(&text)?;
        }
        Ok(builder.finish())
    }
}

impl Numbers<'_> {
    /// Refuses numbers that cannot be written back.
    pub(crate) fn ensure_finite(&self, values: impl IntoIterator<Item = f64>) -> Result<(), TransformError> {
        if values.into_iter().all(f64::is_finite) {
            return Ok(());
        }
        let reason = format!(
            "the numbers of `{}` are too large to calculate with; leave this column out, or recode or divide its numbers first",
            self.column.name()
        );
        Err(TransformError::Impossible { kind: self.kind, reason })
    }
}

/// How many digits after the decimal point a number is written with; an exponent moves the point.
fn decimals_in(number: &str) -> usize {
    let number = number.trim();
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let decimals = i64::try_from(fraction).unwrap_or(i64::MAX).saturating_sub(exponent);
    usize::try_from(decimals).unwrap_or(0).min(MOST_DECIMALS)
}

/// Appends a number rounded to this many decimals; zero has no sign.
pub(crate) fn write_number(text: &mut String, value: f64, decimals: usize) {
    let start = text.len();
    // Writing to a string cannot fail.
    let _ = write!(text, "{value:.decimals$}");
    if text[start..].starts_with('-') && text[start..].bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
        text.remove(start);
    }
}

/// The mean of some numbers; 0 of none.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    // The sum of the largest doubles is not finite, the sum of their parts is.
    if mean.is_finite() { mean } else { numbers.iter().map(|number| number / n).sum() }
}

/// An empty column with the name of another and the same text for missing values.
pub fn builder_like(column: &Column) -> ColumnBuilder {
    ColumnBuilder::new(column.name()).missing(&[missing_text(column).to_owned()])
}

/// The text that stands for a missing value in a column; the empty one if it has none yet.
pub(crate) fn missing_text(column: &Column) -> &str {
    column.missing().map_or("", |code| column.dictionary().text(code.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_table::TableError;

    fn column(texts: &[&str]) -> Result<Column, TableError> {
        let mut builder = ColumnBuilder::new("x");
        for text in texts {
            builder.push(text)?;
        }
        Ok(builder.finish())
    }

    #[test]
    fn decimals_are_counted_where_an_exponent_puts_the_point() {
        let found = ["7", "7.", "-1.50", "1.5e1", "1.5e3", "2E-3", " 0.125 ", "1e-9999999999"].map(decimals_in);
        assert_eq!(found, [0, 0, 2, 0, 0, 3, 3, 324]);
    }

    #[test]
    fn numbers_that_round_to_zero_have_no_sign() {
        let written = [-0.004, -0.006, -10.0].map(|value| {
            let mut text = String::new();
            write_number(&mut text, value, 2);
            text
        });
        assert_eq!(written, ["0.00", "-0.01", "-10.00"]);
    }

    #[test]
    fn a_text_that_is_no_number_is_named_with_its_row() -> Result<(), TableError> {
        let column = column(&["1", "", "20-39", "*"])?;
        let error = Numbers::of("noise", &column).map(|_| ()).map_err(|error| error.to_string());
        let expected = "`noise` works on numbers; row 3 of `x` is `20-39`; \
                        leave this column out, or recode or remove such values first";
        assert_eq!(error, Err(expected.to_owned()));
        Ok(())
    }

    #[test]
    fn what_is_not_finite_is_not_written() -> Result<(), Box<dyn std::error::Error>> {
        let column = column(&["1", "2"])?;
        let numbers = Numbers::of("noise", &column)?;
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let refused = numbers.written(&[Some(1.0), Some(strange)]);
            assert!(refused.is_err_and(|error| error.is_refusal() && error.to_string().contains("`x` are too large")));
        }
        Ok(())
    }

    #[test]
    fn a_column_written_back_unchanged_keeps_numbers_and_missing_values() -> Result<(), Box<dyn std::error::Error>> {
        let mut builder = ColumnBuilder::new("x").missing(&["NA".to_owned()]);
        for text in ["1.5", "NA", "-0.25"] {
            builder.push(text)?;
        }
        let column = builder.finish();
        let numbers = Numbers::of("noise", &column)?;
        let back = numbers.written(numbers.values())?;
        assert_eq!([0, 1, 2].map(|row| back.text(row)), ["1.50", "NA", "-0.25"]);
        assert_eq!(back.missing().map(|code| code.0), Some(1));
        Ok(())
    }
}
