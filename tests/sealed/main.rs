//! Sealed fields, from the command line.

#[path = "../holders/mod.rs"]
mod holders;
#[path = "../program/mod.rs"]
mod program;
#[path = "../servers/mod.rs"]
mod servers;

mod beside;
mod changes;
mod damage;
mod databases;
mod documents;
mod dump_statements;
mod dumps;
mod files;
mod hostile;
mod json;
mod keys;
mod killed;
mod lists;
mod log;
mod names;
mod outputs;
mod policies;
mod readable;
mod real_dumps;
mod refused_and_told;
mod rest_opens;
mod secrets;
mod several_tables;
mod slips;
mod story;
mod tables;
mod terminal;
mod threats;
mod trusted_files;
mod unseen;
