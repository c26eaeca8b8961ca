//! What each column contributes to people being unique.
//!
//! Two answers. *Left out*: how many fewer rows are unique, and how much smaller the prosecutor's average risk is, if the column were
//! not there. Columns that say the same thing twice both seem harmless by this measure, for either stands in for the other. The
//! *Shapley value* is fair to them: the average, over all orders in which the columns could be added, of the share of rows that become
//! unique when it is the column's turn; the values sum to the share of rows that are unique in the end (Shapley 1953).

use crate::{ColumnSet, MinimalUniques, Records};

/// Up to so many columns the Shapley value is computed, from the uniques of all their sets.
pub const MOST_COLUMNS: usize = 10;

/// The table without one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Rows that are still unique.
    pub unique_rows: u64,
    /// The prosecutor's average risk that remains.
    pub average_risk: f64,
}

/// For every column the table without it. One grouping of the tuples a column.
pub fn left_out(records: &Records) -> Vec<LeftOut> {
    let all: Vec<u32> = (0..records.tuples() as u32).collect();
    (0..records.width())
        .map(|column| {
            let others: Vec<usize> = (0..records.width()).filter(|&other| other != column).collect();
            let (people, groups) = records.people_in_groups(&others);
            LeftOut {
                unique_rows: records
                    .alone_among(&others, &all)
                    .into_iter()
                    .map(|tuple| records.rows(tuple as usize))
                    .sum(),
                average_risk: if people == 0 { 0.0 } else { groups as f64 / people as f64 },
            }
        })
        .collect()
}

/// The Shapley value of every column, from a walk over all sets of columns; none if the walk stopped at smaller sets.
///
/// With d columns it sums over 2^(d-1) sets a column.
pub fn shapley(records: &Records, uniques: &MinimalUniques) -> Option<Vec<f64>> {
    let width = records.width();
    if uniques.size < width || width > MOST_COLUMNS {
        return None;
    }
    let rows = records.total_rows().max(1) as f64;
    // Without any column everybody looks the same, and is alone only if there is nobody else.
    let of_nothing = if records.tuples() == 1 { records.unique_rows() } else { 0 };
    let unique = |set: u64| match set {
        0 => of_nothing,
        _ => uniques.unique_rows.get(&ColumnSet(set)).copied().unwrap_or(0),
    };
    // |S|! (d - |S| - 1)! / d! = 1 / (d C(d-1, |S|))
    let weight = |size: usize| {
        let choose: f64 = (0..size).map(|i| (width - 1 - i) as f64 / (i + 1) as f64).product();
        1.0 / (width as f64 * choose)
    };
    let value = |column: usize| -> f64 {
        (0..1u64 << width)
            .filter(|set| !ColumnSet(*set).has(column))
            .map(|set| {
                let gained = unique(set | 1 << column) as f64 - unique(set) as f64;
                weight(ColumnSet(set).size()) * gained / rows
            })
            .sum()
    };
    Some((0..width).map(value).collect())
}
