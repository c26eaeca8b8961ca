//! Condensation: of each group of at least k rows that lie close together only statistics are kept, and new rows are drawn from them.
//!
//! Rows are grouped by [`mdav`]. Of the numbers of a group its means and covariances are kept (first and second order statistics).
//! As many rows as the group has are drawn anew: independently along each eigenvector of the covariance matrix, with the variance
//! that the eigenvalue says, uniformly or normally (Aggarwal and Yu 2004). So the mean and the covariances of every group, and of the
//! whole table, are kept in expectation. The values of a column of categories are permuted inside the group, independently of other
//! columns, which keeps their counts. Missing numbers lie at the mean of their group for its statistics; as many rows of the group
//! are missing afterwards as before.
//!
//! No row stands for a person, but a table of few rows is not safe by that: two rows in a group span a line on which both lie.
//!
//! Parameters: `columns`, all if not given; `k` from 2 to the number of rows; `draw`, uniform or normal; `clamp`, which moves numbers
//! that leave the range of their column to its end.
//!
//! O(n² d / k) for grouping n rows of d columns, O(n d² + d³ n / k) for statistics and drawing.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::condense::Condense};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["30", "71", "34", "75", "32", "73"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let step = Condense { k: 3, ..Condense::default() };
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let first: f64 = output.tables[0].table.column("age")?.text(0).parse()?;
//! assert!((28.0..=36.0).contains(&first));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod eigen;
mod group_statistics;

use crate::grouping::{Points, check_k, in_words, is_numeric, mdav, sizes};
use crate::{Input, Numbers, Output, TransformError, Transformation, chosen_columns, column_of_codes, replace_columns};
use group_statistics::GroupStatistics;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use tamis_table::{Column, Members, Table};

/// Draw new rows from the statistics of groups of near rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct Condense {
    /// The columns to draw anew, separated by commas; all if not given
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMNS", value_delimiter = ','))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The least number of rows in a group, from 2
    #[cfg_attr(feature = "flags", arg(long, value_name = "K"))]
    pub k: usize,
    /// How numbers are drawn around the mean of their group
    #[cfg_attr(feature = "flags", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    pub draw: Draw,
    /// Move numbers that leave the range of their column to its end
    #[cfg_attr(feature = "flags", arg(long))]
    #[serde(default)]
    pub clamp: bool,
}

/// How numbers are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// All equally likely up to a bound, as the authors do
    #[default]
    Uniform,
    /// By the bell curve
    Normal,
}

const KIND: &str = "condense";

impl Transformation for Condense {
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let columns = chosen_columns(KIND, input.table, &self.columns)?;
        check_k(KIND, self.k, input.table.rows())?;
        let points = Points::of(KIND, &columns)?;
        let groups = mdav(&points, self.k);
        let members = groups.members();
        let (numeric, categories): (Vec<&Column>, Vec<&Column>) =
            columns.iter().copied().partition(|column| is_numeric(column));
        let numbers = numeric.iter().map(|column| Numbers::of(KIND, column)).collect::<Result<Vec<_>, _>>()?;
        let mut drawn = self.draw_numbers(&numbers, &members, input.dice);
        for (numbers, drawn) in numbers.iter().zip(&drawn) {
            // Before clamping, which would make an infinite number look like a finite one.
            numbers.ensure_finite(drawn.iter().flatten().copied())?;
        }
        let outside = keep_in_range(&numbers, &mut drawn, self.clamp);
        let mut replacements = Vec::with_capacity(columns.len());
        for (numbers, drawn) in numbers.iter().zip(&drawn) {
            replacements.push(numbers.written(drawn)?);
        }
        for column in categories {
            replacements.push(permuted(column, &members, input.dice)?);
        }
        let mut output = Output::of(replace_columns(input.table, replacements)?);
        output.notes = self.notes(input.table, &columns, &members, outside);
        Ok(output)
    }
}

