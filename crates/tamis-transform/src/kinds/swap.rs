//! Swapping: values exchanged between pairs of rows.
//!
//! Every column keeps its values and their counts exactly; what is disturbed is how they go together with the other columns (Dalenius
//! and Reiss 1982; Liber 2014, section 3.5). Rows take part with a probability and find partners at random, inside local groups where
//! `within` names columns. With `rank`, partners are neighbours in the order of the values, at most that many percent of the rows
//! that take part apart (Moore 1996), so that numbers change little.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::swap::Swap};
//!
//! let mut zip = ColumnBuilder::new("zip");
//! for text in ["1", "2", "3", "4"] {
//!     zip.push(text)?;
//! }
//! let table = Table::new(vec![zip.finish()])?;
//! let step = Swap { columns: vec!["zip".into()], probability: Some(1.0), ..Swap::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let zip = output.tables[0].table.column("zip")?;
//! let mut zips = [0, 1, 2, 3].map(|row| zip.text(row));
//! assert!((0..4).all(|row| zips[row] != table.columns()[0].text(row)));
//! zips.sort_unstable();
//! assert_eq!(zips, ["1", "2", "3", "4"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::named_columns;
use crate::groups::Groups;
use crate::{Input, Output, TransformError, Transformation, replace_columns};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use tamis_table::{Column, brief_number, compare_values};

/// Exchange values between pairs of rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Swap {
    /// The columns whose values are exchanged
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub columns: Vec<String>,
    /// How likely each row takes part, between 0 and 1; 1 if left out with `rank`
    #[cfg_attr(feature = "flags", arg(long, value_name = "SHARE", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Partners agree in these columns
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// Exchange the columns together, so that the values of a row stay together; each by itself otherwise
    #[cfg_attr(feature = "flags", arg(long, conflicts_with = "rank"))]
    pub together: bool,
    /// Partners are neighbours by value, at most this many percent of the rows apart
    #[cfg_attr(feature = "flags", arg(long, value_name = "PERCENT", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<f64>,
}

const KIND: &str = "swap";

impl Transformation for Swap {
    /// Linear in rows for each column; `rank` sorts them.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let columns = named_columns(KIND, "columns", &self.columns, table)?;
        let probability = match (self.probability, self.rank) {
            (Some(share), _) if (0.0..=1.0).contains(&share) => share,
            (Some(share), _) => {
                return Err(TransformError::parameter(
                    KIND,
                    "probability",
                    brief_number(share),
                    "a number between 0 and 1",
                ));
            }
            (None, Some(_)) => 1.0,
            (None, None) => {
                return Err(TransformError::parameter(
                    KIND,
                    "probability",
                    "not given".to_owned(),
                    "a number between 0 and 1",
                ));
            }
        };
        if let Some(percent) = self.rank
            && !(percent > 0.0 && percent <= 100.0)
        {
            return Err(TransformError::parameter(
                KIND,
                "rank",
                brief_number(percent),
                "a percentage above 0 and up to 100",
            ));
        }
        if self.rank.is_some() && self.together {
            return Err(TransformError::parameter(
                KIND,
                "together",
                "given with `rank`".to_owned(),
                "one of the two; ranks differ between columns",
            ));
        }
        let groups = match (self.within.as_slice(), input.groups) {
            ([], Some(groups)) if groups.len() == table.rows() => Groups::renumbered(groups),
            ([], _) => Groups::one(table.rows()),
            (names, _) => Groups::by_columns(table, names)?,
        };
        let members = groups.members();
        let mut swapped: Vec<Column> = Vec::with_capacity(columns.len());
        let mut source_of_row: Vec<usize> = Vec::new();
        for (position, &column) in columns.iter().enumerate() {
            if position == 0 || !self.together {
                source_of_row = (0..table.rows()).collect();
                for group in 0..members.len() {
                    let mut rows: Vec<u32> = members.group(group).to_vec();
                    rows.retain(|_| dice_says(input.dice, probability));
                    match self.rank {
                        None => swap_pairs(rows, &mut source_of_row, input.dice),
                        Some(percent) => swap_neighbours(rows, column, percent, &mut source_of_row, input.dice),
                    }
                }
            }
            swapped.push(column.select(&source_of_row));
        }
        let is_changed = |row: usize| swapped.iter().zip(&columns).any(|(new, old)| new.text(row) != old.text(row));
        let changed = (0..table.rows()).filter(|&row| is_changed(row)).count();
        let mut output = Output::of(replace_columns(table, swapped)?);
        output.notes.push(format!("{changed} of {} rows have another value than before", table.rows()));
        Ok(output)
    }
}

fn dice_says(dice: &mut ChaCha20Rng, probability: f64) -> bool {
    dice.random::<f64>() < probability
}

/// Random pairs; of an odd number of rows one stays as it is.
fn swap_pairs(mut rows: Vec<u32>, source_of_row: &mut [usize], dice: &mut ChaCha20Rng) {
    rows.shuffle(dice);
    for pair in rows.chunks_exact(2) {
        source_of_row.swap(pair[0] as usize, pair[1] as usize);
    }
}

/// How often a partner is guessed before the whole window is looked through.
const GUESSES: usize = 16;

/// Each row in the order of values takes a partner among the next ones that have none; the last of them may find none.
fn swap_neighbours(
    mut rows: Vec<u32>,
    column: &Column,
    percent: f64,
    source_of_row: &mut [usize],
    dice: &mut ChaCha20Rng,
) {
    rows.retain(|&row| column.missing().is_none_or(|missing| missing.0 != column.codes().get(row as usize)));
    let window = (percent / 100.0 * rows.len() as f64).floor().max(1.0) as usize;
    let ranks = ranks_of_codes(column);
    // Equal values are in random order, or the first rows of the file would always be the lesser ones.
    rows.shuffle(dice);
    rows.sort_by_key(|&row| ranks[column.codes().get(row as usize) as usize]);
    let mut is_taken = vec![false; rows.len()];
    for at in 0..rows.len() {
        let last = (at + window).min(rows.len() - 1);
        if is_taken[at] || last == at {
            continue;
        }
        let guess = (0..GUESSES).map(|_| dice.random_range(at + 1..=last)).find(|&other| !is_taken[other]);
        let partner = guess.or_else(|| {
            let free: Vec<usize> = (at + 1..=last).filter(|&other| !is_taken[other]).collect();
            (!free.is_empty()).then(|| free[dice.random_range(0..free.len())])
        });
        if let Some(other) = partner {
            (is_taken[at], is_taken[other]) = (true, true);
            source_of_row.swap(rows[at] as usize, rows[other] as usize);
        }
    }
}

/// The place of each code in the order of its type.
fn ranks_of_codes(column: &Column) -> Vec<u32> {
    let text = |code: u32| column.dictionary().text(code);
    let mut sorted: Vec<u32> = (0..column.dictionary().len() as u32).collect();
    sorted.sort_by(|&left, &right| compare_values(column.data_type(), text(left), text(right)));
    let mut ranks = vec![0; sorted.len()];
    for (rank, &code) in sorted.iter().enumerate() {
        ranks[code as usize] = rank as u32;
    }
    ranks
}
