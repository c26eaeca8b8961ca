//! Cell suppression: single cells become `*`.
//!
//! Cells are named by their value, by the value being rare, or by a condition on their row; and with `k` as many more are suppressed
//! as make every combination of the columns, `*` read as a value of its own, occur in at least `k` rows; rows of nothing but `*`
//! aside. Such local suppression (Sweeney 2002; Hundepool and others 2012) spares the columns that generalization
//! coarsens for everybody.
//!
//! Suppressing the fewest cells is NP-hard (Meyerson and Williams 2004); this is a heuristic: as long as some combination is too
//! rare, one more cell is suppressed in the rows where that helps most at once. Rows that are frequent enough are left alone.
//!
//! ```
//! use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! use tamis_table::{ColumnBuilder, Table};
//! use tamis_transform::{Input, NoFiles, Transformation, kinds::suppress_cells::SuppressCells};
//!
//! let mut sex = ColumnBuilder::new("sex");
//! for text in ["M", "M", "F", "F"] {
//!     sex.push(text)?;
//! }
//! let mut zip = ColumnBuilder::new("zip");
//! for text in ["1", "1", "2", "3"] {
//!     zip.push(text)?;
//! }
//! let table = Table::new(vec![sex.finish(), zip.finish()])?;
//! let step = SuppressCells { columns: vec!["sex".into(), "zip".into()], k: Some(2), ..SuppressCells::default() };
//! let mut dice = ChaCha20Rng::seed_from_u64(1);
//! let output = step.apply(Input { table: &table, groups: None, dice: &mut dice, files: &NoFiles })?;
//! let zip = output.tables[0].table.column("zip")?;
//! assert_eq!([0, 1, 2, 3].map(|row| zip.text(row)), ["1", "1", "*", "*"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::columns::named_columns;
use crate::groups::Groups;
use crate::{Input, Output, TransformError, Transformation, builder_like, replace_columns};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use tamis_table::{Column, Table};

/// Replace cells by `*`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "flags", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct SuppressCells {
    /// The columns whose cells are suppressed
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "A,B,...", required = true))]
    pub columns: Vec<String>,
    /// Suppress these values
    #[cfg_attr(feature = "flags", arg(long, value_delimiter = ',', value_name = "X,Y,..."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Suppress values that fewer than this many rows have
    #[cfg_attr(feature = "flags", arg(long, value_name = "N", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarer_than: Option<u64>,
    /// Suppress the cells of rows where a column has a value; of several conditions all must be met
    #[cfg_attr(feature = "flags", arg(long = "where", value_delimiter = ',', value_name = "COLUMN=VALUE,..."))]
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Suppress more cells until every combination of the columns is in this many rows
    #[cfg_attr(feature = "flags", arg(long, value_name = "K", allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<usize>,
}

const KIND: &str = "suppress-cells";
const STAR: &str = "*";

impl Transformation for SuppressCells {
    /// Linear in cells; `k` costs, for each of at most as many rounds as there are cells in a row, a hash look-up for each cell of a
    /// rare combination.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError> {
        let table = input.table;
        let columns = named_columns(KIND, "columns", &self.columns, table)?;
        self.check()?;
        self.check_values(&columns)?;
        let condition = self.rows_that_meet_the_conditions(table)?;
        let mut is_star: Vec<Vec<bool>> = Vec::with_capacity(columns.len());
        for column in &columns {
            let by_code = self.named_codes(column);
            let codes = column.codes();
            let star = |row: usize| condition.as_ref().is_some_and(|met| met[row]) || by_code[codes.get(row) as usize];
            is_star.push((0..table.rows()).map(star).collect());
        }
        let mut suppressed = with_stars(table, &columns, &is_star)?;
        if let Some(k) = self.k {
            let columns = named_columns(KIND, "columns", &self.columns, &suppressed)?;
            let is_star = reach(&suppressed, &self.columns, &columns, k)?;
            suppressed = with_stars(&suppressed, &columns, &is_star)?;
        }
        let mut stars = 0;
        for column in &columns {
            let after = suppressed.column(column.name())?;
            stars += (0..table.rows()).filter(|&row| column.text(row) != after.text(row)).count();
        }
        let cells = table.rows() * columns.len();
        Ok(Output { notes: vec![format!("{stars} of {cells} cells suppressed")], ..Output::of(suppressed) })
    }
}

