//! Attacks on the classes of one table.

use super::{AttackArgs, HierarchyArgs, conclude, names, refused};
use crate::answer::{CommandError, CommandResult, sentence};
use crate::shell::Shell;
use clap::Args;
use std::path::PathBuf;
use tamis_risk::attacks::{
    background as ruling_out, homogeneity as sameness, similarity as likeness, skewness as skew,
};
use tamis_table::Table;

/// The table under attack and its columns.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// The table
    data: PathBuf,
    /// The quasi-identifiers
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The sensitive attribute
    #[arg(long, value_name = "COLUMN")]
    sensitive: String,
    #[command(flatten)]
    common: AttackArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HomogeneityArgs {
    #[command(flatten)]
    table: TableArgs,
    /// From which share on a class counts as having one value
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 1.0)]
    share: f64,
}

#[derive(Debug, Args)]
pub(crate) struct BackgroundArgs {
    #[command(flatten)]
    table: TableArgs,
    /// The sensitive values that the attacker can rule out
    #[arg(long, value_delimiter = ',', value_name = "VALUE,...", required_unless_present = "power")]
    rules_out: Vec<String>,
    /// Instead: how many values of their choice the attacker can rule out
    #[arg(long, value_name = "N", conflicts_with = "rules_out")]
    power: Option<u64>,
    /// Only people with this value; may be repeated
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    only: Vec<String>,
    /// From which probability on a value follows
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 1.0)]
    confidence: f64,
}

#[derive(Debug, Args)]
pub(crate) struct SkewnessArgs {
    #[command(flatten)]
    table: TableArgs,
    /// How many times as likely as in the whole table a value must become
    #[arg(allow_negative_numbers = true, long, value_name = "FACTOR", default_value_t = 2.0)]
    factor: f64,
    /// How much likelier than in the whole table a value must become
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.1)]
    gain: f64,
    /// The sensitive values that matter; all if left out
    #[arg(long, value_delimiter = ',', value_name = "VALUE,...")]
    values: Vec<String>,
    /// Compare with the shares in this table, such as the input, instead of those in the table itself
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SimilarityArgs {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    hierarchies: HierarchyArgs,
    /// The highest level on which a common label counts; all that tell values apart if left out
    #[arg(long, value_name = "N")]
    level: Option<usize>,
}

impl TableArgs {
    fn read(&self, shell: &Shell) -> Result<Table, CommandError> {
        self.common.check()?;
        if self.quasi.contains(&self.sensitive) {
            return Err(sentence(format!("`{}` is both quasi-identifying and sensitive; choose one", self.sensitive)));
        }
        self.common.read(&self.data, self.quasi.iter().chain([&self.sensitive]), shell)
    }
}

pub(crate) fn homogeneity(args: &HomogeneityArgs, shell: &Shell) -> CommandResult {
    let TableArgs { quasi, sensitive, common, .. } = &args.table;
    let table = args.table.read(shell)?;
    let report = sameness::attack(&table, &names(quasi), sensitive, args.share, common.limit(shell));
    conclude(&report.map_err(|error| refused(&error))?, common, None, shell)
}

pub(crate) fn background(args: &BackgroundArgs, shell: &Shell) -> CommandResult {
    let TableArgs { quasi, sensitive, common, .. } = &args.table;
    let mut only = Vec::new();
    for text in &args.only {
        let split = text.split_once('=');
        only.push(split.ok_or_else(|| sentence(format!("--where is `{text}`; expected COLUMN=VALUE")))?);
    }
    let knowledge = match args.power {
        Some(power) => ruling_out::Knowledge::Power(power),
        None => ruling_out::Knowledge::RulesOut(names(&args.rules_out)),
    };
    let options = ruling_out::Options { knowledge, only, confidence: args.confidence, limit: common.limit(shell) };
    let table = args.table.read(shell)?;
    let report = ruling_out::attack(&table, &names(quasi), sensitive, &options);
    conclude(&report.map_err(|error| refused(&error))?, common, None, shell)
}

pub(crate) fn skewness(args: &SkewnessArgs, shell: &Shell) -> CommandResult {
    let TableArgs { quasi, sensitive, common, .. } = &args.table;
    let table = args.table.read(shell)?;
    let reference = args.reference.as_ref().map(|path| common.read(path, [sensitive], shell)).transpose()?;
    let options = skew::Options {
        factor: args.factor,
        gain: args.gain,
        reference: reference.as_ref(),
        values: names(&args.values),
        limit: common.limit(shell),
    };
    let report = skew::attack(&table, &names(quasi), sensitive, &options);
    conclude(&report.map_err(|error| refused(&error))?, common, None, shell)
}

pub(crate) fn similarity(args: &SimilarityArgs, shell: &Shell) -> CommandResult {
    let TableArgs { quasi, sensitive, common, .. } = &args.table;
    let labels = args.hierarchies.read(&[sensitive], &common.input)?;
    let labels = labels.get(sensitive).ok_or_else(|| {
        sentence(format!("what values mean is for a hierarchy to say; give one with --hierarchy {sensitive}=FILE, or a manifest that has one"))
    })?;
    let table = args.table.read(shell)?;
    let report = likeness::attack(&table, &names(quasi), sensitive, labels, args.level, common.limit(shell));
    conclude(&report.map_err(|error| refused(&error))?, common, None, shell)
}
