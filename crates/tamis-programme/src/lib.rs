//! Screening programmes: people and slots in files and databases, appointed by `tamis-appointments` and written back.
//!
//! `tamis-appointments` knows numbers: how many people, how many places, who may go where. This crate gives those numbers their
//! names back: it reads people and slots, finds out which slots each person may go to, and joins the slot to each person's row.

mod error;
mod experiment_page;

pub use error::ProgrammeError;
pub use experiment_page::experiment_page;
