//! What holds for every command: results, exit codes, bad input, messages without passwords.

#[path = "../program/mod.rs"]
mod program;

mod bad_input;
mod contract;
mod not_text;
mod passwords;
