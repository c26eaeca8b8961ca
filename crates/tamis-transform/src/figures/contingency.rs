//! How the values of two columns go together.

use super::shared_values::SharedValues;
use super::{BeforeAfter, MOST_VALUES_IN_TABLES, total_variation};
use serde::Serialize;

/// The contingency table of two columns before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContingencyChange {
    /// The two columns.
    pub columns: [String; 2],
    /// The values of each column; none stands for missing.
    pub values: [Vec<Option<String>>; 2],
    /// Rows that hold both values: a line for each value of the first column.
    pub counts: BeforeAfter<Vec<Vec<u64>>>,
    /// Cramér's V, from 0 (independent) to 1 (one value tells the other); none where a column is constant.
    pub cramers_v: BeforeAfter<Option<f64>>,
    /// Total variation distance of the two tables; none if one has no rows.
    pub distance: Option<f64>,
}

/// The tables of every two columns that have few enough values.
pub(super) fn every_two(columns: &[SharedValues<'_>]) -> Vec<ContingencyChange> {
    let small: Vec<_> = columns
        .iter()
        .filter(|column| column.values.len() <= MOST_VALUES_IN_TABLES)
        .map(|column| (column, column.rows_before(), column.rows_after()))
        .collect();
    let mut tables = Vec::new();
    for (i, (first, first_before, first_after)) in small.iter().enumerate() {
        for (second, second_before, second_after) in &small[i + 1..] {
            let width = second.values.len();
            let cells = first.values.len() * width;
            let before = count(cells, width, first_before, second_before);
            let after = count(cells, width, first_after, second_after);
            let names =
                |column: &SharedValues<'_>| column.values.iter().map(|value| value.map(str::to_owned)).collect();
            let lines = |cells: &[u64]| cells.chunks(width.max(1)).map(<[u64]>::to_vec).collect();
            tables.push(ContingencyChange {
                columns: [first.name.to_owned(), second.name.to_owned()],
                values: [names(first), names(second)],
                cramers_v: BeforeAfter { before: cramers_v(&before, width), after: cramers_v(&after, width) },
                distance: total_variation(&before, &after),
                counts: BeforeAfter { before: lines(&before), after: lines(&after) },
            });
        }
    }
    tables
}

/// All cells line by line.
fn count(cells: usize, width: usize, first: &[u32], second: &[u32]) -> Vec<u64> {
    let mut counts = vec![0; cells];
    for (&line, &place) in first.iter().zip(second) {
        counts[line as usize * width + place as usize] += 1;
    }
    counts
}

/// The square root of chi squared over n times the smaller number of values less one; values that no row holds do not count.
fn cramers_v(cells: &[u64], width: usize) -> Option<f64> {
    let lines: Vec<u64> = cells.chunks(width.max(1)).map(|line| line.iter().sum()).collect();
    let places: Vec<u64> = (0..width).map(|place| cells.iter().skip(place).step_by(width).sum()).collect();
    let held = |sums: &[u64]| sums.iter().filter(|&&sum| sum > 0).count();
    let smaller = held(&lines).min(held(&places));
    if smaller < 2 {
        return None;
    }
    let all = lines.iter().sum::<u64>() as f64;
    let mut chi_squared_per_row = 0.0;
    for (line, &line_sum) in cells.chunks(width).zip(&lines) {
        for (&cell, &place_sum) in line.iter().zip(&places) {
            let expected = line_sum as f64 * (place_sum as f64 / all);
            if expected > 0.0 {
                chi_squared_per_row += (cell as f64 - expected) * ((cell as f64 - expected) / expected / all);
            }
        }
    }
    Some((chi_squared_per_row / (smaller as f64 - 1.0)).sqrt().min(1.0))
}
