//! Microaggregation: groups of at least k rows that lie close together get one common value in each of the columns.
//!
//! Rows are grouped by MDAV over all columns together, numbers standardized ([`mdav`]; Domingo-Ferrer and Mateo-Sanz 2002,
//! Domingo-Ferrer and Torra 2005), or each column by itself in the best possible way ([`optimal_univariate`]; Hansen and Mukherjee
//! 2003). Numbers become the mean or the median of their group, categories its most frequent value. Missing numbers get the figure of
//! their group too; a group without any number stays missing.
//!
//! After MDAV the table is k-anonymous over these columns: every row agrees with at least k - 1 others. For the same reason no point
//! is (c,t)-isolated for t <= k: each ball that holds a point holds the k - 1 others on the same spot. Columns that are grouped one by
//! one are k-anonymous one by one, but not together.
//!
//! Parameters: `columns`; `k` from 2 to the number of rows; `univariate`; `centre`, mean or median; `decimals` from 0 to 15, as many
//! as each column has if not given. The information loss that is reported is the sum of squares within groups over the sum of
//! squares in all (SSE/SST), on average over the columns of numbers: 0 if nothing changed, 1 if every number became the mean of all.
//!
//! O(n² d / k) for n rows of d columns by MDAV, O(d n (log n + k)) for columns one by one. Nothing is random.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::microaggregate::Microaggregate};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["30", "71", "34", "75", "32"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let step = Microaggregate { columns: vec!["age".into()], k: 2, ..Microaggregate::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let age = output.tables[0].table.column("age")?;
//! assert_eq!([0, 1, 2, 3, 4].map(|row| age.text(row)), ["32", "73", "32", "73", "32"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::grouping::{Groups, Points, check_k, in_words, is_numeric, mdav, optimal_univariate, sizes, standardized};
use crate::numbers::mean;
use crate::{Input, Numbers, Output, TransformError, Transformation, chosen_columns, column_of_codes, replace_columns};
use serde::{Deserialize, Serialize};
use tamis_table::{Column, Members, Table};

/// Give groups of near rows one common value in each column.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Microaggregate {
    /// The columns to aggregate, separated by commas
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMNS", value_delimiter = ',', required = true))]
    pub columns: Vec<String>,
    /// The least number of rows in a group, from 2
    #[cfg_attr(feature = "flags", arg(long, value_name = "K"))]
    pub k: usize,
    /// Group each column by itself, with the least possible loss; the columns are not k-anonymous together
    #[cfg_attr(feature = "flags", arg(long))]
    #[serde(default)]
    pub univariate: bool,
    /// What the numbers of a group become
    #[cfg_attr(feature = "flags", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    pub centre: Centre,
    /// Digits after the decimal point, 0 to 15; as many as each column has if not given
    #[cfg_attr(feature = "flags", arg(long, value_name = "N"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<usize>,
}

/// What the numbers of a group become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Centre {
    /// Their mean, which keeps the mean of the column
    #[default]
    Mean,
    /// Their median, which outliers do not pull
    Median,
}

const KIND: &str = "microaggregate";
const MOST_DECIMALS: usize = 15;

impl Transformation for Microaggregate {
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let columns = self.check(input.table)?;
        let columns = columns.as_slice();
        let together = if self.univariate { None } else { Some(mdav(&Points::of(KIND, columns)?, self.k)) };
        let mut replacements = Vec::with_capacity(columns.len());
        let mut told = Told::default();
        for &column in columns {
            let alone = if together.is_none() { Some(self.grouped_alone(column)?) } else { None };
            let Some(groups) = together.as_ref().or(alone.as_ref()) else { continue };
            told.count_groups(groups);
            replacements.push(if is_numeric(column) {
                self.aggregated_numbers(column, groups, &mut told)?
            } else {
                told.categories.push(column.name());
                most_frequent(column, &groups.members())?
            });
        }
        let mut output = Output::of(replace_columns(input.table, replacements)?);
        output.notes = told.notes(self);
        Ok(output)
    }
}

