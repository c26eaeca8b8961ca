//! `tamis appointments`: schedules that keep people indistinguishable.

mod experiment;
mod experiment_table;
mod generate;
mod generator;
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
    /// Schedule from plain frequencies and capacities
    Solve(solve::SolveArgs),
    /// Make up people and slots to try schedules on
    Generate(generate::GenerateArgs),
    /// Run the experiments of the paper and the thesis, or one of your own
    Experiment(experiment::ExperimentArgs),
}

pub(crate) fn run(args: &AppointmentsArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        AppointmentsKind::Solve(args) => solve::run(args, shell),
        AppointmentsKind::Generate(args) => generate::run(args, shell),
        AppointmentsKind::Experiment(args) => experiment::run(args, shell),
    }
}
