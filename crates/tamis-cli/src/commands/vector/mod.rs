//! `tamis vector`: anonymity vectors by themselves.

use crate::answer::CommandResult;
use crate::shell::Shell;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct VectorArgs {
    #[command(subcommand)]
    kind: VectorKind,
}

#[derive(Debug, Subcommand)]
enum VectorKind {}

pub(crate) fn run(args: &VectorArgs, _shell: &Shell) -> CommandResult {
    match args.kind {}
}
