//! Groups of rows that lie close together: what microaggregation and condensation are built on.

mod mdav;
mod points;
mod univariate;

pub use mdav::mdav;
pub(crate) use points::is_numeric;
pub use points::{Points, standardized};
pub use univariate::optimal_univariate;

use crate::TransformError;
use tamis_table::Members;

/// Which group each row belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// The group of each row, from 0.
    pub of_row: Vec<u32>,
    /// How many groups there are.
    pub count: usize,
}

impl Groups {
    /// The rows of each group.
    pub fn members(&self) -> Members {
        Members::of(&self.of_row, self.count)
    }
}

/// Groups have at least two rows, and a table has enough rows for one group.
pub(crate) fn check_k(kind: &'static str, k: usize, rows: usize) -> Result<(), TransformError> {
    if k < 2 {
        let (found, expected) = (k.to_string(), "a whole number from 2".to_owned());
        return Err(TransformError::BadParameter { kind, parameter: "k", found, expected });
    }
    if rows < k {
        let reason = format!("a group needs k = {k} rows, the table has {rows}");
        return Err(TransformError::Impossible { kind, reason });
    }
    Ok(())
}

/// The least and the largest number of rows in a group.
pub(crate) fn sizes(members: &Members) -> (usize, usize) {
    let sizes = || (0..members.len()).map(|group| members.group(group).len());
    (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0))
}

/// "6000 groups of 5 to 9 rows", "1 group of 60 rows".
pub(crate) fn in_words(count: usize, (least, most): (usize, usize)) -> String {
    let groups = if count == 1 { "group" } else { "groups" };
    if least == most {
        format!("{count} {groups} of {least} rows")
    } else {
        format!("{count} {groups} of {least} to {most} rows")
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn one_group_is_no_groups() {
        assert_eq!(in_words(1, (60, 60)), "1 group of 60 rows");
        assert_eq!(in_words(2, (5, 9)), "2 groups of 5 to 9 rows");
    }
}
