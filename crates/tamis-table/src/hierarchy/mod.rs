//! Generalization hierarchies: what each value may be replaced by, level by level.
//!
//! A hierarchy file has one line per value, `value;level 1;...;*`. Column 0 is the value itself, each further column is
//! coarser. [`Hierarchy::from_rows`] checks that this holds and [`check`] says everything that is wrong; [`Recoder`] binds a
//! hierarchy to a column. [`builders`] derive the lines from the values.

pub mod builders;
mod check;
mod recoder;

pub use builders::Builder;
pub use check::{Finding, FindingKind, Severity, check, check_against};
pub use recoder::Recoder;

use crate::{Dictionary, HierarchyError, Interner};
use std::collections::HashMap;

/// What a suppressed or fully generalized value is printed as.
pub const SUPPRESSED: &str = "*";

/// One line of a hierarchy: the value and its labels, finest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyRow {
    /// Line in the file, from 1, for messages; builders number their rows.
    pub line: u64,
    /// The value, then its label on level 1, 2, ...
    pub labels: Vec<String>,
}

/// A checked hierarchy: every value has one label per level and every label one parent.
///
/// ```
/// use tamis_table::{Hierarchy, HierarchyRow};
/// let rows: Vec<HierarchyRow> = ["05345;05340;*", "05349;05340;*", "05352;05350;*"]
///     .iter()
///     .zip(1..)
///     .map(|(text, line)| HierarchyRow { line, labels: text.split(';').map(str::to_owned).collect() })
///     .collect();
/// let zip = Hierarchy::from_rows(&rows)?;
/// assert_eq!(zip.levels(), 3);
/// assert_eq!(zip.label("05349", 1), Some("05340"));
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hierarchy {
    values: Interner,
    levels: Vec<LevelLabels>,
    lines: u64,
}

/// The labels of one level.
#[derive(Debug, Clone)]
struct LevelLabels {
    labels: Dictionary,
    /// Label of each value.
    of_value: Vec<u32>,
    /// How many lines of the file carry each label.
    lines: Vec<u64>,
}

impl Hierarchy {
    /// Checks the rows and indexes them. The first thing wrong, in line order, is the error.
    ///
    /// Time and memory are linear in the number of cells.
    pub fn from_rows(rows: &[HierarchyRow]) -> Result<Self, HierarchyError> {
        let first = rows.first().ok_or(HierarchyError::Empty)?;
        let width = first.labels.len();
        if width == 0 {
            return Err(HierarchyError::Empty);
        }
        let mut values = Interner::default();
        let mut row_of_value: Vec<&HierarchyRow> = Vec::new();
        let mut value_lines: Vec<u64> = Vec::new();
        for row in rows {
            if row.labels.len() != width {
                return Err(HierarchyError::UnevenRow {
                    line: row.line,
                    found: row.labels.len(),
                    expected: width,
                    first_line: first.line,
                });
            }
            let value = values.intern(&row.labels[0]).ok_or_else(too_large)? as usize;
            match row_of_value.get(value) {
                None => {
                    row_of_value.push(row);
                    value_lines.push(1);
                }
                Some(earlier) if earlier.labels == row.labels => value_lines[value] += 1,
                Some(earlier) => {
                    return Err(HierarchyError::TwoParents {
                        line: row.line,
                        value: row.labels[0].clone(),
                        first_line: earlier.line,
                    });
                }
            }
        }
        let levels =
            (0..width).map(|level| LevelLabels::index(level, &row_of_value, &value_lines)).collect::<Result<_, _>>()?;
        Ok(Self { values, levels, lines: rows.len() as u64 })
    }

    /// Number of columns: level 0 (the value itself) up to `levels() - 1`.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Number of lines in the file, repeated ones included.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Number of different labels on `level`, 0 if there is no such level: how fine the level is.
    ///
    /// ```
    /// use tamis_table::Hierarchy;
    /// use tamis_table::hierarchy::builders::{Builder, Mask};
    /// let zip = Hierarchy::from_rows(&Builder::Mask(Mask::default()).build(&["476", "477", "481"])?)?;
    /// assert_eq!((0..zip.levels()).map(|level| zip.labels_on(level)).collect::<Vec<_>>(), [3, 2, 1, 1]);
    /// # Ok::<(), tamis_table::HierarchyError>(())
    /// ```
    pub fn labels_on(&self, level: usize) -> usize {
        self.levels.get(level).map_or(0, |level| level.labels.len())
    }

    /// What `value` becomes on `level`; `None` if it is not listed or the level does not exist.
    pub fn label(&self, value: &str, level: usize) -> Option<&str> {
        let value = self.values.find(value)?;
        let level = self.levels.get(level)?;
        Some(level.labels.text(level.of_value[value as usize]))
    }
}

impl LevelLabels {
    fn index(level: usize, rows: &[&HierarchyRow], value_lines: &[u64]) -> Result<Self, HierarchyError> {
        let mut labels = Interner::default();
        let mut of_value = Vec::with_capacity(rows.len());
        let mut lines = Vec::new();
        let mut parents: HashMap<&str, &HierarchyRow> = HashMap::new();
        for (row, &count) in rows.iter().zip(value_lines) {
            let label = labels.intern(&row.labels[level]).ok_or_else(too_large)?;
            of_value.push(label);
            if label as usize == lines.len() {
                lines.push(0);
            }
            lines[label as usize] += count;
            if level > 0 {
                let earlier = parents.entry(&row.labels[level - 1]).or_insert(row);
                if earlier.labels[level] != row.labels[level] {
                    return Err(HierarchyError::NotCoarsening {
                        line: row.line,
                        level,
                        label: row.labels[level - 1].clone(),
                        parent: row.labels[level].clone(),
                        first_parent: earlier.labels[level].clone(),
                        first_line: earlier.line,
                    });
                }
            }
        }
        Ok(Self { labels: labels.finish(), of_value, lines })
    }
}

fn too_large() -> HierarchyError {
    HierarchyError::Builder("it has more text than 32 bits can address".to_owned())
}
