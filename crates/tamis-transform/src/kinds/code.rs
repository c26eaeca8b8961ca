//! Top and bottom coding: numbers at or beyond a threshold become one value.
//!
//! The oldest, richest or smallest people are the easiest to find (Hundepool and others 2012). The threshold is given, or
//! found so that at least a share of the rows lies at or beyond it. Those rows get the threshold, the mean of their numbers (which
//! keeps the mean of the column up to rounding), or a label such as `>=90`.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::code::{Code, Replacement}};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["30", "93", "102"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let step = Code { columns: vec!["age".into()], top: Some(90.0), replace: Replacement::Label, ..Code::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let age = output.tables[0].table.column("age")?;
//! assert_eq!([0, 1, 2].map(|row| age.text(row)), ["30", ">=90", ">=90"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::{named_columns, recoded};
use crate::numbers::{mean, write_number};
use crate::{Input, Numbers, Output, TransformError, Transformation, replace_columns};
use serde::{Deserialize, Serialize};
use tamis_table::{Column, brief_number, number_in};

/// Give numbers at or beyond a threshold one value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Code {
    /// The columns of numbers
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub columns: Vec<String>,
    /// Numbers from here on are coded
    #[cfg_attr(
        feature = "flags",
        arg(long, value_name = "X", allow_negative_numbers = true, conflicts_with = "top_share")
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<f64>,
    /// Numbers up to here are coded
    #[cfg_attr(
        feature = "flags",
        arg(long, value_name = "X", allow_negative_numbers = true, conflicts_with = "bottom_share")
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom: Option<f64>,
    /// The largest numbers are coded: at least this share of the rows
    #[cfg_attr(feature = "flags", arg(long, value_name = "SHARE", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_share: Option<f64>,
    /// The smallest numbers are coded: at least this share of the rows
    #[cfg_attr(feature = "flags", arg(long, value_name = "SHARE", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom_share: Option<f64>,
    /// What coded numbers become
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "threshold"))]
    pub replace: Replacement,
}

/// What coded numbers become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// The threshold.
    #[default]
    Threshold,
    /// The mean of all that are coded on that side, with the decimals of the column.
    Mean,
    /// `>=90` or `<=17`; the column is then no longer one of numbers.
    Label,
}

const KIND: &str = "code";

impl Transformation for Code {
    /// Linear in rows; a share sorts the numbers.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let columns = named_columns(KIND, "columns", &self.columns, input.table)?;
        self.check()?;
        let mut coded = Vec::with_capacity(columns.len());
        let mut notes = Vec::new();
        for column in columns {
            let (column, note) = self.coded(column)?;
            coded.push(column);
            notes.push(note);
        }
        Ok(Output { notes, ..Output::of(replace_columns(input.table, coded)?) })
    }
}

impl Code {
    fn check(&self) -> Result<(), TransformError> {
        let bad =
            |parameter, found: String, expected: &str| Err(TransformError::parameter(KIND, parameter, found, expected));
        let sides = [("top", self.top, self.top_share), ("bottom", self.bottom, self.bottom_share)];
        if sides.iter().all(|(_, threshold, share)| threshold.is_none() && share.is_none()) {
            return bad("top", "not given".to_owned(), "one or more of `top`, `bottom`, `top_share`, `bottom_share`");
        }
        for (parameter, threshold, share) in sides {
            if threshold.is_some() && share.is_some() {
                return bad(parameter, "given with its share".to_owned(), "a threshold or a share");
            }
            if let Some(threshold) = threshold.filter(|threshold| !threshold.is_finite()) {
                return bad(parameter, brief_number(threshold), "a number");
            }
        }
        for (parameter, share) in [("top_share", self.top_share), ("bottom_share", self.bottom_share)] {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                return bad(parameter, brief_number(share), "a number between 0 and 1");
            }
        }
        Ok(())
    }

    fn coded(&self, column: &Column) -> Result<(Column, String), TransformError> {
        let numbers = Numbers::of(KIND, column)?;
        let mut sorted: Vec<f64> = numbers.known().collect();
        sorted.sort_by(f64::total_cmp);
        let top = self.top.or_else(|| threshold(sorted.iter().rev(), sorted.len(), self.top_share?));
        let bottom = self.bottom.or_else(|| threshold(sorted.iter(), sorted.len(), self.bottom_share?));
        if let (Some(top), Some(bottom)) = (top, bottom)
            && bottom >= top
        {
            return Err(TransformError::BadParameter {
                kind: KIND,
                parameter: "bottom",
                found: format!("{} for `{}`", brief_number(bottom), column.name()),
                expected: format!("less than the top, which is {}", brief_number(top)),
            });
        }
        let above: Vec<f64> = sorted.iter().copied().filter(|&x| top.is_some_and(|top| x >= top)).collect();
        let below: Vec<f64> = sorted.iter().copied().filter(|&x| bottom.is_some_and(|bottom| x <= bottom)).collect();
        let text = |threshold: f64, sign: &str, coded: &[f64]| match self.replace {
            Replacement::Threshold => at_least(threshold, numbers.decimals()),
            Replacement::Mean => {
                let mut text = String::new();
                write_number(&mut text, mean(coded), numbers.decimals());
                text
            }
            Replacement::Label => format!("{sign}{}", brief_number(threshold)),
        };
        let top_text = top.map(|top| (top, text(top, ">=", &above)));
        let bottom_text = bottom.map(|bottom| (bottom, text(bottom, "<=", &below)));
        let missing = column.missing().map(|code| code.0 as usize);
        let texts: Vec<String> = column
            .dictionary()
            .iter()
            .enumerate()
            .map(|(code, old)| {
                let Some(number) = number_in(old).filter(|_| missing != Some(code)) else { return old.to_owned() };
                match (&top_text, &bottom_text) {
                    (Some((top, text)), _) if number >= *top => text.clone(),
                    (_, Some((bottom, text))) if number <= *bottom => text.clone(),
                    _ => old.to_owned(),
                }
            })
            .collect();
        let side = |threshold: Option<f64>, sign: &str, coded: &[f64]| {
            threshold.map(|threshold| format!("{} rows {sign}{}", coded.len(), brief_number(threshold)))
        };
        let sides: Vec<String> = [side(bottom, "<=", &below), side(top, ">=", &above)].into_iter().flatten().collect();
        let coded = if sides.is_empty() { "no rows".to_owned() } else { sides.join(" and ") };
        Ok((recoded(column, &texts)?, format!("`{}`: {coded} coded", column.name())))
    }
}

/// The last of the first `share` of the numbers, rounded up to whole rows; none if that is no row.
fn threshold<'n>(mut outermost_first: impl Iterator<Item = &'n f64>, count: usize, share: f64) -> Option<f64> {
    // A share such as 0.07 of 100 rows is 7 rows, although the product is a little more.
    let rows = (share * count as f64 - 1e-9).ceil().max(0.0) as usize;
    outermost_first.nth(rows.checked_sub(1)?).copied()
}

/// A threshold with the decimals of the column, or more if it has more itself.
fn at_least(threshold: f64, decimals: usize) -> String {
    let shortest = threshold.to_string();
    let own = shortest.split_once('.').map_or(0, |(_, digits)| digits.len());
    if own > decimals { shortest } else { format!("{threshold:.decimals$}") }
}
