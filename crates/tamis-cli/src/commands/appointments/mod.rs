//! `tamis appointments`: schedules that keep people indistinguishable.

mod database;
mod method;
mod solve;

use crate::answer::CommandResult;
use crate::shell::Shell;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct AppointmentsArgs {
    #[command(subcommand)]
    kind: AppointmentsKind,
}

#[derive(Debug, Subcommand)]
enum AppointmentsKind {
    /// People and slots in tables of a database, made up or your own
    Database(database::DatabaseArgs),
    /// Schedule from plain frequencies and capacities
    Solve(solve::SolveArgs),
}

pub(crate) fn run(args: &AppointmentsArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        AppointmentsKind::Database(args) => database::run(args, shell),
        AppointmentsKind::Solve(args) => solve::run(args, shell),
    }
}
