//! Synthetic rows: a model is fitted to the table, and rows are drawn from the model.
//!
//! The model `tree` is a tree (or several) of columns, each given the one it depends on most, the tree of the largest mutual
//! information (Chow and Liu 1968; see [`dependency_forest`]). The model `independent` keeps each column's distribution only. Columns
//! of numbers are cut into `bins` of about equally many rows for this, and a number is drawn between two neighbours of its bin,
//! rounded to the decimals of its column, so that the distribution of numbers is kept within bins too. Categories and missing values
//! are drawn as often as they occur. In expectation all columns, and all pairs of columns that the tree joins, keep their tables, but
//! for `smoothing`: as if each state of a column had been seen that many more times, with the values of the dependent column spread
//! as in the whole table. So a rare value does not bring the values of the one person who holds it.
//!
//! What the model does not know is lost: the dependence of columns that the tree does not join, beyond what follows from it. What it
//! knows comes from people: a value that only one person holds can occur in the result, and a whole row can be a real one by chance.
//! How many are equal to a real row that is unique is told. This is no differential privacy.
//!
//! Parameters: `rows`, as many as the table has if not given; `columns`, all if not given; `model`; `bins` from 2 to 1000;
//! `smoothing` from 0; `append`, which puts the new rows among the real ones, in random order, instead of in their place.
//!
//! O(d² n) to fit d columns of n rows, O(d) for each new row.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::synthesize::Synthesize};
//!
//! let mut age = ColumnBuilder::new("age");
//! for text in ["30", "71", "34", "75", "32", "73"] {
//!     age.push(text)?;
//! }
//! let table = Table::new(vec![age.finish()])?;
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let step = Synthesize { rows: Some(100), ..Synthesize::default() };
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! assert_eq!(output.tables[0].table.rows(), 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coincidences;
mod dependency_forest;
mod fitted;
mod states;

pub use dependency_forest::{Node, dependency_forest, gain};

use crate::numbers::missing_text;
use crate::{Input, Output, TransformError, Transformation, builder_like, chosen_columns};
use coincidences::equal_to_unique_rows;
use fitted::Fitted;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use states::States;
use tamis_table::{Column, Table, brief_number};

/// Draw rows from a model of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Synthesize {
    /// How many rows to make; as many as the table has if not given
    #[cfg_attr(feature = "flags", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The columns to make, separated by commas; all if not given
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMNS", value_delimiter = ','))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// What is learnt from the table
    #[cfg_attr(feature = "flags", arg(long, value_enum, default_value_t))]
    pub model: Model,
    /// How many ranges the numbers of a column are cut into, 2 to 1000
    #[cfg_attr(feature = "flags", arg(long, value_name = "N", default_value_t = DEFAULT_BINS))]
    pub bins: usize,
    /// How much rare values forget about the other columns, from 0
    #[cfg_attr(feature = "flags", arg(long, value_name = "WEIGHT", default_value_t = DEFAULT_SMOOTHING, allow_negative_numbers = true))]
    pub smoothing: f64,
    /// Mix the new rows with the real ones instead of replacing these
    #[cfg_attr(feature = "flags", arg(long))]
    pub append: bool,
}

/// What is learnt from the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Each column given the one it depends on most
    #[default]
    Tree,
    /// Each column by itself
    Independent,
}

const KIND: &str = "synthesize";
const DEFAULT_BINS: usize = 8;
const DEFAULT_SMOOTHING: f64 = 1.0;

impl Default for Synthesize {
    fn default() -> Self {
        Self {
            rows: None,
            columns: Vec::new(),
            model: Model::default(),
            bins: DEFAULT_BINS,
            smoothing: DEFAULT_SMOOTHING,
            append: false,
        }
    }
}

impl Transformation for Synthesize {
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let rows = self.check(input.table)?;
        let columns = chosen_columns(KIND, input.table, &self.columns)?;
        let learnt = columns.iter().map(|column| States::of(KIND, column, self.bins)).collect::<Result<Vec<_>, _>>()?;
        let states: Vec<Vec<u32>> = learnt.iter().map(States::of_rows).collect();
        let fitted = Fitted::of(self, &states);
        let drawn = fitted.draw(rows, input.dice);
        let mut synthetic = Vec::with_capacity(columns.len());
        for (learnt, drawn) in learnt.iter().zip(&drawn) {
            synthetic.push(learnt.draw(drawn, input.dice)?);
        }
        let notes = notes(&columns, &learnt, &fitted, &synthetic);
        let mut output = Output::of(if self.append {
            let both = appended(input.table, &synthetic, rows)?;
            let mut order: Vec<usize> = (0..both.rows()).collect();
            order.shuffle(input.dice);
            both.select(&order)
        } else {
            Table::new(synthetic)?
        });
        output.notes = notes;
        Ok(output)
    }
}

impl Synthesize {
    /// The number of rows to make.
    fn check(&self, table: &Table) -> Result<usize, TransformError> {
        let bad = |parameter, found, expected: &str| {
            Err(TransformError::BadParameter { kind: KIND, parameter, found, expected: expected.to_owned() })
        };
        let rows = self.rows.unwrap_or(table.rows());
        if rows == 0 && self.rows.is_some() || u32::try_from(rows).is_err() {
            return bad("rows", rows.to_string(), "a whole number from 1 to 4294967295");
        }
        if !(2..=1000).contains(&self.bins) {
            return bad("bins", self.bins.to_string(), "a whole number from 2 to 1000");
        }
        if !(self.smoothing >= 0.0 && self.smoothing.is_finite()) {
            return bad("smoothing", brief_number(self.smoothing), "a number from 0");
        }
        if table.rows() == 0 {
            let reason = "the table has no rows to learn from".to_owned();
            return Err(TransformError::Impossible { kind: KIND, reason });
        }
        Ok(rows)
    }
}

/// The real rows and the synthetic ones below; columns that were not made are missing there.
fn appended(table: &Table, synthetic: &[Column], rows: usize) -> Result<Table, TransformError> {
    let mut columns = Vec::with_capacity(table.columns().len());
    for real in table.columns() {
        let mut builder = builder_like(real);
        for row in 0..table.rows() {
            builder.push(real.text(row))?;
        }
        let made = synthetic.iter().find(|column| column.name() == real.name());
        for row in 0..rows {
            builder.push(made.map_or(missing_text(real), |made| made.text(row)))?;
        }
        columns.push(builder.finish());
    }
    Ok(Table::new(columns)?)
}

fn notes(columns: &[&Column], learnt: &[States<'_>], fitted: &Fitted<'_>, synthetic: &[Column]) -> Vec<String> {
    let edges: Vec<String> = fitted
        .forest
        .iter()
        .filter_map(|node| node.parent.map(|parent| (columns[node.column].name(), columns[parent].name())))
        .map(|(child, parent)| format!("{child} given {parent}"))
        .collect();
    let mut notes = Vec::new();
    if edges.is_empty() {
        notes.push("every column was drawn by itself".to_owned());
    } else {
        notes.push(format!("drawn together: {}; all else independently", edges.join(", ")));
    }
    let equal = equal_to_unique_rows(columns, synthetic);
    notes.push(format!("synthetic rows equal to a real row that is unique: {equal}"));
    for (column, _) in columns.iter().zip(learnt).filter(|(_, learnt)| learnt.is_mostly_unique()) {
        let name = column.name();
        notes.push(format!(
            "most values of `{name}` are one person's and were drawn as they are; consider to leave it out"
        ));
    }
    notes
}
