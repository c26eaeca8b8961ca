//! `tamis attack`

mod classes;
mod joins;
mod minimal;
mod releases;

use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::args::InputArgs;
use crate::commands::named_file;
use crate::commands::read_options;
use crate::commands::spelled;
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::{percent, printable};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tamis_release::manifest::Manifest;
use tamis_risk::attacks::{AttackError, Labels, LabelsByColumn, Report};
use tamis_source::{ReadOptions, read_hierarchy_in, read_table};
use tamis_table::{HierarchyRow, Table};

/// The attacks.
#[derive(Debug, Subcommand)]
pub(crate) enum Kind {
    /// Join a release with a table that has names: who is found?
    Linkage(joins::LinkageArgs),
    /// Put two releases in the same row order together
    Unsorted(releases::UnsortedArgs),
    /// Join two releases on what both left as it is
    Complementary(releases::ComplementaryArgs),
    /// Find classes in which everybody has the same sensitive value
    Homogeneity(classes::HomogeneityArgs),
    /// Rule sensitive values out: whose value follows?
    Background(classes::BackgroundArgs),
    /// Find classes that make a value much likelier than the whole table does
    Skewness(classes::SkewnessArgs),
    /// Find classes whose different sensitive values mean the same
    Similarity(classes::SimilarityArgs),
    /// Undo generalizations of a release that is known to be minimal
    Downcoding(minimal::DowncodingArgs),
    /// Infer sensitive values from the release being minimal
    Minimality(minimal::MinimalityArgs),
    /// Tell who of a population is in the release
    Membership(joins::MembershipArgs),
}

/// Flags of every attack.
#[derive(Debug, Args)]
pub(crate) struct AttackArgs {
    /// The share of people that may be at risk; exit code 1 if more are
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.0)]
    bound: f64,
    /// How many findings to list; 10 if left out, all with --json
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    input: InputArgs,
}

/// The hierarchies an attacker has.
#[derive(Debug, Args)]
pub(crate) struct HierarchyArgs {
    /// The hierarchy of a column; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    hierarchies: Vec<OsString>,
    /// The manifest of the release, for the hierarchies of all columns that --hierarchy does not name
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
}

/// How many findings are listed if nothing is said.
const FEW: usize = 10;

pub(crate) fn run(args: &crate::args::AttackArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        Kind::Linkage(args) => joins::linkage(args, shell),
        Kind::Unsorted(args) => releases::unsorted(args, shell),
        Kind::Complementary(args) => releases::complementary(args, shell),
        Kind::Homogeneity(args) => classes::homogeneity(args, shell),
        Kind::Background(args) => classes::background(args, shell),
        Kind::Skewness(args) => classes::skewness(args, shell),
        Kind::Similarity(args) => classes::similarity(args, shell),
        Kind::Downcoding(args) => minimal::downcoding(args, shell),
        Kind::Minimality(args) => minimal::minimality(args, shell),
        Kind::Membership(args) => joins::membership(args, shell),
    }
}

impl AttackArgs {
    /// Checks what needs no file.
    fn check(&self) -> Result<(), CommandError> {
        if (0.0..=1.0).contains(&self.bound) {
            return Ok(());
        }
        Err(sentence(format!("--bound is {}; expected a share between 0 and 1", tamis_table::brief_number(self.bound))))
    }

    /// How many findings to describe.
    fn limit(&self, shell: &Shell) -> usize {
        self.top.unwrap_or(if shell.is_json { usize::MAX } else { FEW })
    }

    /// Reads a table and checks that it has these columns.
    fn read<'a>(
        &self,
        path: &Path,
        columns: impl IntoIterator<Item = &'a String>,
        shell: &Shell,
    ) -> Result<Table, CommandError> {
        let options = ReadOptions { progress: reading(shell, path), ..read_options(&self.input)? };
        let table = read_table(path, &options)?;
        for name in columns {
            if table.column(name).is_err() {
                let known: Vec<String> = table.columns().iter().map(|column| format!("`{}`", column.name())).collect();
                let file = path.display();
                return Err(sentence(format!("`{file}` has no column `{name}`; its columns are {}", known.join(", "))));
            }
        }
        Ok(table)
    }
}

impl HierarchyArgs {
    /// The files it names, none of which may be overwritten.
    fn files(&self) -> impl Iterator<Item = &Path> {
        let hierarchies = self.hierarchies.iter().filter_map(|text| named_file(text)).map(|(_, path)| path);
        hierarchies.chain(self.manifest.as_deref())
    }

    /// Reads the hierarchies, which must be of some of these columns.
    fn read(&self, columns: &[&str], input: &InputArgs) -> Result<LabelsByColumn, CommandError> {
        let encoding = read_options(input)?.encoding.unwrap_or_default();
        let mut labels = LabelsByColumn::new();
        for text in &self.hierarchies {
            let (name, path) = named_file(text)
                .ok_or_else(|| sentence(format!("--hierarchy is `{}`; expected COLUMN=FILE", text.display())))?;
            if !columns.contains(&name) {
                let known = columns.join(", ");
                return Err(sentence(format!("--hierarchy names `{name}`, which is not among {known}")));
            }
            let rows = read_hierarchy_in(path, encoding)?;
            let column = Labels::from_rows(&rows)
                .map_err(|error| sentence(format!("the hierarchy {}: {error}", path.display())))?;
            if labels.insert(name.to_owned(), column).is_some() {
                return Err(sentence(format!("--hierarchy names `{name}` twice; give one file")));
            }
        }
        if let Some(path) = &self.manifest {
            for (name, stored) in Manifest::read(path)?.recoding.hierarchies {
                if columns.contains(&name.as_str()) && !labels.contains_key(&name) {
                    let rows: Vec<HierarchyRow> =
                        stored.into_iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels }).collect();
                    let column = Labels::from_rows(&rows).map_err(|error| {
                        sentence(format!("the hierarchy of `{name}` in {}: {error}", path.display()))
                    })?;
                    labels.insert(name, column);
                }
            }
        }
        Ok(labels)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    bound: f64,
    succeeds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

/// Says what an attack found; the answer is no if it exposes more people than the bound allows.
fn conclude(report: &Report, args: &AttackArgs, output: Option<&PathBuf>, shell: &Shell) -> CommandResult {
    let succeeds = report.share > args.bound;
    shell.notes(&report.notes.iter().map(|note| printable(note)).collect::<Vec<_>>());
    shell.json(&Document { report, bound: args.bound, succeeds, output: output.map(spelled) })?;
    for finding in report.findings.iter().take_while(|_| shell.is_heard()) {
        shell.say(&printable(&finding.sentence));
    }
    if report.more > 0 {
        shell.say(&format!("... and {} more; --top N lists more", report.more));
    }
    if !report.findings.is_empty() {
        shell.say("");
    }
    shell.say(&printable(&report.summary));
    let share = percent(report.share);
    shell.say(&if succeeds {
        format!("The attack succeeds: {share} at risk, {} allowed.", percent(args.bound))
    } else if report.at_risk > 0 {
        format!("The attack stays within the bound: {share} at risk, {} allowed.", percent(args.bound))
    } else {
        "The attack fails.".to_owned()
    });
    Ok(Answer::from_bool(!succeeds))
}

/// An attack that cannot be tried.
fn refused(error: &AttackError) -> CommandError {
    sentence(error.to_string())
}

/// Names as the attacks take them.
fn names(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
