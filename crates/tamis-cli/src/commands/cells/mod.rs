//! `tamis cells`: tables of totals without holes in them.

mod attacked;
mod audit;
mod file_format;
mod generate;
mod output;
mod primaries;
mod protect;
mod refusal;
mod search_args;
mod solver;
mod subject;
mod table_args;
mod words;

use crate::answer::CommandResult;
use crate::shell::Shell;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct CellsArgs {
    #[command(subcommand)]
    kind: CellsKind,
}

#[derive(Debug, Subcommand)]
enum CellsKind {
    /// Find the confidential cells of a table and how well each must be protected
    Primaries(Box<primaries::PrimariesArgs>),
    /// Hide the confidential cells and as little else as possible, so that nobody can compute them back
    Protect(Box<protect::ProtectArgs>),
    /// Attack a table with hidden cells: what can be computed about each of them?
    Audit(Box<audit::AuditArgs>),
    /// Make up tables to try protection on
    Generate(generate::GenerateArgs),
}

pub(crate) fn run(args: &CellsArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        CellsKind::Primaries(args) => primaries::run(args, shell),
        CellsKind::Protect(args) => protect::run(args, shell),
        CellsKind::Audit(args) => audit::run(args, shell),
        CellsKind::Generate(args) => generate::run(args, shell),
    }
}
