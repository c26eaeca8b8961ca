//! `tamis`: release data about people without releasing the people.

mod answer;
mod args;
mod clock;
mod commands;
mod interrupt;
mod message;
mod progress;
mod shell;
mod text_table;

use answer::Answer;
use args::{Arguments, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use shell::Shell;
use std::io::Write;
use std::process::ExitCode;

/// Prints help, the version or what is wrong with the arguments; the latter as JSON too where that was asked for.
fn explain(mut usage: clap::Error) -> ExitCode {
    // Whoever names two keys behind one --with means two holders.
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(argument))) =
        (usage.kind(), usage.get(ContextKind::InvalidArg))
        && [".ukey", ".ushare"].iter().any(|ending| argument.ends_with(ending))
    {
        let tip = format!("repeat --with for each holder: '--with {argument}'");
        usage.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    // An argument that is repeated may be the address of a database.
    let (plain, masked) = (usage.to_string(), message::hidden(&usage.to_string()));
    let _ = if plain == masked { usage.print() } else { write!(std::io::stderr(), "{masked}") };
    if usage.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let sentence = masked;
        // The sentence, and below it the arguments it speaks of, end with an empty line; usage and hints follow.
        let told: Vec<&str> = sentence.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let told = told.join(" ");
        let _ = writeln!(std::io::stdout(), "{}", serde_json::json!({ "error": told.trim_start_matches("error: ") }));
    }
    ExitCode::from(if usage.use_stderr() { 2 } else { 0 })
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return explain(usage),
    };
    let shell = Shell::new(&arguments.common);
    let answer = match arguments.command {
        Command::Anonymize(args) => commands::anonymize::run(&args, &shell),
        Command::Check(args) => commands::check::run(&args, &shell),
        Command::Risk(args) => commands::risk::run(&args, &shell),
        Command::Attack(args) => commands::attack::run(&args, &shell),
        Command::Compare(args) => commands::compare::run(&args, &shell),
        Command::Lattice(args) => commands::lattice::run(&args, &shell),
        Command::Demo(args) => commands::demo::run(&args, &shell),
        Command::Init(args) => commands::init::run(&args, &shell),
        Command::Hierarchy(args) => commands::hierarchy::run(&args, &shell),
        Command::Verify(args) => commands::verify::run(&args, &shell),
        Command::Apply(args) => commands::apply::run(&args, &shell),
        Command::Generate(args) => commands::generate::run(&args, &shell),
        Command::Histogram(args) => commands::histogram::run(&args, &shell),
        Command::Budget(args) => commands::budget::run(&args, &shell),
        Command::Perturb(args) => commands::perturb::run(&args, &shell),
        Command::Audit(args) => commands::audit::run(&args, &shell),
        Command::Transform(args) => commands::transform::run(&args, &shell),
        Command::Vector(args) => commands::vector::run(&args, &shell),
        Command::Appointments(args) => commands::appointments::run(&args, &shell),
        Command::Cells(args) => commands::cells::run(&args, &shell),
        Command::Ucrypt(args) => commands::ucrypt::run(&args, &shell),
        Command::Models => commands::models::run(&shell),
    };
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::ShareRefused) => ExitCode::from(4),
        Ok(Answer::CellsLeft) => ExitCode::from(5),
        Err(error) => {
            shell.error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}
