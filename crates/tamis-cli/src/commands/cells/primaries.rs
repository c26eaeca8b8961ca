//! `tamis cells primaries`: which cells are confidential, and by which rule.

use crate::answer::{CommandResult, sentence};
use crate::shell::Shell;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct PrimariesArgs {}

pub(crate) fn run(_args: &PrimariesArgs, _shell: &Shell) -> CommandResult {
    Err(sentence("primary cells cannot be found yet"))
}
