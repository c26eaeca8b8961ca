//! `tamis`: release data about people without releasing the people.

mod answer;
mod args;
mod commands;
mod interrupt;
mod progress;
mod shell;
mod text_table;

use answer::Answer;
use args::{Arguments, Command};
use clap::Parser;
use shell::Shell;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        // Whoever asked for a JSON document gets one, whatever went wrong.
        if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
            let text = error.to_string();
            let sentence = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            println!("{}", serde_json::json!({ "error": sentence }));
        }
        error.exit()
    });
    let shell = Shell::new(&arguments.common);
    let answer = match arguments.command {
        Command::Anonymize(args) => commands::anonymize::run(&args, &shell),
        Command::Check(args) => commands::check::run(&args, &shell),
        Command::Compare(args) => commands::compare::run(&args, &shell),
        Command::Lattice(args) => commands::lattice::run(&args, &shell),
        Command::Demo(args) => commands::demo::run(&args, &shell),
        Command::Init(args) => commands::init::run(&args, &shell),
        Command::Hierarchy(args) => commands::hierarchy::run(&args, &shell),
        Command::Verify(args) => commands::verify::run(&args, &shell),
        Command::Apply(args) => commands::apply::run(&args, &shell),
        Command::Generate(args) => commands::generate::run(&args, &shell),
        Command::Models => commands::models::run(&shell),
    };
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) => {
            shell.error(&error);
            ExitCode::from(if error.is_refusal() { 1 } else { 2 })
        }
    }
}
