//! Groups of rows inside which a transformation works.

use crate::{Input, TransformError};
use tamis_table::{Members, Table, TableError, TupleColumn, number_tuples};

/// The group of each row; groups are numbered from 0 in the order in which they first appear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Groups {
    pub(crate) of_row: Vec<u32>,
    pub(crate) count: usize,
}

impl Groups {
    /// All rows in one group.
    pub(crate) fn one(rows: usize) -> Self {
        Self { of_row: vec![0; rows], count: usize::from(rows > 0) }
    }

    /// Rows that agree in the named columns. One hash look-up a row.
    pub(crate) fn by_columns(table: &Table, names: &[String]) -> Result<Self, TableError> {
        let columns = names.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let views: Vec<&dyn TupleColumn> = columns.iter().map(|column| column.codes() as &dyn TupleColumn).collect();
        let domains: Vec<u32> = columns.iter().map(|column| column.dictionary().len() as u32).collect();
        let (of_row, first_rows) = number_tuples(table.rows(), &views, &domains);
        Ok(Self { of_row, count: first_rows.len() })
    }

    /// Groups numbered in any way.
    pub(crate) fn renumbered(groups: &[u32]) -> Self {
        let domain = groups.iter().max().map_or(0, |&largest| largest.saturating_add(1));
        let (of_row, first_rows) = number_tuples(groups.len(), &[&Labels(groups)], &[domain.max(1)]);
        Self { of_row, count: first_rows.len() }
    }

    /// The rows of each group.
    pub(crate) fn members(&self) -> Members {
        Members::of(&self.of_row, self.count)
    }
}

struct Labels<'a>(&'a [u32]);

impl TupleColumn for Labels<'_> {
    fn pack(&self, start: usize, shift: u32, keys: &mut [u64]) {
        for (key, &label) in keys.iter_mut().zip(self.0.iter().skip(start)) {
            *key |= u64::from(label) << shift;
        }
    }
}

/// How a transformation's parameters tell the groups: columns of the table itself, or of another file with the same rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupParameters<'a> {
    pub(crate) kind: &'static str,
    pub(crate) groups_from: Option<&'a str>,
    pub(crate) group_by: &'a [String],
}

impl GroupParameters<'_> {
    /// The groups that the parameters tell, or else the caller; none if neither does.
    pub(crate) fn find(&self, input: &Input<'_>) -> Result<Option<Groups>, TransformError> {
        let Self { kind, groups_from, group_by } = *self;
        let rows = input.table.rows();
        match (groups_from, group_by) {
            (Some(_), []) => Err(TransformError::BadParameter {
                kind,
                parameter: "group_by",
                found: "not given".to_owned(),
                expected: "the columns of the `groups_from` file that form the groups".to_owned(),
            }),
            (Some(path), names) => {
                let other = input.files.table(path)?;
                if other.rows() != rows {
                    return Err(TransformError::BadTable {
                        kind,
                        reason: format!(
                            "{path} has {} rows where the table has {rows}; give a file with the same rows in the same order",
                            other.rows()
                        ),
                    });
                }
                let groups = Groups::by_columns(&other, names);
                Ok(Some(groups.map_err(|error| TransformError::File(format!("{path}: {error}")))?))
            }
            (None, []) => Ok(input.groups.filter(|groups| groups.len() == rows).map(Groups::renumbered)),
            (None, names) => Ok(Some(Groups::by_columns(input.table, names)?)),
        }
    }

    /// The same where there must be groups.
    pub(crate) fn require(&self, input: &Input<'_>, others: &str) -> Result<Groups, TransformError> {
        self.find(input)?.ok_or_else(|| TransformError::BadParameter {
            kind: self.kind,
            parameter: "group_by",
            found: "not given".to_owned(),
            expected: format!("the columns whose equal rows form a group, in this table or in `groups_from`{others}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_as_they_appear() {
        assert_eq!(Groups::renumbered(&[7, 3, 7, u32::MAX - 1]), Groups { of_row: vec![0, 1, 0, 2], count: 3 });
        assert_eq!(Groups::renumbered(&[]), Groups { of_row: vec![], count: 0 });
    }
}
