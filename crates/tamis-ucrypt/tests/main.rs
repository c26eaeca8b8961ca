//! Tests of tamis-ucrypt from outside.

mod csv;
mod disguise;
mod known_answers;
mod sql;
mod sqlite;
