//! The pages a data steward looks at and publishes beside a table.
//!
//! Plain structs go in, self-contained HTML files come out: [`release_page`] shows one release (what holds, what it cost,
//! what remains risky, where the solution lies among all transformations), [`compare_page`] sets many settings side by
//! side, [`risk_page`] tells a steward everything about the risk of a table and [`external_risk_page`] everyone else what
//! points at nobody. Rendering is pure: no file is read, nothing is fetched, the same struct gives the same bytes. Every
//! text is escaped, the pages carry no script and forbid themselves any network access.
//!
//! ```
//! use tamis_release::report::{ReleaseReport, Rows, release_page};
//!
//! let report = ReleaseReport {
//!     title: "Patients <2026>".into(),
//!     rows: Rows { input: 1200, kept: 1150, suppressed: 50 },
//!     ..ReleaseReport::default()
//! };
//! let page = release_page(&report);
//! assert!(page.contains("Patients &lt;2026&gt;"));
//! assert!(page.contains("1,150"));
//! ```

mod compare_page;
mod compare_report;
mod external_risk_page;
mod lattice_report;
mod release_page;
mod release_report;
mod risk_page;
mod svg;

pub use compare_page::compare_page;
pub use compare_report::{CompareReport, CompareRow, Figure, Published};
pub use external_risk_page::external_risk_page;
pub use lattice_report::{LatticeNode, LatticeReport, NodeStatus};
pub use release_page::release_page;
pub use release_report::{AttributeReport, Classes, ReleaseReport, Risk, Rows, SensitiveReport, Verdict};
pub use risk_page::risk_page;

use tamis_page::{document, numbers};
