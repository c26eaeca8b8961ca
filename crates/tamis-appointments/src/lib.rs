//! Appointments that keep people indistinguishable once centre and hour join the quasi-identifier.
//!
//! People with the same quasi-identifier are a crowd; a schedule cuts each crowd into cells, one per slot its people go to.
//! The [`AnonymityVector`] counts the cells by size, and the lexicographically smallest vector is the most anonymous: as few
//! people as possible stand alone, then as few as possible stand in twos, and so on. [`Instance`] holds who must be scheduled
//! and where they may go; [`solve`] turns it into a [`Solution`]: a [`Schedule`] and what is proved about it.
//!
//! Nothing here opens files; people and slots of files and databases are `tamis-programme`'s work.
//!
//! ```
//! use tamis_appointments::{Instance, Method, SolveOptions, solve};
//!
//! let instance = Instance::plain(&[4, 4, 5, 2], &[4, 2, 4, 3, 2])?;
//! let solution = solve(&instance, Method::Exact, &SolveOptions::default())?;
//! assert_eq!(solution.vector.to_dense(), [0, 2, 1, 2]);
//! assert!(solution.is_optimal());
//! # Ok::<(), tamis_appointments::AppointmentError>(())
//! ```

mod alternatives;
mod error;
mod instance;
pub mod laboratory;
mod schedule;
mod solve;
pub mod vector;

pub use alternatives::{Alternative, alternatives};
pub use error::{AppointmentError, Conflict};
pub use instance::{Allowed, Attribute, Component, Instance, Limit, Member, MixingRule, Plain, Share, Unit, Who};
pub use schedule::{Placement, Schedule};
pub use solve::{Iteration, LevelProof, Method, Patience, Reason, Solution, SolveOptions, iterations, solve};
pub use vector::AnonymityVector;
