//! Hierarchies that need no file: a few parameters and the values of the column are enough.
//!
//! A [`Builder`] is what a policy writes inline, `hierarchy = { interval = { width = 10 } }`, and what
//! `tamis hierarchy` turns into a file. Each builder has its own module with its parameters and their defaults.
//! Whatever the parameters, a builder either says what is wrong with them or yields rows that
//! [`Hierarchy::from_rows`] accepts: the value first, one label per level, `*` last.
//!
//! The empty text is a missing value: it keeps to itself on every level but the last. Columns that spell missing values
//! otherwise leave them out; [`Recoder::bind`](crate::Recoder::bind) gives them a line of their own.

mod date;
mod decimal;
mod interval;
mod lcs;
mod mask;
mod order;
mod patterns;
mod rare;
mod suggest;
mod tree;

pub use date::{DateLevel, DateUnit, Dates};
pub use decimal::Decimal;
pub use interval::{Bins, Interval, IntervalLabels};
pub use mask::{Mask, Side};
pub use order::Order;
pub use patterns::Patterns;
pub use rare::{Minimums, Rare};
pub use tree::Tree;

use super::{Hierarchy, HierarchyRow, SUPPRESSED};
use crate::HierarchyError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A hierarchy to be derived from the values of a column.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Mask};
/// let zip = Builder::Mask(Mask { levels: Some(2), ..Mask::default() });
/// let rows = zip.build(&["47677", "47602"])?;
/// assert_eq!(rows[0].labels, ["47677", "4767*", "476**", "*"]);
/// assert_eq!(rows[1].labels, ["47602", "4760*", "476**", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Builder {
    /// Numbers in intervals.
    Interval(Interval),
    /// Ordered values in groups of neighbours.
    Order(Order),
    /// Characters hidden one after the other.
    Mask(Mask),
    /// Dates by month, year, decade, ...
    Date(Dates),
    /// A tree of named groups.
    Tree(Tree),
    /// Similar texts by what they have in common.
    Patterns(Patterns),
    /// Rare values together.
    Rare(Rare),
}

impl Builder {
    /// The rows for these values, in their order; a value listed again counts once more.
    pub fn build(&self, values: &[&str]) -> Result<Vec<HierarchyRow>, HierarchyError> {
        let counted: Vec<(&str, u64)> = values.iter().map(|&value| (value, 1)).collect();
        self.build_with_counts(&counted)
    }

    /// The rows for these values, each with the number of rows of the table that hold it.
    ///
    /// Only [`Rare`] looks at the counts. [`Order`] with an explicit order and [`Tree`] also list the values they were
    /// told of that do not occur.
    pub fn build_with_counts(&self, values: &[(&str, u64)]) -> Result<Vec<HierarchyRow>, HierarchyError> {
        let values = distinct(values);
        let missing = values.iter().any(|&(value, _)| value.is_empty());
        let present: Vec<(&str, u64)> = values.into_iter().filter(|&(value, _)| !value.is_empty()).collect();
        let texts = || present.iter().map(|&(value, _)| value).collect::<Vec<_>>();
        let mut rows = match self {
            Self::Interval(interval) => interval.rows(&texts()),
            Self::Order(order) => order.rows(&texts()),
            Self::Mask(mask) => mask.rows(&texts()),
            Self::Date(dates) => dates.rows(&texts()),
            Self::Tree(tree) => tree.rows(&texts()),
            Self::Patterns(patterns) => patterns.rows(&texts()),
            Self::Rare(rare) => rare.rows(&present),
        }?;
        if missing && !rows.iter().any(|labels| labels[0].is_empty()) {
            rows.push(vec![String::new(); rows.first().map_or(1, Vec::len)]);
        }
        let top = if let Self::Mask(mask) = self { mask.top.as_str() } else { SUPPRESSED };
        for labels in &mut rows {
            labels.push(top.to_owned());
        }
        let rows: Vec<HierarchyRow> =
            rows.into_iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels }).collect();
        // Freely chosen spellings can give two groups one name; everything else holds by construction.
        match Hierarchy::from_rows(&rows) {
            Ok(_) => Ok(rows),
            Err(HierarchyError::NotCoarsening { level, label, parent, first_parent, .. }) => fail(format!(
                "two groups are both called `{label}` on level {} and part as `{first_parent}` and `{parent}` on level \
                 {level}; spell them so that they differ",
                level - 1
            )),
            Err(error) => Err(error),
        }
    }
}

impl Builder {
    /// The values of the rows in the order that the parameters state: a list, or dates in a named format. None if they state none; the
    /// order of the rows themselves says nothing.
    pub fn stated_order<'a>(&self, rows: &'a [HierarchyRow]) -> Option<Vec<&'a str>> {
        let mut values: Vec<&str> = rows.iter().filter_map(|row| row.labels.first()).map(String::as_str).collect();
        match self {
            Self::Order(order) if !order.order.is_empty() => Some(values),
            Self::Date(dates) if dates.format.is_some() => {
                values.sort_by_cached_key(|value| (dates.date_of(value).is_none(), dates.date_of(value)));
                Some(values)
            }
            _ => None,
        }
    }
}

/// Each value once, in order of first appearance, with its counts added up.
fn distinct<'a>(values: &[(&'a str, u64)]) -> Vec<(&'a str, u64)> {
    let mut positions: HashMap<&str, usize> = HashMap::with_capacity(values.len());
    let mut distinct: Vec<(&str, u64)> = Vec::with_capacity(values.len());
    for &(value, count) in values {
        let position = *positions.entry(value).or_insert(distinct.len());
        match distinct.get_mut(position) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => distinct.push((value, count)),
        }
    }
    distinct
}

/// Value and labels of one row, without the top.
type Labels = Vec<String>;

fn fail<T>(message: impl Into<String>) -> Result<T, HierarchyError> {
    Err(HierarchyError::Builder(message.into()))
}

/// Nobody picks among more levels than these, and the labels of absurdly many would fill the memory.
const MOST_LEVELS: usize = 64;

fn check_levels(levels: usize, parameter: &str) -> Result<(), HierarchyError> {
    if levels > MOST_LEVELS {
        return fail(format!("`{parameter}` makes {levels} levels, more than {MOST_LEVELS}; give fewer"));
    }
    Ok(())
}

/// Group sizes level by level: `first`, then each `factors` times the one before. Sizes that outgrow 64 bits mean "all".
fn growing_sizes(first: u64, factors: &[u32], builder: &str) -> Result<Vec<u64>, HierarchyError> {
    if let Some(factor) = factors.iter().find(|&&factor| factor < 2) {
        return fail(format!(
            "`factors` of `{builder}` holds {factor}; a level must join at least 2 groups of the level below"
        ));
    }
    check_levels(factors.len() + 1, "factors")?;
    let mut sizes = vec![first];
    for &factor in factors {
        sizes.push(sizes.last().map_or(first, |size| size.saturating_mul(factor.into())));
    }
    Ok(sizes)
}
