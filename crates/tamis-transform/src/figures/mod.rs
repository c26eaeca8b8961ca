//! What a transformation did to the figures a researcher cares about: means and variances, correlations, value counts and
//! contingency tables, before and after.
//!
//! A column of numbers is one that holds nothing else before. Where it holds something else afterwards, such as `*` or `20-39`, those
//! rows are counted as not comparable and left out of its figures. All other columns hold categories, and so does a column of at most
//! ten different numbers, which may be codes. A missing value is a category of its own. Shares are compared, not counts, so that the
//! tables may differ in rows; two distributions are as far apart as the total variation distance says, half the sum of the
//! differences of shares: 0 if they are equal, 1 if they have no value in common.
//!
//! The work is linear in rows times pairs of columns. The figures tell about the original table: they are for its steward.
//!
//! ```
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::figures::compare;
//!
//! let table = |ages: [&str; 4]| {
//!     let mut age = ColumnBuilder::new("age");
//!     for text in ages {
//!         age.push(text)?;
//!     }
//!     Table::new(vec![age.finish()])
//! };
//! let changes = compare(&table(["20", "30", "40", "50"])?, &table(["25", "25", "*", "45"])?);
//! let age = &changes.numbers[0];
//! assert_eq!((age.before.mean, age.after.mean), (Some(35.0), Some(95.0 / 3.0)));
//! assert_eq!(age.after.not_comparable, 1);
//! println!("{}", changes.to_text());
//! # Ok::<(), tamis_table::TableError>(())
//! ```

mod categories;
mod contingency;
mod correlations;
mod moments;
mod shared_values;
mod text;

pub use categories::{CategoryChange, ValueChange};
pub use contingency::ContingencyChange;
pub use correlations::{CorrelationChange, Correlations};
pub use moments::{NumberChange, NumberFigures};

use serde::Serialize;
use shared_values::SharedValues;
use tamis_table::{Column, DataType, Table};

/// Tables of columns with more values have too many cells to be read, and too few rows in each to mean something.
const MOST_VALUES_IN_TABLES: usize = 30;
/// A column of this many different numbers may well hold codes.
const MOST_NUMBERS_AS_CODES: usize = 10;

/// What changed between two tables; columns in the order of the first one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureChanges {
    /// Rows before and after.
    pub rows: BeforeAfter<u64>,
    /// Columns that are gone.
    pub only_before: Vec<String>,
    /// Columns that are new.
    pub only_after: Vec<String>,
    /// Count, mean, variance and range of every column of numbers.
    pub numbers: Vec<NumberChange>,
    /// Between all columns of numbers.
    pub correlations: Correlations,
    /// How often each value occurs in every column of categories.
    pub categories: Vec<CategoryChange>,
    /// Every two columns of at most thirty categories.
    pub contingency: Vec<ContingencyChange>,
}

/// The same figure of both tables.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BeforeAfter<T> {
    /// In the original table.
    pub before: T,
    /// In the transformed one.
    pub after: T,
}

/// Compares the columns that both tables have.
pub fn compare(before: &Table, after: &Table) -> FigureChanges {
    let shared: Vec<(&Column, &Column)> = before
        .columns()
        .iter()
        .filter_map(|column| after.column(column.name()).ok().map(|other| (column, other)))
        .collect();
    let numeric: Vec<(&Column, &Column)> = shared.iter().copied().filter(|(column, _)| is_numeric(column)).collect();
    let read: Vec<_> = numeric.iter().map(|(left, right)| (moments::numbers(left), moments::numbers(right))).collect();
    let values: Vec<SharedValues<'_>> = shared
        .iter()
        .filter(|(column, _)| !is_numeric(column) || column.dictionary().len() <= MOST_NUMBERS_AS_CODES)
        .map(|(left, right)| SharedValues::of(left, right))
        .collect();
    FigureChanges {
        rows: BeforeAfter { before: before.rows() as u64, after: after.rows() as u64 },
        only_before: names_missing_in(before, after),
        only_after: names_missing_in(after, before),
        numbers: numeric
            .iter()
            .zip(&read)
            .map(|((left, right), (before, after))| NumberChange {
                column: left.name().to_owned(),
                before: NumberFigures::of(left, before),
                after: NumberFigures::of(right, after),
            })
            .collect(),
        correlations: Correlations::of(numeric.iter().map(|(column, _)| column.name().to_owned()).collect(), &read),
        categories: values.iter().map(CategoryChange::of).collect(),
        contingency: contingency::every_two(&values),
    }
}

fn is_numeric(column: &Column) -> bool {
    matches!(column.data_type(), DataType::Integer | DataType::Decimal)
}

fn names_missing_in(table: &Table, other: &Table) -> Vec<String> {
    let missing = table.columns().iter().filter(|column| other.column(column.name()).is_err());
    missing.map(|column| column.name().to_owned()).collect()
}

/// Half the sum of the differences of shares; none if a side has no rows.
fn total_variation(before: &[u64], after: &[u64]) -> Option<f64> {
    let (all_before, all_after) = (before.iter().sum::<u64>(), after.iter().sum::<u64>());
    if all_before == 0 || all_after == 0 {
        return None;
    }
    let share = |count: u64, all: u64| count as f64 / all as f64;
    let apart = before.iter().zip(after).map(|(&b, &a)| (share(b, all_before) - share(a, all_after)).abs());
    Some((apart.sum::<f64>() / 2.0).min(1.0))
}
