//! A column as a few states that a model can learn, and values drawn from a state.

use crate::grouping::is_numeric;
use crate::{Numbers, TransformError, column_of_codes};
use rand::{Rng, RngExt};
use tamis_table::Column;

/// A column whose rows are in states numbered from 0: its values, or ranges of its numbers.
pub(super) enum States<'a> {
    /// Every value is a state, the missing one too.
    Values(&'a Column),
    /// Numbers fall into bins of about equally many rows; missing ones are in the state after the last bin.
    Bins(Bins<'a>),
}

/// Numbers in their order, cut into bins.
pub(super) struct Bins<'a> {
    numbers: Numbers<'a>,
    sorted: Vec<f64>,
    /// Where each bin starts in the sorted numbers, and their end.
    starts: Vec<usize>,
}

impl<'a> States<'a> {
    pub(super) fn of(kind: &'static str, column: &'a Column, bins: usize) -> Result<Self, TransformError> {
        if !is_numeric(column) {
            return Ok(Self::Values(column));
        }
        let numbers = Numbers::of(kind, column)?;
        let mut sorted: Vec<f64> = numbers.known().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let starts = bin_starts(&sorted, bins);
        Ok(Self::Bins(Bins { numbers, sorted, starts }))
    }

    /// The state of every row.
    pub(super) fn of_rows(&self) -> Vec<u32> {
        match self {
            Self::Values(column) => {
                let mut states = Vec::with_capacity(column.codes().len());
                column.codes().for_each(|_, code| states.push(code));
                states
            }
            Self::Bins(bins) => bins.numbers.values().iter().map(|&value| bins.state_of(value)).collect(),
        }
    }

    /// A column with a value drawn for each of the given states.
    pub(super) fn draw(&self, states: &[u32], dice: &mut impl Rng) -> Result<Column, TransformError> {
        match self {
            Self::Values(column) => Ok(column_of_codes(column, states.iter().copied())?),
            Self::Bins(bins) => {
                let values: Vec<Option<f64>> = states.iter().map(|&state| bins.draw(state, dice)).collect();
                bins.numbers.written(&values)
            }
        }
    }

    /// Whether most rows hold a value that no other row holds, as identifiers do.
    pub(super) fn is_mostly_unique(&self) -> bool {
        let Self::Values(column) = self else { return false };
        let single = column.frequencies().into_iter().filter(|&count| count == 1).count();
        2 * single > column.codes().len()
    }
}

impl Bins<'_> {
    fn state_of(&self, value: Option<f64>) -> u32 {
        let bins = self.starts.len() - 1;
        let Some(value) = value else { return bins as u32 };
        let starts_at_or_below = self.starts[..bins].partition_point(|&start| self.sorted[start] <= value);
        starts_at_or_below.saturating_sub(1) as u32
    }

    /// A number between two neighbours of the bin, all pairs of neighbours equally likely.
    fn draw(&self, state: u32, dice: &mut impl Rng) -> Option<f64> {
        let state = state as usize;
        let bin = &self.sorted[*self.starts.get(state)?..*self.starts.get(state + 1)?];
        let place = dice.random::<f64>() * (bin.len() - 1) as f64;
        let (low, high) = (bin[place as usize], bin[(place as usize + 1).min(bin.len() - 1)]);
        let part = place.fract();
        Some(if low == high { low } else { low * (1.0 - part) + high * part })
    }
}

/// Cuts sorted numbers where about as many numbers as go into a bin have passed; equal numbers stay together, and one that fills a bin
/// has it for itself. Few different numbers get a bin each.
fn bin_starts(sorted: &[f64], bins: usize) -> Vec<usize> {
    let runs: Vec<&[f64]> = sorted.chunk_by(|left, right| left == right).collect();
    let full = if runs.len() <= bins { 1 } else { sorted.len().div_ceil(bins) };
    let mut starts = vec![0];
    let (mut end, mut start) = (0, 0);
    for run in runs {
        if end > start && (end - start >= full || run.len() >= full) {
            starts.push(end);
            start = end;
        }
        end += run.len();
    }
    if end > 0 {
        starts.push(end);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_about_equally_many_and_frequent_numbers_have_their_own() {
        let sorted: Vec<f64> = [vec![0.0; 10], (1..=10).map(f64::from).collect()].concat();
        assert_eq!(bin_starts(&sorted, 4), [0, 10, 15, 20]);
        assert_eq!(bin_starts(&[1.0, 1.0, 2.0, 3.0], 3), [0, 2, 3, 4]);
        assert_eq!(bin_starts(&[1.0, 2.0, 3.0, 3.0, 3.0], 2), [0, 2, 5]);
        assert_eq!(bin_starts(&[], 3), [0]);
    }
}
