//! The register of a programme in a database: the tool of the thesis (chapter 5) without its windows.
//!
//! A table `NAME` (or `NAME0`, `NAME1`, ...) holds the people, `NAME_resource` the slots they can be sent to. [`generate_tables`]
//! and [`generate_resources`] make such tables up, [`assign`] writes an appointment by lot and one by Tamis into every person's
//! row, and [`get_k`] tells how anonymous the tables are, before and after. Counting is left to the database: only sizes of
//! groups leave it, and for assigning also the keys of the people.
//!
//! Whatever is written is written in one transaction, for all tables together.

mod assign;
mod deal;
mod generate_resources;
mod generate_tables;
mod get_k;
mod layout;
mod tables;

pub use assign::{AssignOptions, Assigned, assign};
pub use generate_resources::{GeneratedResources, ResourceOptions, generate_resources};
pub use generate_tables::{GeneratedPeople, PeopleOptions, generate_tables};
pub use get_k::{KOfTable, KOfTables, get_k};
pub use layout::Layout;
pub use tables::Tables;
