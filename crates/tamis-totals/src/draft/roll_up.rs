//! Totals that no row gives: the sums of what is below them.

use std::collections::HashMap;

use tamis_cells::plain;

use super::{Draft, DraftCell};
use crate::dimension::Dimension;
use crate::error::{TotalsError, invalid};
use crate::options::MissingCells;

/// More combinations of labels than this are not written out one by one.
const MOST_COMBINATIONS: usize = 5_000_000;

/// What is added up.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    weight: Option<f64>,
    frequency: Option<f64>,
}

impl Draft {
    /// Adds the totals that the table at `index` lacks, behind its rows, in the order of their labels: the total of a dimension
    /// first, the first dimension slowest.
    ///
    /// Takes as many steps as there are innermost cells times totals above each.
    pub(crate) fn roll_up(&mut self, index: usize, missing: MissingCells) -> Result<(), TotalsError> {
        self.add_missing(index, missing)?;
        let dimensions: Vec<&Dimension> =
            self.tables[index].dimensions.iter().map(|&dimension| &self.dimensions[dimension]).collect();
        let table = &self.tables[index];
        let mut sums: HashMap<Box<[u32]>, Sum> = HashMap::new();
        for (cell, coordinates) in &table.rows {
            if dimensions.iter().zip(coordinates).any(|(dimension, &label)| !dimension.is_leaf(label)) {
                continue;
            }
            let cell = &self.cells[*cell];
            for_each_above(&dimensions, coordinates, |above| {
                let sum = match sums.get_mut(above) {
                    Some(sum) => sum,
                    None => sums.entry(above.into()).or_default(),
                };
                sum.value += cell.value;
                let add = |sum: &mut Option<f64>, part: Option<f64>| {
                    *sum = part.map_or(*sum, |part| Some(sum.unwrap_or(0.0) + part));
                };
                add(&mut sum.weight, cell.weight);
                add(&mut sum.frequency, cell.frequency);
            });
        }
        for (_, coordinates) in &table.rows {
            sums.remove(coordinates);
        }
        let mut lacking: Vec<(Box<[u32]>, Sum)> = sums.into_iter().collect();
        let ranks: Vec<Vec<u32>> = dimensions.iter().map(|dimension| dimension.ranks()).collect();
        lacking.sort_by_cached_key(|(labels, _)| in_order(&ranks, labels));
        for (coordinates, sum) in lacking {
            let value = self.rounded(sum.value);
            self.add_computed(
                index,
                coordinates,
                DraftCell { value, weight: sum.weight, frequency: sum.frequency, ..DraftCell::default() },
            );
        }
        Ok(())
    }

    /// A sum of decimal numbers has no more decimals than they have.
    pub(crate) fn rounded(&self, value: f64) -> f64 {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let scale = 10f64.powi(i32::try_from(self.decimals.min(15)).unwrap_or(15));
        let scaled = value * scale;
        if self.decimals <= 15 && scaled.abs() < EXACT { scaled.round() / scale } else { plain(value) }
    }

    fn add_computed(&mut self, index: usize, coordinates: Box<[u32]>, mut cell: DraftCell) {
        let mut union = vec![Dimension::TOTAL; self.dimensions.len()];
        for (&dimension, &label) in self.tables[index].dimensions.iter().zip(&coordinates) {
            union[dimension] = label;
        }
        // Another table may have given the total; that the sums agree is for its equation to say.
        let cell = if let Some(&known) = self.by_coordinates.get(union.as_slice()) {
            known
        } else {
            cell.coordinates = union.into();
            self.push(cell)
        };
        self.tables[index].rows.push((cell, coordinates));
    }

    /// Innermost combinations without a row, if they are more than published zeros.
    fn add_missing(&mut self, index: usize, missing: MissingCells) -> Result<(), TotalsError> {
        if missing == MissingCells::Zero {
            return Ok(());
        }
        let table = &self.tables[index];
        let leaves: Vec<Vec<u32>> = (table.dimensions.iter())
            .map(|&dimension| {
                let dimension = &self.dimensions[dimension];
                (0..dimension.labels().len() as u32).filter(|&label| dimension.is_leaf(label)).collect()
            })
            .collect();
        let all = leaves.iter().try_fold(1usize, |all, leaves| all.checked_mul(leaves.len()));
        let Some(all) = all.filter(|&all| all <= MOST_COMBINATIONS) else {
            return Err(invalid(format!(
                "`{}`: its dimensions have more than {MOST_COMBINATIONS} combinations; take cells without a row for published zeros",
                table.name
            )));
        };
        let given: std::collections::HashSet<&[u32]> = table.rows.iter().map(|(_, labels)| labels.as_ref()).collect();
        let mut absent = Vec::new();
        for mut number in 0..all {
            let mut coordinates = vec![0; leaves.len()];
            for (place, leaves) in leaves.iter().enumerate().rev() {
                coordinates[place] = leaves[number % leaves.len()];
                number /= leaves.len();
            }
            if !given.contains(coordinates.as_slice()) {
                absent.push(coordinates.into_boxed_slice());
            }
        }
        if let (MissingCells::Error, Some(first)) = (missing, absent.first()) {
            let labels = table.dimensions.iter().zip(first);
            let labels: Vec<String> = labels
                .map(|(&dimension, &label)| {
                    format!("{}={}", self.dimensions[dimension].name(), self.dimensions[dimension].label(label))
                })
                .collect();
            return Err(invalid(format!(
                "`{}`: there is no row for ({}), and {} combinations lack one; add them, or take them for zero",
                table.name,
                labels.join(", "),
                absent.len()
            )));
        }
        for coordinates in absent {
            self.add_computed(index, coordinates, DraftCell::default());
        }
        Ok(())
    }
}

/// What combinations of labels are sorted by.
pub(crate) fn in_order(ranks: &[Vec<u32>], labels: &[u32]) -> Vec<u32> {
    ranks.iter().zip(labels).map(|(ranks, label)| ranks[*label as usize]).collect()
}

/// Calls `tell` with every combination of the labels and the totals above them, the combination itself included.
pub(crate) fn for_each_above(dimensions: &[&Dimension], coordinates: &[u32], mut tell: impl FnMut(&[u32])) {
    let above: Vec<&[u32]> =
        dimensions.iter().zip(coordinates).map(|(dimension, &label)| dimension.ancestors(label)).collect();
    let mut at = vec![0; above.len()];
    let mut combination: Vec<u32> = coordinates.to_vec();
    loop {
        tell(&combination);
        let mut place = above.len();
        loop {
            let Some(next) = place.checked_sub(1) else { return };
            place = next;
            at[place] += 1;
            if let Some(&label) = above[place].get(at[place]) {
                combination[place] = label;
                break;
            }
            at[place] = 0;
            combination[place] = above[place][0];
        }
    }
}
