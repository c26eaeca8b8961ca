//! Attacks by somebody who knows that a release is minimal.

use super::{AttackArgs, HierarchyArgs, conclude, names, refused};
use crate::answer::{CommandResult, sentence};
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tamis_risk::attacks::{downcoding as undoing, minimality as inferring};

/// How the levels of a release were chosen.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum RecodingName {
    /// One level for each column, as `tamis anonymize` does
    Global,
    /// Levels row by row
    Local,
}

impl From<RecodingName> for undoing::Recoding {
    fn from(name: RecodingName) -> Self {
        match name {
            RecodingName::Global => Self::Global,
            RecodingName::Local => Self::Local,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DowncodingArgs {
    /// The released table
    released: PathBuf,
    /// The quasi-identifiers
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The k that the release was made with
    #[arg(long, value_name = "K")]
    k: u64,
    /// How the levels of the release were chosen
    #[arg(long, value_enum, default_value_t = RecodingName::Global)]
    recoding: RecodingName,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MinimalityArgs {
    /// The released table
    released: PathBuf,
    /// The quasi-identifiers of exactly the people in it
    #[arg(long, value_name = "FILE")]
    external: PathBuf,
    /// The quasi-identifiers
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The sensitive attribute
    #[arg(long, value_name = "COLUMN")]
    sensitive: String,
    /// The l that the release was made with: a value that matters makes up at most 1/l of a class
    #[arg(allow_negative_numbers = true, long, value_name = "L")]
    l: f64,
    /// The k that the release was made with, if any
    #[arg(long, value_name = "K", default_value_t = 1)]
    k: u64,
    /// The sensitive values that matter; all if left out
    #[arg(long, value_delimiter = ',', value_name = "VALUE,...")]
    values: Vec<String>,
    /// How the levels of the release were chosen
    #[arg(long, value_enum, default_value_t = RecodingName::Global)]
    recoding: RecodingName,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

pub(crate) fn downcoding(args: &DowncodingArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    let quasi = names(&args.quasi);
    let labels = args.hierarchies.read(&quasi, &args.common.input)?;
    if labels.is_empty() {
        return Err(sentence(
            "what was generalized is for hierarchies to say; give them with --hierarchy COLUMN=FILE, once for each generalized column, or with --manifest FILE",
        ));
    }
    let options =
        undoing::Options { labels, k: args.k, recoding: args.recoding.into(), limit: args.common.limit(shell) };
    let released = args.common.read(&args.released, &args.quasi, shell)?;
    let report = undoing::attack(&released, &quasi, &options).map_err(|error| refused(&error))?;
    conclude(&report, &args.common, None, shell)
}

pub(crate) fn minimality(args: &MinimalityArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    let quasi = names(&args.quasi);
    let options = inferring::Options {
        labels: args.hierarchies.read(&quasi, &args.common.input)?,
        l: args.l,
        k: args.k,
        values: names(&args.values),
        recoding: args.recoding.into(),
        limit: args.common.limit(shell),
    };
    let released = args.common.read(&args.released, args.quasi.iter().chain([&args.sensitive]), shell)?;
    let external = args.common.read(&args.external, &args.quasi, shell)?;
    let report = inferring::attack(&released, &external, &quasi, &args.sensitive, &options);
    conclude(&report.map_err(|error| refused(&error))?, &args.common, None, shell)
}
