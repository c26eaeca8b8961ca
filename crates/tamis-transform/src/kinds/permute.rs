//! Permutation: sensitive values exchanged at random inside groups of rows.
//!
//! Quasi-identifiers and sensitive values all stay as they are, and so does every total of a group; who in a group has which value
//! is no longer told (Zhang, Koudas, Srivastava and Yu 2007; Liber 2014, section 3.4). Groups are given, or formed for a numeric
//! attribute as (k,e)-anonymity wants them: at least `k` different values in each, spanning at least `e`.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::permute::Permute};
//!
//! let mut job = ColumnBuilder::new("job");
//! for text in ["cook", "cook", "poet"] {
//!     job.push(text)?;
//! }
//! let mut disease = ColumnBuilder::new("disease");
//! for text in ["flu", "AIDS", "cancer"] {
//!     disease.push(text)?;
//! }
//! let table = Table::new(vec![job.finish(), disease.finish()])?;
//! let step = Permute { columns: vec!["disease".into()], group_by: vec!["job".into()], ..Permute::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let disease = output.tables[0].table.column("disease")?;
//! assert!(["flu", "AIDS"].contains(&disease.text(0)));
//! assert_eq!(disease.text(2), "cancer");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::named_columns;
use crate::groups::{GroupParameters, Groups};
use crate::{Input, Numbers, Output, Stage, TransformError, Transformation, replace_columns};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use tamis_table::{Members, Table, brief_number};

/// Exchange values at random inside groups of rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Permute {
    /// The columns whose values are permuted; the one of `by` if left out
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Permute the columns together, so that the values of a row stay together; each by itself otherwise
    #[cfg_attr(feature = "flags", arg(long))]
    pub together: bool,
    /// A table with the same rows in the same order whose columns tell the groups, such as a generalized one
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups_from: Option<String>,
    /// The columns whose equal rows form a group
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// Form groups of neighbours in this column of numbers, with `k` and `e`
    #[cfg_attr(
        feature = "flags",
        arg(long, value_name = "COLUMN", requires = "k", conflicts_with_all = ["group_by", "groups_from"])
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The different values of `by` that each group has at least
    #[cfg_attr(feature = "flags", arg(long, value_name = "K", allow_negative_numbers = true, requires = "by"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<usize>,
    /// What lies between the smallest and the largest value of `by` in each group at least; 0 if left out
    #[cfg_attr(feature = "flags", arg(long, value_name = "E", allow_negative_numbers = true, requires = "by"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e: Option<f64>,
}

const KIND: &str = "permute";

impl Transformation for Permute {
    fn stage(&self) -> Stage {
        Stage::Groups
    }

    /// Linear in rows for given groups; sorts the rows where groups are formed.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let names = match &self.by {
            Some(by) if self.columns.is_empty() => std::slice::from_ref(by),
            _ => self.columns.as_slice(),
        };
        let columns = named_columns(KIND, "columns", names, table)?;
        let members = self.groups(&input)?.members();
        let mut order = shuffled(&members, table.rows(), input.dice);
        let mut permuted = Vec::with_capacity(columns.len());
        for (position, column) in columns.into_iter().enumerate() {
            if position > 0 && !self.together {
                order = shuffled(&members, table.rows(), input.dice);
            }
            permuted.push(column.select(&order));
        }
        let alone = (0..members.len()).filter(|&group| members.group(group).len() == 1).count();
        let mut output = Output::of(replace_columns(table, permuted)?);
        if alone > 0 {
            output.notes.push(format!("{alone} of {} groups have one row, which keeps its values", members.len()));
        }
        Ok(output)
    }

    fn files(&self) -> Vec<&str> {
        self.groups_from.as_deref().into_iter().collect()
    }
}

impl Permute {
    fn groups(&self, input: &Input<'_>) -> Result<Groups, TransformError> {
        let given = GroupParameters { kind: KIND, groups_from: self.groups_from.as_deref(), group_by: &self.group_by };
        match (&self.by, self.k, self.e) {
            (None, None, None) => given.require(input, ", or `by` with `k` and `e` to form groups"),
            (Some(_), Some(_), _) if !self.group_by.is_empty() || self.groups_from.is_some() => {
                Err(TransformError::parameter(KIND, "by", "given beside groups".to_owned(), "either `by` or groups"))
            }
            (Some(by), Some(k), e) => neighbours(input.table, by, k, e.unwrap_or(0.0)),
            (None, ..) => Err(TransformError::parameter(
                KIND,
                "by",
                "not given".to_owned(),
                "the column that `k` and `e` are about",
            )),
            (Some(_), None, _) => Err(TransformError::parameter(
                KIND,
                "k",
                "not given".to_owned(),
                "the least number of different values",
            )),
        }
    }
}

/// For each row the row whose value it gets: one of its group.
fn shuffled(members: &Members, rows: usize, dice: &mut ChaCha20Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    for group in 0..members.len() {
        let mut sources = members.group(group).to_vec();
        sources.shuffle(dice);
        for (&row, source) in members.group(group).iter().zip(sources) {
            order[row as usize] = source as usize;
        }
    }
    order
}

/// Rows sorted by their numbers and cut as soon as a group has `k` different numbers that span `e`; what is left over joins the last.
///
/// Each cut is the earliest possible, so no partition into intervals has more groups.
fn neighbours(table: &Table, by: &str, k: usize, e: f64) -> Result<Groups, TransformError> {
    if k == 0 {
        return Err(TransformError::parameter(KIND, "k", k.to_string(), "1 or more different values per group"));
    }
    if !e.is_finite() || e < 0.0 {
        return Err(TransformError::parameter(KIND, "e", brief_number(e), "a number from 0 on"));
    }
    let column = table.column(by)?;
    let numbers = Numbers::of(KIND, column)?;
    let mut sorted: Vec<(f64, usize)> = Vec::with_capacity(table.rows());
    for (row, value) in numbers.values().iter().enumerate() {
        let Some(value) = *value else {
            return Err(TransformError::NotANumber {
                kind: KIND,
                column: by.to_owned(),
                row: row + 1,
                found: column.text(row).to_owned(),
                hint: ", a missing value that no group can hold; remove the row first",
            });
        };
        sorted.push((value, row));
    }
    sorted.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    let mut group_of_row = vec![0; table.rows()];
    let (mut group, mut distinct, mut start) = (0, 0, 0);
    let mut ends = Vec::new();
    for (at, &(value, _)) in sorted.iter().enumerate() {
        distinct += usize::from(at == start || sorted[at - 1].0 != value);
        if distinct >= k && value - sorted[start].0 >= e {
            ends.push(at + 1);
            (start, distinct) = (at + 1, 0);
        }
    }
    if ends.pop().is_none() && !sorted.is_empty() {
        let span = sorted.last().zip(sorted.first()).map_or(0.0, |(last, first)| last.0 - first.0);
        return Err(TransformError::Impossible {
            kind: KIND,
            reason: format!(
                "`{by}` has {distinct} different values that span {span} in the whole table, where each group needs {k} that span {e}"
            ),
        });
    }
    for (at, &(_, row)) in sorted.iter().enumerate() {
        if ends.get(group).is_some_and(|&end| at >= end) {
            group += 1;
        }
        group_of_row[row] = group as u32;
    }
    Ok(Groups::renumbered(&group_of_row))
}