impl SuppressCells {
    fn check(&self) -> Result<(), TransformError> {
        let nothing =
            self.values.is_empty() && self.rarer_than.is_none() && self.conditions.is_empty() && self.k.is_none();
        if nothing {
            let expected = "which cells: `values`, `rarer_than`, `where` or `k`";
            return Err(TransformError::parameter(KIND, "values", "not given".to_owned(), expected));
        }
        if self.k == Some(0) {
            return Err(TransformError::parameter(KIND, "k", "0".to_owned(), "1 or more rows"));
        }
        Ok(())
    }

    /// A value that no cell has is a slip, and would leave the cells that were meant as they are.
    fn check_values(&self, columns: &[&Column]) -> Result<(), TransformError> {
        let occurs = |value: &String| columns.iter().any(|column| code_of(column, value).is_some());
        match self.values.iter().find(|value| !occurs(value)) {
            Some(absent) => {
                let expected = format!("values that occur in {}", self.columns.join(", "));
                Err(TransformError::parameter(KIND, "values", format!("a list with `{absent}`"), &expected))
            }
            None => Ok(()),
        }
    }

    /// Whether each row meets all conditions; nothing if there are none.
    fn rows_that_meet_the_conditions(&self, table: &Table) -> Result<Option<Vec<bool>>, TransformError> {
        let mut met: Option<Vec<bool>> = None;
        for condition in &self.conditions {
            let (name, value) = condition
                .split_once('=')
                .ok_or_else(|| TransformError::parameter(KIND, "where", format!("`{condition}`"), "COLUMN=VALUE"))?;
            let column = table.column(name)?;
            let wanted = code_of(column, value).ok_or_else(|| {
                TransformError::parameter(
                    KIND,
                    "where",
                    format!("`{condition}`"),
                    format!("a value that occurs in `{name}`"),
                )
            })?;
            let met = met.get_or_insert_with(|| vec![true; table.rows()]);
            column.codes().for_each(|row, code| met[row] &= code as usize == wanted);
        }
        Ok(met)
    }

    /// Whether each code is to be suppressed for its value or for being rare. A missing value is not: `*` would tell no less.
    fn named_codes(&self, column: &Column) -> Vec<bool> {
        let missing = column.missing().map(|code| code.0 as usize);
        let rare = |rows: u64| self.rarer_than.is_some_and(|least| rows < least);
        let named = |text: &str| self.values.iter().any(|value| value == text);
        let codes = column.dictionary().iter().zip(column.frequencies()).enumerate();
        codes.map(|(code, (text, rows))| missing != Some(code) && (named(text) || rare(rows))).collect()
    }
}

/// The code of a value; none if no row has it.
fn code_of(column: &Column, value: &str) -> Option<usize> {
    column.dictionary().iter().position(|text| text == value)
}

fn with_stars(table: &Table, columns: &[&Column], is_star: &[Vec<bool>]) -> Result<Table, TransformError> {
    let mut replaced = Vec::with_capacity(columns.len());
    for (column, is_star) in columns.iter().zip(is_star) {
        let mut builder = builder_like(column);
        for (row, &star) in is_star.iter().enumerate() {
            builder.push(if star { STAR } else { column.text(row) })?;
        }
        replaced.push(builder.finish().spelled_like(column));
    }
    replace_columns(table, replaced)
}

/// A combination of values; none is `*`.
type Pattern = Vec<Option<u32>>;

