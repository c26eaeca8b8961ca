//! What `tamis transform` accepts: a kind with its parameters, and the files.

use crate::args::InputArgs;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use tamis_transform::Step;

#[derive(Debug, Args)]
pub(crate) struct TransformArgs {
    #[command(subcommand)]
    pub(crate) kind: Kind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Kind {
    #[command(flatten)]
    Step(Box<Job>),
    /// Make a secret key for pseudonyms
    NewKey {
        /// Where to write it; a file that is there is never overwritten
        file: PathBuf,
    },
}

/// A transformation and the files it is applied to.
///
/// Every kind takes the same files; they are added to the flags of all kinds here, so that a kind declares its parameters only.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) step: Step,
    pub(crate) files: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// The table
    pub(crate) data: PathBuf,
    /// Where to write; of several tables each to this file with its name before the extension. .gz and .zst compress
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Where to write one of several tables instead; may be repeated
    #[arg(long = "table", value_name = "NAME=FILE")]
    pub(crate) tables: Vec<OsString>,
    /// Write the figures before and after as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) figures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl FromArgMatches for Job {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let step = Step::from_arg_matches(matches)?;
        let (_, given) = matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { step, files: FileArgs::from_arg_matches(given)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Job {
    fn augment_subcommands(command: Command) -> Command {
        Step::augment_subcommands(command).mut_subcommands(FileArgs::augment_args)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Step::has_subcommand(name)
    }
}
