//! `tamis appointments`: schedules that keep people indistinguishable.

mod account;
mod alternatives;
mod assign;
mod conditions;
mod database;
mod experiment;
mod experiment_table;
mod generate;
mod generator;
mod method;
mod numbers;
mod solve;
mod trace;

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
    /// Give every person of a table a slot
    Assign(Box<assign::AssignArgs>),
    /// List other slots for somebody who cannot come, best first
    Alternatives(Box<alternatives::AlternativesArgs>),
    /// Make up people and slots to try schedules on
    Generate(generate::GenerateArgs),
    /// Run the experiments of the paper and the thesis, or one of your own
    Experiment(experiment::ExperimentArgs),
}

pub(crate) fn run(args: &AppointmentsArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        AppointmentsKind::Database(args) => database::run(args, shell),
        AppointmentsKind::Solve(args) => solve::run(args, shell),
        AppointmentsKind::Assign(args) => assign::run(args, shell),
        AppointmentsKind::Alternatives(args) => alternatives::run(args, shell),
        AppointmentsKind::Generate(args) => generate::run(args, shell),
        AppointmentsKind::Experiment(args) => experiment::run(args, shell),
    }
}
