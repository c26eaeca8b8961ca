//! The flags that say which columns of a file are dimensions, values and marks.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct TableArgs {}
