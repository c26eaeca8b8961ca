//! `tamis appointments experiment`: the tables of the sources again, with any number of runs.

use super::experiment_table::{table_of, write_csv};
use super::generator::{GeneratorArgs, GeneratorName};
use super::method::MethodName;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::{ensure_outputs, write_text};
use crate::progress::counting;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tamis_appointments::Method;
use tamis_appointments::laboratory::experiment::{
    Arm, Experiment, RunOptions, Runs, custom, table_10, table_11, thesis_7, thesis_8,
};
use tamis_appointments::laboratory::generators::Norway;
use tamis_programme::experiment_page;

#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// Which table to make
    table: TableName,
    /// How many populations per row; as many as the source has if left out
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u64>,
    /// Seconds a single problem may be worked on; without a limit the outcome depends on the seed alone
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// table-11: the share of the 2.4 million invitations
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 1.0)]
    scale: f64,
    /// table-11: how many dates; the paper prints 282
    #[arg(long, value_name = "NUMBER", default_value_t = 282)]
    dates: u32,
    /// Only these methods; custom: authors and heuristic if left out
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METHOD,...")]
    methods: Vec<MethodName>,
    /// Only rows with these numbers of people
    #[arg(long, value_delimiter = ',', value_name = "N,...")]
    n: Vec<u64>,
    /// custom: which populations
    #[arg(long, value_enum, default_value_t = GeneratorName::Paper)]
    generator: GeneratorName,
    #[command(flatten)]
    parameters: GeneratorArgs,
    /// Write the figures here
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with plots here
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableName {
    /// The paper's Table 10: improvement over random appointments by size of the population
    #[value(name = "table-10")]
    Table10,
    /// The paper's Table 11: improvement in a programme like Norway's by region
    #[value(name = "table-11")]
    Table11,
    /// The thesis' Table 7: gains over random appointments
    #[value(name = "thesis-7")]
    Thesis7,
    /// The thesis' Table 8: k by size of the population
    #[value(name = "thesis-8")]
    Thesis8,
    /// Populations of --generator of the sizes --n, scheduled by --methods
    Custom,
}

pub(crate) fn run(args: &ExperimentArgs, shell: &Shell) -> CommandResult {
    ensure_outputs([&args.csv, &args.html].into_iter().flatten().map(PathBuf::as_path), [])?;
    let seed = shell.seed_or_random(None)?;
    let experiment = experiment(args, seed)?;
    let options = RunOptions { seed, time_limit: time_limit(args.time_limit)?, threads: shell.threads };
    let bar = counting(shell, experiment.runs());
    let outcome = experiment.run(&options, &|done| {
        if let Some(bar) = &bar {
            bar.set_position(done);
        }
    })?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if let Some(path) = &args.csv {
        write_csv(path, &outcome)?;
    }
    if let Some(path) = &args.html {
        write_text(path, &experiment_page(&outcome, env!("CARGO_PKG_VERSION")))?;
    }
    shell.json(&outcome)?;
    shell.notes(&outcome.notes);
    shell.say(&table_of(&outcome));
    Ok(Answer::Yes)
}

fn experiment(args: &ExperimentArgs, seed: u64) -> Result<Experiment, CommandError> {
    let runs = args.runs.map_or(Runs::AsPublished, Runs::Given);
    let mut experiment = match args.table {
        TableName::Table10 => table_10(runs)?,
        TableName::Table11 => table_11(&Norway { dates: args.dates, scale: args.scale }, seed)?,
        TableName::Thesis7 => thesis_7(runs)?,
        TableName::Thesis8 => thesis_8(runs)?,
        TableName::Custom => return custom_experiment(args, runs),
    };
    if !args.methods.is_empty() {
        let wanted = arms_of(&args.methods);
        experiment.keep_arms(&wanted);
    }
    if !args.n.is_empty() {
        experiment.settings.retain(|setting| setting.people().is_some_and(|people| args.n.contains(&people)));
    }
    if experiment.settings.is_empty() {
        return Err(sentence("--n: the table has no row with such a number of people; leave it out to see all"));
    }
    Ok(experiment)
}

fn custom_experiment(args: &ExperimentArgs, runs: Runs) -> Result<Experiment, CommandError> {
    if args.n.is_empty() {
        return Err(sentence("how many people? Give --n with one or several numbers, for example --n 50,100,1000"));
    }
    let label = |&people: &u64| (format!("N = {people}"), args.parameters.generator(args.generator, people));
    let methods: &[MethodName] =
        if args.methods.is_empty() { &[MethodName::Authors, MethodName::Heuristic] } else { &args.methods };
    Ok(custom(args.n.iter().map(label).collect(), &arms_of(methods), runs)?)
}

fn arms_of(methods: &[MethodName]) -> Vec<Arm> {
    let mut arms: Vec<Arm> = Vec::new();
    for method in methods {
        let arm = Arm::Method(match method {
            MethodName::Exact => Method::Exact,
            MethodName::Heuristic => Method::Heuristic,
            MethodName::Greatest => Method::Greatest,
            MethodName::Half => Method::Half,
            MethodName::Authors => Method::Authors,
            MethodName::Random => Method::Random,
        });
        if !arms.contains(&arm) {
            arms.push(arm);
        }
    }
    arms
}

fn time_limit(seconds: Option<f64>) -> Result<Option<Duration>, CommandError> {
    let Some(seconds) = seconds else { return Ok(None) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if seconds > 0.0 => Ok(Some(limit)),
        _ => Err(sentence(format!("--time-limit {seconds}: give a number of seconds above 0"))),
    }
}
