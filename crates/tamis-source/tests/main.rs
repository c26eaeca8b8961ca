//! Tests of tamis-source from outside.

mod bad_tables;
mod databases;
mod hierarchy_files;
mod output_files;
mod reading_tables;
mod round_trips;
