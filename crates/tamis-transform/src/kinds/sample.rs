//! Sampling: a random part of the rows, without replacement, in their order.
//!
//! Whoever is in the data may not be in the sample, so an attacker who finds a unique person cannot be sure to have found the right one.

use crate::{Input, Output, TransformError, Transformation};
use rand::seq::index;
use serde::{Deserialize, Serialize};
use tamis_table::brief_number;

/// Keep a random part of the rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Sample {
    /// How many rows to keep
    #[cfg_attr(feature = "flags", arg(long, value_name = "N", conflicts_with = "share"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The share of rows to keep, between 0 and 1
    #[cfg_attr(feature = "flags", arg(long, value_name = "SHARE", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

const KIND: &str = "sample";

impl Transformation for Sample {
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let all = input.table.rows();
        let bad = |parameter, found: String, expected: String| TransformError::BadParameter {
            kind: KIND,
            parameter,
            found,
            expected,
        };
        let wanted = match (self.rows, self.share) {
            (Some(rows), None) if rows <= all => rows,
            (Some(rows), None) => {
                return Err(bad("rows", rows.to_string(), format!("at most the {all} rows there are")));
            }
            (None, Some(share)) if (0.0..=1.0).contains(&share) => (share * all as f64).round() as usize,
            (None, Some(share)) => {
                return Err(bad("share", brief_number(share), "a number between 0 and 1".to_owned()));
            }
            _ => return Err(bad("rows", "not given".to_owned(), "either `rows` or `share`".to_owned())),
        };
        let mut chosen = index::sample(input.dice, all, wanted).into_vec();
        chosen.sort_unstable();
        Ok(Output::of(input.table.select(&chosen)))
    }
}