/// Which cells become `*` so that every combination is in `k` rows or is nothing but `*`.
fn reach(table: &Table, names: &[String], columns: &[&Column], k: usize) -> Result<Vec<Vec<bool>>, TransformError> {
    let groups = Groups::by_columns(table, names)?;
    let members = groups.members();
    let star_codes: Vec<Option<u32>> = columns
        .iter()
        .map(|column| column.dictionary().iter().position(|text| text == STAR).map(|code| code as u32))
        .collect();
    let pattern = |row: u32| -> Pattern {
        let cell = |(column, star): (&&Column, &Option<u32>)| {
            Some(column.codes().get(row as usize)).filter(|&code| *star != Some(code))
        };
        columns.iter().zip(&star_codes).map(cell).collect()
    };
    let mut classes = Classes { k, rows_of: HashMap::new() };
    for group in 0..members.len() {
        let rows = members.group(group);
        if let Some(&first) = rows.first() {
            classes.rows_of.insert(pattern(first), rows.to_vec());
        }
    }
    classes.suppress();
    let mut is_star = vec![vec![false; table.rows()]; columns.len()];
    for (pattern, rows) in classes.rows_of {
        for (is_star, cell) in is_star.iter_mut().zip(pattern) {
            rows.iter().filter(|_| cell.is_none()).for_each(|&row| is_star[row as usize] = true);
        }
    }
    Ok(is_star)
}

/// The rows of each combination.
struct Classes {
    k: usize,
    rows_of: HashMap<Pattern, Vec<u32>>,
}

impl Classes {
    /// Merges rare combinations until there are none: in each round first into combinations that become frequent, the largest
    /// first, and where none would, every rare one into its best.
    fn suppress(&mut self) {
        loop {
            let mut rare: Vec<Pattern> = self
                .rows_of
                .iter()
                .filter(|(pattern, rows)| self.is_rare(pattern, rows))
                .map(|(p, _)| p.clone())
                .collect();
            if rare.is_empty() {
                return;
            }
            rare.sort_unstable();
            let mut merges: Vec<(usize, Pattern, Vec<Pattern>)> = targets(&rare)
                .into_iter()
                .map(|(target, sources)| (self.size_with(&target, &sources), target, sources))
                .collect();
            merges.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
            let helps = merges.first().is_some_and(|(size, ..)| *size >= self.k);
            let mut grown: HashSet<Pattern> = HashSet::new();
            for (_, target, sources) in merges {
                // Combinations that a larger merge of this round took are gone, and those that it added to wait for the next.
                let is_left = |source: &Pattern| self.rows_of.contains_key(source) && !grown.contains(source);
                let left: Vec<Pattern> = sources.into_iter().filter(is_left).collect();
                if !left.is_empty() && (!helps || self.size_with(&target, &left) >= self.k) {
                    grown.insert(target.clone());
                    self.merge(target, &left);
                }
            }
        }
    }

    fn is_rare(&self, pattern: &Pattern, rows: &[u32]) -> bool {
        rows.len() < self.k && pattern.iter().any(Option::is_some)
    }

    fn size_with(&self, target: &Pattern, sources: &[Pattern]) -> usize {
        let there = |pattern: &Pattern| self.rows_of.get(pattern).map_or(0, Vec::len);
        there(target) + sources.iter().map(there).sum::<usize>()
    }

    fn merge(&mut self, target: Pattern, sources: &[Pattern]) {
        let rows: Vec<u32> = sources.iter().filter_map(|source| self.rows_of.remove(source)).flatten().collect();
        self.rows_of.entry(target).or_default().extend(rows);
    }
}

/// Every combination that one more `*` makes of a rare one, with those it can be made of.
fn targets(rare: &[Pattern]) -> HashMap<Pattern, Vec<Pattern>> {
    let mut targets: HashMap<Pattern, Vec<Pattern>> = HashMap::new();
    for pattern in rare {
        for cell in (0..pattern.len()).filter(|&cell| pattern[cell].is_some()) {
            let mut target = pattern.clone();
            target[cell] = None;
            targets.entry(target).or_default().push(pattern.clone());
        }
    }
    targets
}
