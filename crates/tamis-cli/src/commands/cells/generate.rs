//! `tamis cells generate`: tables to try protection on.

use crate::answer::{CommandResult, sentence};
use crate::shell::Shell;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {}

pub(crate) fn run(_args: &GenerateArgs, _shell: &Shell) -> CommandResult {
    Err(sentence("tables cannot be generated yet"))
}
