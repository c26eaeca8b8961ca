//! Screening programmes: people and slots in files and databases, appointed by `tamis-appointments` and written back.
//!
//! `tamis-appointments` knows numbers: how many people, how many places, who may go where. This crate gives those numbers their
//! names back: it reads people and slots, finds out which slots each person may go to, and joins the slot to each person's row.
//!
//! ```
//! use tamis_appointments::{Method, SolveOptions};
//! use tamis_programme::{Conditions, People, Programme, Sheet, Slots};
//! use tamis_source::ReadOptions;
//! # let directory = tempfile::tempdir()?;
//! # let path = |name: &str| directory.path().join(name);
//! std::fs::write(path("people.csv"), "age\n50\n50\n60\n60\n60\n")?;
//! std::fs::write(path("slots.csv"), "hour,places\n9,3\n10,2\n")?;
//!
//! let sheet = |name: &str| Sheet::read(&path(name), &ReadOptions::default(), None);
//! let people = People::new(sheet("people.csv")?, &["age".to_owned()], None)?;
//! let slots = Slots::new(sheet("slots.csv")?, "places", None)?;
//! let programme = Programme::new(people, slots, Conditions::default())?;
//! let solution = programme.solve(Method::Exact, &SolveOptions::default())?;
//! assert_eq!(solution.vector.to_dense(), [0, 1, 1]);
//!
//! let appointments = programme.appoint(&solution.schedule, 7);
//! programme.write(&path("appointed.csv"), &appointments, "")?;
//! assert_eq!(std::fs::read_to_string(path("appointed.csv"))?, "age,hour\n50,10\n50,10\n60,9\n60,9\n60,9\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod conditions;
mod conflict;
mod error;
mod experiment_page;
mod joined;
mod parties;
mod people;
mod programme;
pub mod register;
mod rescheduling;
mod sheet;
mod slots;

pub use conditions::{AllowedPairs, ColumnPair, Conditions, Distance, Location, MixingText, WhoText};
pub use conflict::{Group, NamedConflict};
pub use error::ProgrammeError;
pub use experiment_page::experiment_page;
pub use people::People;
pub use programme::{Appointments, Programme};
pub use rescheduling::Rescheduling;
pub use sheet::Sheet;
pub use slots::Slots;
