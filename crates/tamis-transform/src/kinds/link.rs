//! Linking tables: quasi-identifiers and sensitive values in tables of their own, held together by a third that stays secret.
//!
//! T(ID, PID, W) becomes T1(ID, PID), T3(ID, IDP) and T2(IDP, W), where IDP numbers the rows in a secret random order (Liber 2014,
//! section 3.1). Whoever has T1 and T2 but not T3 knows who is in the data and which values occur, and nothing about who has which.
//! T2 is sorted by IDP, so that its order tells nothing either. [`Join`](super::join::Join) puts the three together again.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::link::Link};
//!
//! let mut job = ColumnBuilder::new("job");
//! for text in ["cook", "poet", "spy"] {
//!     job.push(text)?;
//! }
//! let mut disease = ColumnBuilder::new("disease");
//! for text in ["flu", "AIDS", "cancer"] {
//!     disease.push(text)?;
//! }
//! let table = Table::new(vec![job.finish(), disease.finish()])?;
//! let step = Link { sensitive: vec!["disease".into()], ..Link::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let names: Vec<(&str, bool)> = output.tables.iter().map(|made| (made.name, made.is_secret)).collect();
//! assert_eq!(names, [("quasi", false), ("sensitive", false), ("link", true)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::{column_of, named_columns};
use crate::{Input, Output, OutputTable, Stage, TransformError, Transformation};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use tamis_table::{Column, Table};

/// Split a table into quasi-identifiers, sensitive values and a secret table that links them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Link {
    /// The columns that go into the table of sensitive values; all others stay in the first one
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub sensitive: Vec<String>,
    /// The column that identifies each row; rows are numbered from 1 if left out
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMN"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the column of row numbers is called where `id` is left out
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "ID"))]
    pub new_id: String,
    /// What the column of secret ids is called
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "IDP"))]
    pub secret_id: String,
}

impl Default for Link {
    fn default() -> Self {
        Self { sensitive: Vec::new(), id: None, new_id: "ID".to_owned(), secret_id: "IDP".to_owned() }
    }
}

const KIND: &str = "link";

impl Transformation for Link {
    fn stage(&self) -> Stage {
        Stage::Release
    }

    /// Linear in cells.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let sensitive = named_columns(KIND, "sensitive", &self.sensitive, table)?;
        let id = match &self.id {
            Some(name) if self.sensitive.contains(name) => {
                return Err(TransformError::BadParameter {
                    kind: KIND,
                    parameter: "id",
                    found: format!("`{name}`, which is sensitive too"),
                    expected: "a column that may stay beside the quasi-identifiers".to_owned(),
                });
            }
            Some(name) => {
                let id = table.column(name)?;
                ensure_unique(KIND, "the table", id)?;
                id.clone()
            }
            None => column_of(&self.new_id, (1..=table.rows()).map(|number| number.to_string()))?,
        };

        let mut row_of_secret: Vec<usize> = (0..table.rows()).collect();
        row_of_secret.shuffle(input.dice);
        let mut secret_of_row = vec![0; table.rows()];
        for (secret, &row) in row_of_secret.iter().enumerate() {
            secret_of_row[row] = secret + 1;
        }

        let stays = |column: &&Column| column.name() != id.name() && !self.sensitive.iter().any(|s| s == column.name());
        let quasi: Vec<Column> = table.columns().iter().filter(stays).cloned().collect();
        let made_id_clashes = self.id.is_none() && table.column(&self.new_id).is_ok();
        if made_id_clashes {
            return Err(TransformError::BadParameter {
                kind: KIND,
                parameter: "new_id",
                found: format!("`{}`, which the table already has", self.new_id),
                expected: "a new name, or `id` with the column that identifies the rows".to_owned(),
            });
        }
        let secret_ids = |numbers: &mut dyn Iterator<Item = usize>| {
            column_of(&self.secret_id, numbers.map(|number| number.to_string()))
        };
        let by_secret = sensitive.iter().map(|column| column.select(&row_of_secret));
        let first = Table::new([id.clone()].into_iter().chain(quasi).collect())?;
        let second = Table::new([secret_ids(&mut (1..=table.rows()))?].into_iter().chain(by_secret).collect())?;
        let third = Table::new(vec![id, secret_ids(&mut secret_of_row.into_iter())?])?;
        Ok(Output {
            tables: vec![
                OutputTable { name: "quasi", table: first, is_secret: false },
                OutputTable { name: "sensitive", table: second, is_secret: false },
                OutputTable { name: "link", table: third, is_secret: true },
            ],
            notes: vec![
                "the table `link` tells who has which sensitive value: keep it secret, and keep it if the tables are to be joined again"
                    .to_owned(),
            ],
        })
    }

    fn tables(&self) -> &'static [&'static str] {
        &["quasi", "sensitive", "link"]
    }
}

/// Checks that a column names every row, and each by another name.
pub(crate) fn ensure_unique(kind: &'static str, place: &str, id: &Column) -> Result<(), TransformError> {
    let bad = |reason: String| TransformError::BadTable { kind, reason };
    let mut first_row = vec![None; id.dictionary().len()];
    for row in 0..id.codes().len() {
        let code = id.codes().get(row);
        if id.missing().is_some_and(|missing| missing.0 == code) {
            return Err(bad(format!("row {} of {place} has no `{}`; every row needs one", row + 1, id.name())));
        }
        if let Some(first) = first_row[code as usize].replace(row + 1) {
            return Err(bad(format!(
                "rows {first} and {} of {place} both have `{}` as `{}`; every row needs its own",
                row + 1,
                id.text(row),
                id.name()
            )));
        }
    }
    Ok(())
}
