//! Anatomy: a table of quasi-identifiers with group ids, and how often each sensitive value occurs in each group.
//!
//! Quasi-identifiers stay as they are, and queries over them exact; what is lost is which member of a group has which of the group's
//! values (Xiao and Tao 2006; Liber 2014, section 3.3). Groups are given, or formed so that each holds `l` different values: while `l`
//! values are left, a group takes one row each of the `l` most frequent; each row left over goes to a group without its value. That
//! works out exactly if no value is in more than 1/l of the rows, and a member's value is then known with probability 1/l at most.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::anatomize::Anatomize};
//!
//! let mut job = ColumnBuilder::new("job");
//! for text in ["cook", "cook", "poet", "poet"] {
//!     job.push(text)?;
//! }
//! let mut disease = ColumnBuilder::new("disease");
//! for text in ["flu", "AIDS", "flu", "flu"] {
//!     disease.push(text)?;
//! }
//! let table = Table::new(vec![job.finish(), disease.finish()])?;
//! let step = Anatomize { sensitive: "disease".into(), group_by: vec!["job".into()], ..Anatomize::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let [quasi, sensitive] = output.tables.as_slice() else { panic!("two tables") };
//! assert_eq!(quasi.table.column("group")?.text(2), "2");
//! assert_eq!(sensitive.table.column("count")?.text(2), "2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::{column_of, named_columns};
use crate::groups::{GroupParameters, Groups};
use crate::{Input, Output, OutputTable, Stage, TransformError, Transformation};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use std::collections::BinaryHeap;
use tamis_table::{Column, Members, Table, compare_values};

/// Split a table into quasi-identifiers with group ids and counts of sensitive values per group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct Anatomize {
    /// The sensitive column
    #[cfg_attr(feature = "flags", arg(long, value_name = "COLUMN", required = true))]
    pub sensitive: String,
    /// The columns that stay beside the group ids; all but the sensitive one if left out
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quasi: Vec<String>,
    /// Form groups with this many different sensitive values
    #[cfg_attr(
        feature = "flags",
        arg(long, value_name = "L", allow_negative_numbers = true, conflicts_with_all = ["group_by", "groups_from"])
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l: Option<usize>,
    /// A table with the same rows in the same order whose columns tell the groups, such as a generalized one
    #[cfg_attr(feature = "flags", arg(long, value_name = "FILE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups_from: Option<String>,
    /// The columns whose equal rows form a group
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// What the column of group ids is called
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "group"))]
    pub group_column: String,
    /// What the column of counts is called
    #[cfg_attr(feature = "flags", arg(long, value_name = "NAME", default_value = "count"))]
    pub count_column: String,
}

impl Default for Anatomize {
    fn default() -> Self {
        Self {
            sensitive: String::new(),
            quasi: Vec::new(),
            l: None,
            groups_from: None,
            group_by: Vec::new(),
            group_column: "group".to_owned(),
            count_column: "count".to_owned(),
        }
    }
}

const KIND: &str = "anatomize";

impl Transformation for Anatomize {
    fn stage(&self) -> Stage {
        Stage::Groups
    }

    /// Linear in rows for given groups, O(n log v) for n rows of v values where they are formed.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let sensitive = match self.sensitive.as_str() {
            "" => {
                return Err(TransformError::parameter(
                    KIND,
                    "sensitive",
                    "not given".to_owned(),
                    "the sensitive column",
                ));
            }
            name => table.column(name)?,
        };
        let quasi: Vec<&Column> = if self.quasi.is_empty() {
            table.columns().iter().filter(|column| column.name() != self.sensitive).collect()
        } else {
            named_columns(KIND, "quasi", &self.quasi, table)?
        };
        if quasi.iter().any(|column| column.name() == self.sensitive) {
            return Err(TransformError::parameter(
                KIND,
                "quasi",
                format!("a list with the sensitive `{}`", self.sensitive),
                "other columns",
            ));
        }
        let given = GroupParameters { kind: KIND, groups_from: self.groups_from.as_deref(), group_by: &self.group_by };
        let groups = match self.l {
            None => given.require(&input, ", or `l` to form groups")?,
            Some(l) if self.group_by.is_empty() && self.groups_from.is_none() => bucketize(sensitive, l, input.dice)?,
            Some(_) => {
                return Err(TransformError::parameter(
                    KIND,
                    "l",
                    "given beside groups".to_owned(),
                    "either `l` or groups",
                ));
            }
        };
        let ids = column_of(&self.group_column, groups.of_row.iter().map(|group| (group + 1).to_string()))?;
        let first = Table::new(quasi.into_iter().cloned().chain([ids]).collect())?;
        Ok(Output {
            tables: vec![
                OutputTable { name: "quasi", table: first, is_secret: false },
                OutputTable { name: "sensitive", table: self.counts(sensitive, &groups)?, is_secret: false },
            ],
            notes: Vec::new(),
        })
    }

    fn tables(&self) -> &'static [&'static str] {
        &["quasi", "sensitive"]
    }

    fn files(&self) -> Vec<&str> {
        self.groups_from.as_deref().into_iter().collect()
    }
}

