//! Sealed fields, from the command line.

#[path = "../holders/mod.rs"]
mod holders;
#[path = "../program/mod.rs"]
mod program;
#[path = "../servers/mod.rs"]
mod servers;

mod bad_keys;
mod beside;
mod changes;
mod damage;
mod databases;
mod databases_told;
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
mod look_alikes;
mod names;
mod one_file;
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