impl Microaggregate {
    fn check<'a>(&self, table: &'a Table) -> Result<Vec<&'a Column>, TransformError> {
        let bad = |parameter, found, expected: &str| Err(TransformError::parameter(KIND, parameter, found, expected));
        if self.columns.is_empty() {
            return bad("columns", "empty".to_owned(), "the names of the columns to aggregate");
        }
        if let Some(decimals) = self.decimals.filter(|&decimals| decimals > MOST_DECIMALS) {
            return bad("decimals", decimals.to_string(), "a whole number from 0 to 15");
        }
        check_k(KIND, self.k, table.rows())?;
        chosen_columns(KIND, table, &self.columns)
    }

    /// Groups by one column; only numbers have an order in which groups can be the best ones.
    fn grouped_alone(&self, column: &Column) -> Result<Groups, TransformError> {
        if is_numeric(column) {
            return Ok(optimal_univariate(&standardized(Numbers::of(KIND, column)?.values()), self.k));
        }
        Ok(mdav(&Points::of(KIND, &[column])?, self.k))
    }

    fn aggregated_numbers(
        &self,
        column: &Column,
        groups: &Groups,
        told: &mut Told<'_>,
    ) -> Result<Column, TransformError> {
        let numbers = Numbers::of(KIND, column)?;
        let values = numbers.values();
        let members = groups.members();
        let centres: Vec<Option<f64>> = (0..members.len())
            .map(|group| {
                let known: Vec<f64> = members.group(group).iter().filter_map(|&row| values[row as usize]).collect();
                self.centre.of(known)
            })
            .collect();
        let aggregated: Vec<Option<f64>> = groups.of_row.iter().map(|&group| centres[group as usize]).collect();
        told.filled += values.iter().zip(&aggregated).filter(|(old, new)| old.is_none() && new.is_some()).count();
        let written = numbers.written_with(&aggregated, self.decimals.unwrap_or(numbers.decimals()))?;
        // Rounding loses something too, and who reads the table has only what is written.
        told.losses.extend(information_loss(values, Numbers::of(KIND, &written)?.values()));
        Ok(written)
    }
}

impl Centre {
    fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
        }
    }

    fn of(self, mut numbers: Vec<f64>) -> Option<f64> {
        let n = numbers.len();
        if n == 0 {
            return None;
        }
        match self {
            Self::Mean => Some(mean(&numbers)),
            Self::Median => {
                numbers.sort_unstable_by(f64::total_cmp);
                Some(numbers[(n - 1) / 2] / 2.0 + numbers[n / 2] / 2.0)
            }
        }
    }
}

/// SSE/SST of a column; none if it is constant.
fn information_loss(before: &[Option<f64>], after: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = before.iter().filter_map(|&value| value).collect();
    let mean = mean(&known);
    let total: f64 = known.iter().map(|value| (value - mean).powi(2)).sum();
    let pairs = before.iter().zip(after).filter_map(|(&before, &after)| before.zip(after));
    let within: f64 = pairs.map(|(before, after)| (before - after).powi(2)).sum();
    Some(within / total).filter(|loss| loss.is_finite())
}

/// Every row gets the value that most rows of its group hold, the one met first in the table of several.
fn most_frequent(column: &Column, members: &Members) -> Result<Column, TransformError> {
    let mut counts = vec![0u32; column.dictionary().len()];
    let mut code_of_row = vec![0; column.codes().len()];
    for group in 0..members.len() {
        let codes = || members.group(group).iter().map(|&row| column.codes().get(row as usize));
        for code in codes() {
            counts[code as usize] += 1;
        }
        let most = codes().max_by_key(|&code| (counts[code as usize], std::cmp::Reverse(code))).unwrap_or(0);
        for code in codes() {
            counts[code as usize] = 0;
        }
        for &row in members.group(group) {
            code_of_row[row as usize] = most;
        }
    }
    Ok(column_of_codes(column, code_of_row)?)
}

/// What the user should know in the end.
#[derive(Default)]
struct Told<'a> {
    /// The number of groups and the least and largest size, over all groupings.
    groups: Option<(usize, usize, usize)>,
    losses: Vec<f64>,
    filled: usize,
    categories: Vec<&'a str>,
}

impl Told<'_> {
    fn count_groups(&mut self, groups: &Groups) {
        let members = groups.members();
        let (least, most) = sizes(&members);
        let (count, low, high) = self.groups.unwrap_or((groups.count, least, most));
        self.groups = Some((count.min(groups.count), low.min(least), high.max(most)));
    }

    fn notes(self, step: &Microaggregate) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some((count, least, most)) = self.groups {
            let at_least = if step.univariate && step.columns.len() > 1 { "at least " } else { "" };
            notes.push(format!("{at_least}{}", in_words(count, (least, most))));
        }
        if !self.losses.is_empty() {
            let loss = self.losses.iter().sum::<f64>() / self.losses.len() as f64;
            notes.push(format!("information loss SSE/SST: {loss:.6}"));
        }
        if step.univariate && step.columns.len() > 1 {
            let names = step.columns.join(", ");
            notes.push(format!("{names} are {}-anonymous one by one, but not together", step.k));
        }
        if !self.categories.is_empty() {
            notes.push(format!("not numbers, so the most frequent value was taken: {}", self.categories.join(", ")));
        }
        if self.filled > 0 {
            notes.push(format!(
                "missing numbers that became the {} of their group: {}",
                step.centre.name(),
                self.filled
            ));
        }
        notes
    }
}
