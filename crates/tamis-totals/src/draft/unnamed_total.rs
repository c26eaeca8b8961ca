//! Labels that are totals or subtotals, though nobody said so.
//!
//! A total that is taken for a label like the others is counted twice, and whoever knows what it is computes from it what was
//! to be hidden.

use std::collections::HashMap;

use super::{Draft, SAME};
use crate::dimension::Dimension;
use crate::error::{TotalsError, invalid};
use crate::options::TableOptions;

/// A subtotal must show itself in so many slices: sums of two small numbers agree by chance.
const SLICES_OF_SUBTOTAL: usize = 3;

/// The values of one slice along a dimension: label and value, ascending by label.
type Slice = Vec<(u32, f64)>;

impl Draft {
    /// Refuses the table at `index` if a label of a flat dimension is the sum of all others, or of those that stand directly
    /// before or behind it, wherever it has a value. Dimensions with rows of their total, and those whose total the options
    /// name, are taken as they are.
    ///
    /// Takes as many steps as there are rows, and for subtotals as many as labels that can add up to each.
    pub(crate) fn ensure_no_unnamed_total(&self, index: usize, options: &TableOptions) -> Result<(), TotalsError> {
        let table = &self.tables[index];
        for (place, &at) in table.dimensions.iter().enumerate() {
            let dimension = &self.dimensions[at];
            let is_told = options.hierarchies.iter().any(|file| file.dimension == dimension.name())
                || options.totals.iter().any(|(name, _)| name == dimension.name());
            if is_told || table.rows.iter().any(|(_, labels)| labels[place] == Dimension::TOTAL) {
                continue;
            }
            let slices = self.slices(index, place);
            let (name, total) = (dimension.name(), dimension.label(Dimension::TOTAL));
            let otherwise = format!("if it is a label like the others, say so with --total {name}={total}");
            if let Some(label) = whole(&slices) {
                let label = dimension.label(label);
                return Err(invalid(format!(
                    "`{}`, column `{name}`: `{label}` is the sum of all other labels wherever it occurs; if it is the total, say so \
                     with --total {name}={label}; {otherwise}",
                    table.name
                )));
            }
            if let Some((label, first, last)) = part(&slices) {
                let [label, first, last] = [label, first, last].map(|label| dimension.label(label));
                return Err(invalid(format!(
                    "`{}`, column `{name}`: `{label}` is the sum of the labels from `{first}` to `{last}` wherever it occurs; if it is \
                     their total, name the hierarchy with --hierarchy {name}=FILE; {otherwise}",
                    table.name
                )));
            }
        }
        Ok(())
    }

    /// The slices of a table along one of its dimensions that have a value other than zero.
    fn slices(&self, index: usize, place: usize) -> Vec<Slice> {
        let mut slices: HashMap<Vec<u32>, Slice> = HashMap::new();
        for (cell, labels) in &self.tables[index].rows {
            let mut key = labels.to_vec();
            let label = std::mem::take(&mut key[place]);
            slices.entry(key).or_default().push((label, self.cells[*cell].value));
        }
        let mut slices: Vec<(Vec<u32>, Slice)> = slices.into_iter().collect();
        slices.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut slices: Vec<Slice> = slices.into_iter().map(|(_, slice)| slice).collect();
        slices.retain(|slice| slice.iter().any(|&(_, value)| value != 0.0));
        for slice in &mut slices {
            slice.sort_unstable_by_key(|&(label, _)| label);
        }
        slices
    }
}

fn is_same(left: f64, right: f64) -> bool {
    (left - right).abs() <= SAME * f64::max(1.0, f64::max(left.abs(), right.abs()))
}

/// The label that is the sum of all others in every slice, of at least two others in some.
fn whole(slices: &[Slice]) -> Option<u32> {
    let is_total = |label: u32, slice: &Slice| {
        let sum: f64 = slice.iter().map(|&(_, value)| value).sum();
        let own = slice.binary_search_by_key(&label, |&(other, _)| other).map_or(0.0, |at| slice[at].1);
        is_same(own, sum - own)
    };
    let several = |slice: &&Slice| slice.iter().filter(|&&(_, value)| value != 0.0).count() > 2;
    let candidates = slices.iter().find(several)?;
    let mut labels = candidates.iter().filter(|&&(_, value)| value != 0.0).map(|&(label, _)| label);
    labels.find(|&label| slices.iter().all(|slice| is_total(label, slice)))
}

/// The label that is the sum of a run of at least two labels directly before or behind it in every slice, and the run.
fn part(slices: &[Slice]) -> Option<(u32, u32, u32)> {
    let longest = slices.iter().max_by_key(|slice| slice.len())?;
    if slices.iter().flatten().any(|&(_, value)| value < 0.0) {
        // Nothing would end a run.
        return None;
    }
    for (at, &(label, value)) in longest.iter().enumerate() {
        let behind = longest[at + 1..].iter();
        let before = longest[..at].iter().rev();
        if value == 0.0 {
            continue;
        }
        for run in [run(behind, value), run(before, value)].into_iter().flatten() {
            let (first, last) = (run.0.min(run.1), run.0.max(run.1));
            let is_sum = |slice: &&Slice| {
                let own = slice.binary_search_by_key(&label, |&(other, _)| other).map_or(0.0, |at| slice[at].1);
                let parts = slice.iter().filter(|(other, _)| (first..=last).contains(other));
                is_same(own, parts.map(|&(_, value)| value).sum())
            };
            let own = slices.iter().filter(|slice| slice.iter().any(|&(other, value)| other == label && value != 0.0));
            if own.count() >= SLICES_OF_SUBTOTAL && slices.iter().all(|slice| is_sum(&slice)) {
                return Some((label, first, last));
            }
        }
    }
    None
}

/// The first and the last label of the run that adds up to a value, if there are two or more with one.
fn run<'a>(labels: impl Iterator<Item = &'a (u32, f64)>, value: f64) -> Option<(u32, u32)> {
    let (mut sum, mut count, mut first) = (0.0, 0, None);
    for &(label, own) in labels {
        sum += own;
        count += usize::from(own != 0.0);
        let first = *first.get_or_insert(label);
        if is_same(sum, value) {
            return (count > 1).then_some((first, label));
        }
        if sum > value {
            return None;
        }
    }
    None
}
