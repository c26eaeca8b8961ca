//! Screening programmes: people and slots in files and databases, appointed by `tamis-appointments` and written back.
//!
//! `tamis-appointments` knows numbers: how many people, how many places, who may go where. This crate gives those numbers their
//! names back: it reads people and slots, finds out which slots each person may go to, and joins the slot to each person's row.

mod conditions;
mod conflict;
mod error;
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
pub use people::People;
pub use programme::{Appointments, Programme};
pub use rescheduling::Rescheduling;
pub use sheet::Sheet;
pub use slots::Slots;