impl Anatomize {
    /// Group, value, count; sorted by group, then by value.
    fn counts(&self, sensitive: &Column, groups: &Groups) -> Result<Table, TransformError> {
        let mut by_value: Vec<u32> = (0..sensitive.dictionary().len() as u32).collect();
        let text = |code: u32| sensitive.dictionary().text(code);
        by_value.sort_by(|&left, &right| compare_values(sensitive.data_type(), text(left), text(right)));
        let mut rank_of_code = vec![0u32; by_value.len()];
        for (rank, &code) in by_value.iter().enumerate() {
            rank_of_code[code as usize] = rank as u32;
        }
        let members = groups.members();
        let (mut ids, mut rows, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for group in 0..members.len() {
            let mut of_group: Vec<(u32, usize)> = members
                .group(group)
                .iter()
                .map(|&row| (rank_of_code[sensitive.codes().get(row as usize) as usize], row as usize))
                .collect();
            of_group.sort_unstable();
            for same in of_group.chunk_by(|left, right| left.0 == right.0) {
                ids.push(group + 1);
                rows.push(same[0].1);
                counts.push(same.len());
            }
        }
        let numbers = |name: &str, numbers: Vec<usize>| column_of(name, numbers.into_iter().map(|n| n.to_string()));
        Ok(Table::new(vec![
            numbers(&self.group_column, ids)?,
            sensitive.select(&rows),
            numbers(&self.count_column, counts)?,
        ])?)
    }
}

fn value_in_words(column: &Column, code: u32) -> String {
    if column.missing().is_some_and(|missing| missing.0 == code) {
        return "a missing value".to_owned();
    }
    format!("`{}`", column.dictionary().text(code))
}

/// Xiao and Tao's groups: each holds at least `l` rows, no two of one value.
fn bucketize(sensitive: &Column, l: usize, dice: &mut ChaCha20Rng) -> Result<Groups, TransformError> {
    if l < 2 {
        return Err(TransformError::parameter(KIND, "l", l.to_string(), "2 or more different values per group"));
    }
    let values = sensitive.dictionary().len();
    let rows = sensitive.codes().len();
    let codes: Vec<u32> = (0..rows).map(|row| sensitive.codes().get(row)).collect();
    let members = Members::of(&codes, values);
    let mut buckets: Vec<Vec<u32>> = (0..values).map(|code| members.group(code).to_vec()).collect();
    let most_frequent = (0..values).rev().max_by_key(|&code| buckets[code].len());
    if let Some(code) = most_frequent.filter(|&code| buckets[code].len() > rows / l) {
        return Err(TransformError::Impossible {
            kind: KIND,
            reason: format!(
                "{} is in {} of {rows} rows, which is more than one in {l}; {}",
                value_in_words(sensitive, code as u32),
                buckets[code].len(),
                // With l values in every group, one of them is in at most one row in l.
                match rows / buckets[code].len() {
                    most @ 2.. => format!("`l` can be at most {most}"),
                    _ => "no `l` would do, so generalize or remove some of these rows".to_owned(),
                }
            ),
        });
    }
    for bucket in &mut buckets {
        bucket.shuffle(dice);
    }
    let mut largest: BinaryHeap<(usize, usize)> = buckets
        .iter()
        .enumerate()
        .filter(|(_, rows)| !rows.is_empty())
        .map(|(code, rows)| (rows.len(), code))
        .collect();
    let mut group_of_row = vec![0u32; rows];
    let mut has_value: Vec<Vec<usize>> = Vec::new();
    while largest.len() >= l {
        let drawn: Vec<(usize, usize)> = (0..l).filter_map(|_| largest.pop()).collect();
        for &(left, code) in &drawn {
            if let Some(row) = buckets[code].pop() {
                group_of_row[row as usize] = has_value.len() as u32;
            }
            if left > 1 {
                largest.push((left - 1, code));
            }
        }
        has_value.push(drawn.into_iter().map(|(_, code)| code).collect());
    }
    // No value is in more rows than there are groups, so one of them lacks the value of a row that is left over.
    for (_, code) in largest {
        for row in std::mem::take(&mut buckets[code]) {
            let lacking: Vec<usize> = (0..has_value.len()).filter(|&group| !has_value[group].contains(&code)).collect();
            let group = lacking[dice.random_range(0..lacking.len())];
            group_of_row[row as usize] = group as u32;
            has_value[group].push(code);
        }
    }
    Ok(Groups::renumbered(&group_of_row))
}
