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
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser};
use shell::Shell;
use std::ffi::OsString;
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
    if usage.kind() == ErrorKind::InvalidUtf8 {
        usage = Arguments::command().error(ErrorKind::InvalidUtf8, not_text(std::env::args_os().skip(1)));
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

/// Which arguments are no text, and behind which options they stand: one of them has to be.
fn not_text(arguments: impl Iterator<Item = OsString>) -> String {
    let mut before = String::new();
    let mut named = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        if argument.to_str().is_none() {
            let option = if text.starts_with("--") { text.split('=').next().unwrap_or_default() } else { &before };
            let behind = if option.starts_with('-') { format!(" ({option})") } else { String::new() };
            named.push(format!("{text:?}{behind}"));
        }
        before = text.into_owned();
    }
    let named = named.join(", ");
    format!("UTF-8 text is needed here, and this is not: {named}; rename the file, or name it by a link whose name is")
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return explain(usage),
    };
    let shell = Shell::new(&arguments.common);
    tamis_ucrypt::on_waiting(Shell::waits);
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
