//! Tables of totals by name: dimensions and their hierarchies, contributions and the rules that make cells confidential,
//! the files they come from and go to, and the page that shows them.
//!
//! [`read_totals`] reads tables with one row a cell, [`read_contributions`] microdata with one row a contribution; both give
//! [`Totals`]: what cells are called, and the [`CellTable`](tamis_cells::CellTable) that `tamis-cells` protects and audits.
//! [`write_released`] writes what may be published, [`write_flagged`] a table that [`read_totals`] reads again.

mod attackers;
mod contributions;
mod dimension;
mod draft;
mod equations_file;
mod error;
mod marked;
mod options;
pub mod page;
mod pattern_file;
mod rules;
mod sheet;
mod table;
mod totals;
mod write;

pub use contributions::{ContributionColumns, MissingLabels, read_contributions, read_flagged};
pub use dimension::{Dimension, Group, HrcLine, MISSING, parse_hrc};
pub use equations_file::parse_equation;
pub use error::TotalsError;
pub use options::{Bounds, Columns, Cost, HierarchyFile, MissingCells, Singletons, TableOptions};
pub use pattern_file::{read_pattern, read_pattern_from};
pub use rules::{Contribution, Dominance, Facts, Hit, PriorPosterior, Rules, Zeros};
pub use sheet::Input;
pub use table::{read_totals, read_totals_from};
pub use totals::{Totals, TotalsTable};
pub use write::{Letters, ReleaseOptions, status_letter, write_flagged, write_hits, write_released};
