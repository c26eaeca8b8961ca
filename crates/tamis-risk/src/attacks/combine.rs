//! Putting two releases of one row together: each column takes the value that says more.

use super::{AttackError, Labels};
use std::collections::{HashMap, HashSet};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, ColumnBuilder, Table};

/// Which of two releases has the more specific value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Pick {
    First,
    Second,
}

/// How the texts of one column in two releases relate.
///
/// With a hierarchy, two texts can be about one person if one covers the other, and the covered one says more. Without, equal texts
/// agree and `*` covers everything; other pairs can only be about one person if the two releases never use the same text, so that one of
/// them is generalized throughout: the column with more different values then says more.
pub(crate) struct Relation<'a> {
    first: &'a Column,
    second: &'a Column,
    labels: Option<&'a Labels>,
    is_one_vocabulary: bool,
    known: HashMap<(u32, u32), Option<Pick>>,
}

impl<'a> Relation<'a> {
    pub(crate) fn of(first: &'a Column, second: &'a Column, labels: Option<&'a Labels>) -> Self {
        let texts: HashSet<&str> = first.dictionary().iter().collect();
        let is_one_vocabulary = second.dictionary().iter().any(|text| text != SUPPRESSED && texts.contains(text));
        Self { first, second, labels, is_one_vocabulary, known: HashMap::new() }
    }

    /// Which of two codes says more; `None` if they cannot be about one person. Each pair is compared once.
    pub(crate) fn pick(&mut self, first: u32, second: u32) -> Option<Pick> {
        if let Some(&known) = self.known.get(&(first, second)) {
            return known;
        }
        let pick = self.compare(self.first.dictionary().text(first), self.second.dictionary().text(second));
        self.known.insert((first, second), pick);
        pick
    }

    fn compare(&self, first: &str, second: &str) -> Option<Pick> {
        if first == second || second == SUPPRESSED {
            return Some(Pick::First);
        }
        if first == SUPPRESSED {
            return Some(Pick::Second);
        }
        match self.labels {
            Some(labels) => match (labels.covers(second, first), labels.covers(first, second)) {
                // A label with a single value below it; the value still says it better.
                (true, true) if labels.levels_of(second).first() < labels.levels_of(first).first() => {
                    Some(Pick::Second)
                }
                (true, _) => Some(Pick::First),
                (false, true) => Some(Pick::Second),
                (false, false) => None,
            },
            None if self.is_one_vocabulary => None,
            None => Some(self.finer()),
        }
    }

    /// The release with more different values.
    pub(crate) fn finer(&self) -> Pick {
        let is_second = self.second.dictionary().len() > self.first.dictionary().len();
        if is_second { Pick::Second } else { Pick::First }
    }

    /// Whether only the number of different values says which release is finer.
    pub(crate) fn is_guessed(&self) -> bool {
        self.labels.is_none() && !self.is_one_vocabulary
    }
}

/// A table of pairs of rows: the columns of the first release, each with the value that says more, then those only the second has.
///
/// A pair that contradicts itself keeps the first value.
pub(crate) fn combined(
    first: &Table,
    second: &Table,
    relations: &mut HashMap<&str, Relation<'_>>,
    pairs: &[(usize, usize)],
) -> Result<Table, AttackError> {
    let mut columns = Vec::new();
    for ours in first.columns() {
        let mut builder = ColumnBuilder::new(ours.name());
        let mut relation = relations.get_mut(ours.name());
        let theirs = second.column(ours.name()).ok();
        for &(row, other) in pairs {
            let pick = match (&mut relation, theirs) {
                (Some(relation), Some(theirs)) => relation.pick(ours.codes().get(row), theirs.codes().get(other)),
                _ => None,
            };
            match (pick, theirs) {
                (Some(Pick::Second), Some(theirs)) => builder.push(theirs.text(other))?,
                _ => builder.push(ours.text(row))?,
            }
        }
        columns.push(builder.finish());
    }
    for theirs in second.columns().iter().filter(|column| first.column(column.name()).is_err()) {
        let mut builder = ColumnBuilder::new(theirs.name());
        for &(_, other) in pairs {
            builder.push(theirs.text(other))?;
        }
        columns.push(builder.finish());
    }
    Ok(Table::new(columns)?)
}

/// The columns that both tables have, in the order of the first.
pub(crate) fn shared_columns<'a>(first: &'a Table, second: &Table) -> Vec<&'a str> {
    let names = first.columns().iter().map(Column::name);
    names.filter(|name| second.column(name).is_ok()).collect()
}
