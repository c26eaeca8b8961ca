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
#[derive(Debug, Clone, Copy)]
struct Sum {
    value: f64,
    /// The same in units of the last decimal of all values; none if some value has none or the sum is too large.
    units: Option<i128>,
    weight: Option<f64>,
    frequency: Option<f64>,
}

/// With so many digits before and behind the point sums of all cells are whole numbers of 128 bits.
const MOST_DECIMALS: usize = 15;

/// Nothing so far.
const NOTHING: Sum = Sum { value: 0.0, units: Some(0), weight: None, frequency: None };

/// The sum of decimals, exactly; empty if one of them has more decimals or the sum is too large.
pub(crate) fn exact_sum(values: impl Iterator<Item = f64>, decimals: usize) -> String {
    let add = |sum: i128, value: f64| sum.checked_add(units(&value.to_string(), decimals)?);
    let sum = { values }.try_fold(0, add).filter(|_| decimals <= MOST_DECIMALS);
    sum.map_or_else(String::new, |sum| decimal(sum, decimals))
}

/// A decimal as a whole number of units of so many decimals; none if it is written otherwise.
fn units(text: &str, decimals: usize) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_written = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() && part.is_empty()
        || !is_written(whole)
        || !is_written(part)
        || decimals > MOST_DECIMALS
        || whole.len() > 18
    {
        return None;
    }
    Some(sign * format!("{whole}{part}{:0<1$}", "", decimals.checked_sub(part.len())?).parse::<i128>().ok()?)
}

/// A number of units as a decimal without needless digits.
fn decimal(units: i128, decimals: usize) -> String {
    let digits = format!("{:0>1$}", units.unsigned_abs(), decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    let part = part.trim_end_matches('0');
    let (sign, point) = (if units < 0 { "-" } else { "" }, if part.is_empty() { "" } else { "." });
    format!("{sign}{whole}{point}{part}")
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
            let own =
                if cell.text.is_empty() && cell.value == 0.0 { Some(0) } else { units(&cell.text, self.decimals) };
            for_each_above(&dimensions, coordinates, |above| {
                let sum = match sums.get_mut(above) {
                    Some(sum) => sum,
                    None => sums.entry(above.into()).or_insert(NOTHING),
                };
                sum.value += cell.value;
                sum.units = sum.units.zip(own).and_then(|(sum, own)| sum.checked_add(own));
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
            // Published as it is, however many digits that has.
            let exact = sum.units.filter(|_| self.decimals <= MOST_DECIMALS);
            let text = exact.map_or_else(String::new, |units| decimal(units, self.decimals));
            let value = text.parse().map_or_else(|_| self.rounded(sum.value), plain);
            self.add_computed(
                index,
                coordinates,
                DraftCell { value, text, weight: sum.weight, frequency: sum.frequency, ..DraftCell::default() },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_whole_numbers_of_units() {
        for (text, number) in
            [("30.1", 301_000), ("-.5", -5000), ("+7", 70_000), ("1234567890123.4567", 12_345_678_901_234_567)]
        {
            assert_eq!(units(text, 4), Some(number), "{text}");
        }
        for text in ["", "1e3", "1,5", ".", "-", "1.23456"] {
            assert_eq!(units(text, 4), None, "{text}");
        }
        assert_eq!(decimal(-5000, 4), "-0.5");
        assert_eq!(decimal(70_000, 4), "7");
        assert_eq!(decimal(0, 0), "0");
    }
}