impl Condense {
    /// The new numbers of each column, row by row.
    fn draw_numbers(
        &self,
        numbers: &[Numbers<'_>],
        members: &Members,
        dice: &mut ChaCha20Rng,
    ) -> Vec<Vec<Option<f64>>> {
        let scales: Vec<(f64, f64)> = numbers.iter().map(start_and_width).collect();
        let mut drawn: Vec<Vec<Option<f64>>> = numbers.iter().map(|column| vec![None; column.values().len()]).collect();
        for group in 0..members.len() {
            let rows = members.group(group);
            let points: Vec<Vec<f64>> =
                numbers.iter().zip(&scales).map(|(column, &scale)| filled(column.values(), rows, scale)).collect();
            let statistics = GroupStatistics::of(&points);
            for &row in rows {
                let point = statistics.draw(self.draw, dice);
                for ((column, &(start, width)), coordinate) in drawn.iter_mut().zip(&scales).zip(point) {
                    column[row as usize] = Some(start + coordinate * width);
                }
            }
            for (column, drawn) in numbers.iter().zip(&mut drawn) {
                let mut is_known: Vec<bool> = rows.iter().map(|&row| column.values()[row as usize].is_some()).collect();
                if is_known.contains(&false) {
                    is_known.shuffle(dice);
                    for (&row, _) in rows.iter().zip(is_known).filter(|&(_, is_known)| !is_known) {
                        drawn[row as usize] = None;
                    }
                }
            }
        }
        drawn
    }

    fn notes(&self, table: &Table, columns: &[&Column], members: &Members, outside: usize) -> Vec<String> {
        let mut notes = vec![in_words(members.len(), sizes(members))];
        if outside > 0 {
            let what = if self.clamp {
                "numbers moved to the end of their range"
            } else {
                "numbers outside the range of before"
            };
            notes.push(format!("{what}: {outside}"));
        }
        let is_drawn = |column: &Column| columns.iter().any(|drawn| drawn.name() == column.name());
        let others: Vec<&str> = table.columns().iter().filter(|column| !is_drawn(column)).map(Column::name).collect();
        if !others.is_empty() {
            notes.push(format!("still as they were, each in its row: {}", others.join(", ")));
        }
        notes
    }
}

/// Where numbers start and what they are divided by, so that no column rules the covariances because of its unit.
fn start_and_width(numbers: &Numbers<'_>) -> (f64, f64) {
    let (low, high) = range(numbers);
    if low < high { (low, high - low) } else { (0.0, 1.0) }
}

fn range(numbers: &Numbers<'_>) -> (f64, f64) {
    numbers.known().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)))
}

/// The numbers of some rows on a scale; the mean of the others where one is missing.
fn filled(values: &[Option<f64>], rows: &[u32], (start, width): (f64, f64)) -> Vec<f64> {
    let scaled = |value: f64| (value - start) / width;
    let known: Vec<f64> = rows.iter().filter_map(|&row| values[row as usize]).map(scaled).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    rows.iter().map(|&row| values[row as usize].map_or(mean, scaled)).collect()
}

/// Counts the numbers that, as they will be written, left the range of their column, and moves them to its end if told to.
fn keep_in_range(numbers: &[Numbers<'_>], drawn: &mut [Vec<Option<f64>>], clamp: bool) -> usize {
    let mut outside = 0;
    for (numbers, drawn) in numbers.iter().zip(drawn) {
        let (low, high) = range(numbers);
        for value in drawn.iter_mut().flatten() {
            let written = as_written(*value, numbers.decimals());
            if written < low || written > high {
                outside += 1;
                if clamp {
                    *value = if written < low { low } else { high };
                }
            }
        }
    }
    outside
}

/// A number with so many decimals.
fn as_written(number: f64, decimals: usize) -> f64 {
    format!("{number:.decimals$}").parse().unwrap_or(number)
}

/// The values of each group in random order.
fn permuted(column: &Column, members: &Members, dice: &mut ChaCha20Rng) -> Result<Column, TransformError> {
    let mut code_of_row = vec![0; column.codes().len()];
    for group in 0..members.len() {
        let rows = members.group(group);
        let mut codes: Vec<u32> = rows.iter().map(|&row| column.codes().get(row as usize)).collect();
        codes.shuffle(dice);
        for (&row, code) in rows.iter().zip(codes) {
            code_of_row[row as usize] = code;
        }
    }
    Ok(column_of_codes(column, code_of_row)?)
}
