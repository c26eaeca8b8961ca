//! Groups of rows that lie close together: what microaggregation and condensation are built on.

mod mdav;
mod points;
mod univariate;

pub use mdav::mdav;
pub(crate) use points::is_numeric;
pub use points::{Points, standardized};
pub use univariate::optimal_univariate;

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
