//! Attacks that join a release with a table of people.

use super::{AttackArgs, HierarchyArgs, conclude, names, refused};
use crate::answer::CommandResult;
use crate::shell::Shell;
use clap::Args;
use std::path::PathBuf;
use tamis_risk::attacks::{linkage as joining, membership as presence};

#[derive(Debug, Args)]
pub(crate) struct LinkageArgs {
    /// The released table
    released: PathBuf,
    /// The table that has names
    external: PathBuf,
    /// The columns that both have
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    on: Vec<String>,
    /// The column of the external table that names people
    #[arg(long, value_name = "COLUMN")]
    identify: Option<String>,
    /// The attacker knows that everybody in the external table is in the release
    #[arg(long)]
    present: bool,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MembershipArgs {
    /// The released table
    released: PathBuf,
    /// The population that the people in it come from
    population: PathBuf,
    /// The columns that both have
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    on: Vec<String>,
    /// The column of the population that names people
    #[arg(long, value_name = "COLUMN")]
    identify: Option<String>,
    /// The least probability to be in the release that is tolerated; anything above 0 if left out
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE")]
    min: Option<f64>,
    /// The largest probability to be in the release that is tolerated; anything below 1 if left out
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE")]
    max: Option<f64>,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    #[command(flatten)]
    common: AttackArgs,
}

pub(crate) fn linkage(args: &LinkageArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    let on = names(&args.on);
    let options = joining::Options {
        labels: args.hierarchies.read(&on, &args.common.input)?,
        identify: args.identify.as_deref(),
        present: args.present,
        limit: args.common.limit(shell),
    };
    let released = args.common.read(&args.released, &args.on, shell)?;
    let external = args.common.read(&args.external, args.on.iter().chain(&args.identify), shell)?;
    let report = joining::attack(&released, &external, &on, &options).map_err(|error| refused(&error))?;
    conclude(&report, &args.common, None, shell)
}

pub(crate) fn membership(args: &MembershipArgs, shell: &Shell) -> CommandResult {
    args.common.check()?;
    let on = names(&args.on);
    let options = presence::Options {
        labels: args.hierarchies.read(&on, &args.common.input)?,
        identify: args.identify.as_deref(),
        min: args.min,
        max: args.max,
        limit: args.common.limit(shell),
    };
    let released = args.common.read(&args.released, &args.on, shell)?;
    let population = args.common.read(&args.population, args.on.iter().chain(&args.identify), shell)?;
    let report = presence::attack(&released, &population, &on, &options).map_err(|error| refused(&error))?;
    conclude(&report, &args.common, None, shell)
}
