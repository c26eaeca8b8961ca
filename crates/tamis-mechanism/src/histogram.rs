//! Histograms with noise: how many people have each combination of values.

use crate::discrete::Draw;
use crate::{Dice, Domain, GeometricMechanism, MechanismError, PostProcessing, Ratio};
use serde::Serialize;
use std::collections::BTreeMap;
use tamis_table::{Table, brief_number};

/// How many rows a person can have in the histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contribution<'a> {
    /// Every row is a person of their own.
    OneRow,
    /// The column names the person; of those with more rows than this, as many are chosen at random.
    AtMost {
        /// The column that names the person.
        entity: &'a str,
        /// The most rows a person has.
        rows: u32,
    },
}

/// A histogram to tell, with its price.
#[derive(Debug, Clone)]
pub struct HistogramQuery<'a> {
    /// The columns and the values they could have. Rows with other values are left out.
    pub domain: &'a Domain,
    /// Where the values come from the data: the probability that a person's being there is given away by a cell being told.
    pub delta: Option<Ratio>,
    /// The price.
    pub epsilon: Ratio,
    /// How many rows a person can have.
    pub contribution: Contribution<'a>,
    /// What is done to the noisy counts.
    pub post_processing: PostProcessing,
    /// The probability that an interval holds its true count.
    pub level: f64,
}

/// One cell as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoisyCell {
    /// The values, column by column.
    pub values: Vec<String>,
    /// The count.
    pub count: i64,
    /// The true count is at least this...
    pub low: i64,
    /// ...and at most this, with the probability of the level.
    pub high: i64,
}

/// A histogram as it is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Histogram {
    /// The columns.
    pub columns: Vec<String>,
    /// The cells in the order of the domain.
    pub cells: Vec<NoisyCell>,
    /// The standard deviation of the noise of every cell.
    pub standard_error: f64,
    /// The probability that an interval holds its true count.
    pub level: f64,
    /// The least count that is told, where cells come from the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<i64>,
}

/// More cells than this nobody reads, and each costs noise.
const MOST_CELLS: u64 = 10_000_000;

