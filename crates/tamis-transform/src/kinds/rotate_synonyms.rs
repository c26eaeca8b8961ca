//! Rotating synonyms: values that mean the same take turns, so that none of them is frequent in a group.
//!
//! Sets of equivalent values Y1, Y2, ... stand in for each other one to one. In a group where `AIDS` fills three rows in four, it and
//! two synonyms are left with one in four each, and the confidence that a quasi-identifier gives in any one of them falls (Wang and
//! Fung 2006; Liber 2014, section 2.3). Whoever knows the sets reads the table as before: this bounds what is said, not what is known.
//!
//! The first row of a group with a meaning keeps its value. Each further one takes the synonym that the group has used least for this
//! meaning; among equals the one whose set the group has used least for all, then the earlier set.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::rotate_synonyms::RotateSynonyms};
//!
//! let mut job = ColumnBuilder::new("job");
//! for text in ["cook", "cook", "cook"] {
//!     job.push(text)?;
//! }
//! let mut disease = ColumnBuilder::new("disease");
//! for text in ["flu", "flu", "flu"] {
//!     disease.push(text)?;
//! }
//! let table = Table::new(vec![job.finish(), disease.finish()])?;
//! let step = RotateSynonyms {
//!     column: "disease".into(),
//!     synonyms: vec![vec!["flu".into(), "influenza".into()]],
//!     group_by: vec!["job".into()],
//!     ..RotateSynonyms::default()
//! };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let disease = output.tables[0].table.column("disease")?;
//! assert_eq!([0, 1, 2].map(|row| disease.text(row)), ["flu", "influenza", "flu"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::groups::GroupParameters;
use crate::{Input, Output, Stage, TransformError, Transformation, builder_like, replace_columns};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tamis_table::Table;

/// Replace repeated values of a group by their synonyms in turn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct RotateSynonyms {
    /// The column
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMN", required = true))]
    pub column: String,
    /// A table whose rows are values that mean the same, one column per set
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE", required = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synonyms_from: Option<String>,
    /// The same, given here
    #[cfg_attr(feature = "flags", arg(skip))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<Vec<String>>,
    /// A table with the same rows in the same order whose columns tell the groups, such as a generalized one
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups_from: Option<String>,
    /// The columns whose equal rows form a group
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
}

const KIND: &str = "rotate-synonyms";

impl Transformation for RotateSynonyms {
    fn stage(&self) -> Stage {
        Stage::Release
    }

    /// Linear in rows, times the number of sets.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let column = match self.column.as_str() {
            "" => {
                return Err(TransformError::parameter(
                    KIND,
                    "column",
                    "not given".to_owned(),
                    "the column whose values have synonyms".to_owned(),
                ));
            }
            name => table.column(name)?,
        };
        let synonyms = self.synonyms(&input)?;
        let place_of = places(&synonyms)?;
        let mut place_of_code = Vec::with_capacity(column.dictionary().len());
        for (code, text) in column.dictionary().iter().enumerate() {
            let is_missing = column.missing().is_some_and(|missing| missing.0 as usize == code);
            place_of_code.push(match place_of.get(text) {
                Some(&place) => Some(place),
                None if is_missing => None,
                None => {
                    let row = (0..table.rows()).find(|&row| column.codes().get(row) as usize == code).unwrap_or(0) + 1;
                    return Err(TransformError::BadTable {
                        kind: KIND,
                        reason: format!("`{text}` in row {row} of `{}` has no synonyms; add a row for it", self.column),
                    });
                }
            });
        }
        let given = GroupParameters { kind: KIND, groups_from: self.groups_from.as_deref(), group_by: &self.group_by };
        let members = given.require(&input, "")?.members();
        let sets = synonyms.first().map_or(0, Vec::len);
        let mut chosen: Vec<Option<(usize, usize)>> = vec![None; table.rows()];
        for group in 0..members.len() {
            let mut used = Used { by_meaning: HashMap::new(), by_all: vec![0; sets] };
            for &row in members.group(group) {
                chosen[row as usize] = place_of_code[column.codes().get(row as usize) as usize]
                    .map(|(meaning, own)| (meaning, used.next(meaning, own)));
            }
        }
        let mut builder = builder_like(column);
        for (row, chosen) in chosen.into_iter().enumerate() {
            builder.push(chosen.map_or(column.text(row), |(meaning, set)| &synonyms[meaning][set]))?;
        }
        Ok(Output::of(replace_columns(table, vec![builder.finish().spelled_like(column)])?))
    }

    fn files(&self) -> Vec<&str> {
        self.synonyms_from.iter().chain(&self.groups_from).map(String::as_str).collect()
    }
}

impl RotateSynonyms {
    fn synonyms(&self, input: &Input<'_>) -> Result<Vec<Vec<String>>, TransformError> {
        match (&self.synonyms_from, self.synonyms.as_slice()) {
            (Some(path), []) => Ok(rows_of(&input.files.table(path)?)),
            (None, [_, ..]) => Ok(self.synonyms.clone()),
            (None, []) => Err(TransformError::parameter(
                KIND,
                "synonyms_from",
                "not given".to_owned(),
                "a file of synonyms".to_owned(),
            )),
            (Some(_), _) => Err(TransformError::parameter(
                KIND,
                "synonyms",
                "given beside `synonyms_from`".to_owned(),
                "one of the two".to_owned(),
            )),
        }
    }
}

fn rows_of(table: &Table) -> Vec<Vec<String>> {
    (0..table.rows()).map(|row| table.columns().iter().map(|column| column.text(row).to_owned()).collect()).collect()
}

/// Which meaning and set each synonym belongs to; the sets must stand for each other one to one.
fn places(synonyms: &[Vec<String>]) -> Result<HashMap<&str, (usize, usize)>, TransformError> {
    let sets = synonyms.first().map_or(0, Vec::len);
    let mut place_of: HashMap<&str, (usize, usize)> = HashMap::new();
    for (meaning, row) in synonyms.iter().enumerate() {
        if row.len() != sets || sets < 2 {
            let expected = format!("{} synonyms, as many as in every other row", sets.max(2));
            return Err(TransformError::parameter(
                KIND,
                "synonyms",
                format!("{} in row {}", row.len(), meaning + 1),
                expected,
            ));
        }
        for (set, text) in row.iter().enumerate() {
            if text.is_empty() {
                let found = format!("without a value in row {}, set {}", meaning + 1, set + 1);
                return Err(TransformError::parameter(KIND, "synonyms", found, "a value in every set".to_owned()));
            }
            if let Some((other, _)) = place_of.insert(text, (meaning, set)) {
                let found = format!("a table with `{text}` in row {} and again in row {}", other + 1, meaning + 1);
                return Err(TransformError::parameter(KIND, "synonyms", found, "each value once".to_owned()));
            }
        }
    }
    Ok(place_of)
}

/// How often a group has used each set.
struct Used {
    by_meaning: HashMap<usize, Vec<u32>>,
    by_all: Vec<u32>,
}

impl Used {
    /// The set that the next row with this meaning takes, where `own` is the set of its value.
    fn next(&mut self, meaning: usize, own: usize) -> usize {
        let is_first = !self.by_meaning.contains_key(&meaning);
        let sets = self.by_all.len();
        let by_meaning = self.by_meaning.entry(meaning).or_insert_with(|| vec![0; sets]);
        let least = (0..sets).min_by_key(|&set| (by_meaning[set], self.by_all[set], set)).unwrap_or(own);
        let set = if is_first { own } else { least };
        by_meaning[set] += 1;
        self.by_all[set] += 1;
        set
    }
}
