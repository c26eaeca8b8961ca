//! `tamis cells protect`.

use super::solver::solver;
use super::table_args::TableArgs;
use crate::answer::{CommandResult, sentence};
use crate::shell::Shell;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ProtectArgs {
    /// The table
    table: PathBuf,
    #[command(flatten)]
    columns: TableArgs,
}

pub(crate) fn run(args: &ProtectArgs, _shell: &Shell) -> CommandResult {
    let _ = (solver()?, &args.columns);
    Err(sentence(format!("{} cannot be read yet", args.table.display())))
}