impl HistogramQuery<'_> {
    /// Checks what can be wrong with the parameters of a query before its domain is known.
    ///
    /// ```
    /// use tamis_mechanism::{Contribution, HistogramQuery, Ratio};
    /// assert!(HistogramQuery::check_parameters(Ratio::ONE, None, Contribution::OneRow, 0.95).is_ok());
    /// assert!(HistogramQuery::check_parameters(Ratio::ONE, Some(Ratio::ONE), Contribution::OneRow, 0.95).is_err());
    /// ```
    pub fn check_parameters(
        epsilon: Ratio,
        delta: Option<Ratio>,
        contribution: Contribution<'_>,
        level: f64,
    ) -> Result<GeometricMechanism, MechanismError> {
        let rows = match contribution {
            Contribution::OneRow => 1,
            Contribution::AtMost { rows, .. } => rows,
        };
        if !(0.0..1.0).contains(&level) || level == 0.0 {
            return Err(MechanismError::parameter("the level", brief_number(level), "a number above 0 and below 1"));
        }
        let mechanism = GeometricMechanism::new(epsilon, rows)?;
        if let Some(delta) = delta {
            mechanism.threshold(delta)?;
        }
        Ok(mechanism)
    }

    /// Checks everything that can be wrong with the query, the data aside.
    pub fn mechanism(&self) -> Result<GeometricMechanism, MechanismError> {
        let mechanism = Self::check_parameters(self.epsilon, self.delta, self.contribution, self.level)?;
        if self.delta.is_none() && self.domain.size() > MOST_CELLS.into() {
            return Err(MechanismError::DomainTooLarge {
                size: self.domain.size().to_string(),
                things: "cells",
                most: MOST_CELLS,
            });
        }
        Ok(mechanism)
    }

    /// The true counts, which are not told. O(rows).
    pub fn count(&self, table: &Table, dice: &mut Dice) -> Result<TrueCounts, MechanismError> {
        let cells = self.domain.index_rows(table)?;
        let mut counts = BTreeMap::new();
        let mut add = |row: usize| {
            if let Some(cell) = cells[row] {
                *counts.entry(cell).or_insert(0) += 1;
            }
        };
        match self.contribution {
            Contribution::OneRow => (0..table.rows()).for_each(&mut add),
            Contribution::AtMost { entity, rows } => {
                bounded_rows(table, entity, rows as usize, dice)?.into_iter().for_each(|row| add(row as usize));
            }
        }
        Ok(TrueCounts(counts))
    }

    /// Adds the noise. Every cell of the domain gets some, empty ones too: that a cell is empty is as secret as that it is not.
    pub fn tell(&self, counts: &TrueCounts, dice: &mut Dice) -> Result<Histogram, MechanismError> {
        let mechanism = self.mechanism()?;
        let threshold = self.delta.map(|delta| mechanism.threshold(delta)).transpose()?;
        let mut noisy: Vec<(u128, i64)> = Vec::new();
        match threshold {
            None => {
                for cell in 0..self.domain.size() {
                    noisy.push((cell, mechanism.noisy(counts.get(cell), dice)));
                }
            }
            Some(threshold) => {
                for (&cell, &count) in &counts.0 {
                    let told = mechanism.noisy(count, dice);
                    if told >= threshold {
                        noisy.push((cell, told));
                    }
                }
            }
        }
        let raw: Vec<i64> = noisy.iter().map(|&(_, count)| count).collect();
        let told = self.post_processing.apply(&raw);
        let width = i64::try_from(mechanism.half_width(self.level)).unwrap_or(i64::MAX);
        let least = if self.post_processing == PostProcessing::None { i64::MIN } else { 0 };
        let cells = noisy.iter().zip(told).map(|(&(cell, raw), count)| NoisyCell {
            values: self.domain.values(cell).into_iter().map(str::to_owned).collect(),
            count,
            low: raw.saturating_sub(width).max(least),
            high: raw.saturating_add(width).max(least),
        });
        Ok(Histogram {
            columns: self.domain.columns().iter().map(|column| column.column().to_owned()).collect(),
            cells: cells.collect(),
            standard_error: mechanism.standard_error(),
            level: self.level,
            threshold,
        })
    }
}

/// How many rows each cell has: secret.
#[derive(Clone)]
pub struct TrueCounts(BTreeMap<u128, u64>);

impl TrueCounts {
    fn get(&self, cell: u128) -> u64 {
        self.0.get(&cell).copied().unwrap_or(0)
    }
}

impl std::fmt::Debug for TrueCounts {
    /// Without the counts, which no log may hold.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrueCounts").finish_non_exhaustive()
    }
}

/// At most `most` rows of every person, chosen at random from theirs. The choice for one person depends on no other.
fn bounded_rows(table: &Table, entity: &str, most: usize, dice: &mut Dice) -> Result<Vec<u32>, MechanismError> {
    let column = table.column(entity)?;
    let codes = column.codes();
    if let Some(missing) = column.missing()
        && let Some(row) = (0..table.rows()).find(|&row| codes.get(row) == missing.0)
    {
        return Err(MechanismError::NoEntity { row: row + 1, column: entity.to_owned() });
    }
    let mut rows: Vec<u32> = (0..table.rows() as u32).collect();
    rows.sort_by_key(|&row| codes.get(row as usize));
    let mut kept = Vec::with_capacity(rows.len());
    for of_person in rows.chunk_by_mut(|&left, &right| codes.get(left as usize) == codes.get(right as usize)) {
        if of_person.len() > most {
            dice.choose(of_person, most);
        }
        kept.extend(of_person.iter().take(most));
    }
    Ok(kept)
}
