//! `tamis appointments experiment`: the tables of the sources again, with any number of runs.

use super::experiment_table::{table_of, write_csv};
use super::generator::{GeneratorArgs, GeneratorName, GivenFlag, NorwayArgs, name_of, refuse_misplaced};
use super::method::time_limit;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::{ensure_outputs, write_text};
use crate::progress::counting;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tamis_appointments::Method;
use tamis_appointments::laboratory::experiment::{
    Arm, Experiment, RunOptions, Runs, custom, table_10, table_10_by_text, table_11, thesis_7, thesis_8,
};
use tamis_programme::experiment_page;

#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// Which table to make
    table: TableName,
    /// How many populations per row; as many as the source has if left out. table-11 has one per date
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u64>,
    /// Seconds a single problem may be worked on; without a limit the outcome depends on the seed alone
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    #[command(flatten)]
    norway: NorwayArgs,
    /// Only these methods, and drawn; those of the table if left out, custom: authors and heuristic
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METHOD,...")]
    methods: Vec<Arm>,
    /// Only rows with these numbers of people; custom: the sizes of the populations
    #[arg(long, value_delimiter = ',', value_name = "N,...")]
    n: Vec<u64>,
    /// custom: which populations; table-10: paper or paper-text [default: paper]
    #[arg(long, value_enum)]
    generator: Option<GeneratorName>,
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
    refuse_misplaced(&args.table, &flags(args))?;
    let experiment = experiment(args, seed)?;
    let options = RunOptions { seed, time_limit: time_limit(args.time_limit)?, threads: shell.threads };
    let bar = counting(shell, experiment.runs());
    let mut outcome = experiment.run(&options, &|done| {
        if let Some(bar) = &bar {
            bar.set_position(done);
        }
    })?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    outcome.command = Some(command(args, seed));
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

/// Every flag that belongs to some of the tables only.
fn flags(args: &ExperimentArgs) -> Vec<GivenFlag<TableName>> {
    use TableName as Name;
    const SIZES: &[TableName] = &[Name::Table10, Name::Thesis7, Name::Thesis8, Name::Custom];
    const NORWAY: &[TableName] = &[Name::Table11];
    const POPULATIONS: &[TableName] = &[Name::Table10, Name::Custom];
    const CUSTOM: &[TableName] = &[Name::Custom];
    let flag = |flag, value, kinds| GivenFlag { flag, value, kinds };
    let listed = |values: Vec<String>| (!values.is_empty()).then(|| values.join(","));
    let mut flags = vec![flag("--generator", args.generator.as_ref().map(name_of), POPULATIONS)];
    flags.extend(args.parameters.flags().into_iter().map(|given| flag(given.flag, given.value, CUSTOM)));
    flags.extend(args.norway.flags(NORWAY));
    flags.extend([
        flag("--n", listed(args.n.iter().map(u64::to_string).collect()), SIZES),
        flag("--runs", args.runs.map(|runs| runs.to_string()), SIZES),
    ]);
    flags
}

/// The command that gives the same figures again.
fn command(args: &ExperimentArgs, seed: u64) -> String {
    let mut words = vec!["tamis appointments experiment".to_owned(), name_of(&args.table)];
    let given = flags(args).into_iter().filter_map(|flag| flag.value.map(|value| format!("{} {value}", flag.flag)));
    words.extend(given);
    if !args.methods.is_empty() {
        words.push(format!("--methods {}", args.methods.iter().map(name_of).collect::<Vec<_>>().join(",")));
    }
    words.extend(args.time_limit.map(|seconds| format!("--time-limit {seconds}")));
    words.push(format!("--seed {seed}"));
    words.join(" ")
}

fn experiment(args: &ExperimentArgs, seed: u64) -> Result<Experiment, CommandError> {
    let runs = args.runs.map_or(Runs::AsPublished, Runs::Given);
    let mut experiment = match args.table {
        TableName::Table10 => match args.generator {
            None | Some(GeneratorName::Paper) => table_10(runs)?,
            Some(GeneratorName::PaperText) => table_10_by_text(runs)?,
            Some(other) => {
                return Err(sentence(format!(
                    "--generator {}: table-10 has the populations `paper` or `paper-text`; `custom` takes others",
                    name_of(&other)
                )));
            }
        },
        TableName::Table11 => table_11(&args.norway.norway(), seed)?,
        TableName::Thesis7 => thesis_7(runs)?,
        TableName::Thesis8 => thesis_8(runs)?,
        TableName::Custom => return custom_experiment(args, runs),
    };
    if !args.methods.is_empty() {
        experiment.keep_arms(&args.methods);
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
    let name = args.generator.unwrap_or(GeneratorName::Paper);
    let no_size = || {
        sentence(
            "--generator norway: a programme has sizes of its own; run `tamis appointments experiment table-11`, with --scale and \
             --dates for a smaller one",
        )
    };
    if name == GeneratorName::Norway {
        return Err(no_size());
    }
    refuse_misplaced(&name, &args.parameters.flags())?;
    if args.n.is_empty() {
        return Err(sentence("how many people? Give --n with one or several numbers, for example --n 50,100,1000"));
    }
    let of_size = |&people: &u64| Some((format!("N = {people}"), args.parameters.generator(name, people)?));
    let generators = args.n.iter().map(of_size).collect::<Option<Vec<_>>>().ok_or_else(no_size)?;
    let usual = [Arm::Method(Method::Authors), Arm::Method(Method::Heuristic)];
    let arms = if args.methods.is_empty() { &usual } else { args.methods.as_slice() };
    Ok(custom(generators, arms, runs)?)
}
