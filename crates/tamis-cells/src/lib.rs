//! Cell suppression: hide confidential cells of a table of totals, and as little else as possible, so that nobody can
//! compute them back.

pub mod attack;
pub mod audit;
pub mod demand;
pub mod format;
pub mod generate;
pub mod pattern;
pub mod protect;
pub mod remedy;
pub mod table;

pub use audit::{Audit, audit};
pub use demand::{Demand, Side};
pub use pattern::Pattern;
pub use protect::{Protected, protect};
pub use table::{Attacker, Cell, CellId, CellTable, Equation, Levels, Pinned, Status, TableError, plain};
