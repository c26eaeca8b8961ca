//! Appointments and anonymity vectors, from the command line.

#[path = "../program/mod.rs"]
mod program;

mod best_first;
mod database;
mod laboratory;
mod schedules;
mod vector;
