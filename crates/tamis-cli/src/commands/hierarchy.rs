//! `tamis hierarchy`

use crate::answer::{Answer, AtPlace, CommandError, CommandResult, sentence};
use crate::args::InputArgs;
use crate::commands::spelled;
use crate::commands::{ensure_outputs, read_options};
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tamis_source::{
    ColumnFilter, ReadOptions, hierarchy_to_string, read_hierarchy, read_hierarchy_in, read_table, write_hierarchy,
};
use tamis_table::hierarchy::{Severity, check, check_against};
use tamis_table::{Builder, Hierarchy, HierarchyError, HierarchyRow};

#[derive(Debug, Subcommand)]
pub(crate) enum Kind {
    /// Find everything wrong with a hierarchy file, and say the line
    Check(CheckArgs),
    /// Show the levels of a hierarchy file
    Show {
        /// The hierarchy
        file: PathBuf,
    },
    /// Numbers in intervals that grow from level to level
    Interval(BuildArgs<IntervalArgs>),
    /// Ordered values in groups of neighbours
    Order(BuildArgs<OrderArgs>),
    /// Characters masked from the right or left
    Mask(BuildArgs<MaskArgs>),
    /// Dates by month, quarter, year, decade
    Date(BuildArgs<DateArgs>),
    /// Named groups, from a file of `child;parent` lines
    Tree(BuildArgs<TreeArgs>),
    /// Similar texts by their longest common subsequence
    Patterns(BuildArgs<PatternArgs>),
    /// Rare values together
    Rare(BuildArgs<RareArgs>),
    /// Whatever suits the column
    Auto(BuildArgs<NoArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The hierarchy
    file: PathBuf,
    /// A table whose values must all be listed
    #[arg(long, value_name = "DATA", requires = "column")]
    data: Option<PathBuf>,
    /// The column of that table
    #[arg(long, value_name = "COLUMN", requires = "data")]
    column: Option<String>,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs<P: Args> {
    /// The table with the values
    data: PathBuf,
    /// The column
    #[arg(long, value_name = "COLUMN")]
    column: String,
    /// Where to write; standard output if left out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    parameters: P,
    #[command(flatten)]
    input: InputArgs,
}

/// Parameters that leave nothing to choose.
#[derive(Debug, Args, Serialize)]
pub(crate) struct NoArgs {}

#[derive(Debug, Args, Serialize)]
pub(crate) struct IntervalArgs {
    /// Cut points of the first level
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bins: Vec<String>,
    /// Where intervals start
    #[arg(long, allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Width of the first level's intervals
    #[arg(long, allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<String>,
    /// How many neighbours each further level joins
    #[arg(long, value_delimiter = ',', value_name = "N,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    factors: Vec<u32>,
    /// Values below become one open interval
    #[arg(long, allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<String>,
    /// Values from here on become one open interval
    #[arg(long, allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<String>,
    /// half-open: [20, 30[; range: 20-29
    #[arg(long, value_parser = ["half-open", "range"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<String>,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct OrderArgs {
    /// The values in order; the order of their type if left out
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    order: Vec<String>,
    /// Neighbours joined on the first level
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<u64>,
    /// How many groups each further level joins
    #[arg(long, value_delimiter = ',', value_name = "N,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    factors: Vec<u32>,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct MaskArgs {
    /// Which end is masked first
    #[arg(long, value_parser = ["right", "left"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// What masked characters become
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<char>,
    /// Characters masked per level
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// Masking levels before the last
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<usize>,
    /// Fill shorter values with this character
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pad: Option<char>,
    /// On which side to fill
    #[arg(long, value_parser = ["right", "left"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    pad_side: Option<String>,
    /// The last level's label
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<String>,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct DateArgs {
    /// How dates are written, as in strptime; detected if left out
    #[arg(long, allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    /// Two-digit years are at most this
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    latest_year: Option<i16>,
    /// day, week, month, quarter, year, five-years, decade, century
    #[arg(long, value_delimiter = ',', value_name = "UNIT,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<String>,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct TreeArgs {
    /// A file of `child;parent` lines
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    parents: PathBuf,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct PatternArgs {
    /// How alike texts must be on each level, falling
    #[arg(long, value_delimiter = ',', value_name = "SHARE,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    similarity: Vec<f64>,
    /// Shortest run of characters that a pattern keeps
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest_run: Option<usize>,
}

#[derive(Debug, Args, Serialize)]
pub(crate) struct RareArgs {
    /// Values in fewer rows are rare; several for several levels
    #[arg(long, value_delimiter = ',', value_name = "ROWS,...")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    minimum: Vec<u64>,
    /// What rare values become
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

pub(crate) fn run(args: &crate::args::HierarchyArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        Kind::Check(args) => check_file(args, shell),
        Kind::Show { file } => show(file, shell),
        Kind::Interval(args) => build(args, "interval", shell),
        Kind::Order(args) => build(args, "order", shell),
        Kind::Mask(args) => build(args, "mask", shell),
        Kind::Date(args) => build(args, "date", shell),
        Kind::Patterns(args) => build(args, "patterns", shell),
        Kind::Rare(args) => build(args, "rare", shell),
        Kind::Tree(args) => {
            let parents = parents_of(&args.parameters)?;
            let make: MakeBuilder<'_> = &|_| builder("tree", &json!({ "parents": parents }));
            build_from(args, Some(&args.parameters.parents), make, shell)
        }
        Kind::Auto(args) => build_from(args, None, &|column| Ok(suggestion(column)), shell),
    }
}

fn check_file(args: &CheckArgs, shell: &Shell) -> CommandResult {
    let encoding = read_options(&args.input)?.encoding.unwrap_or_default();
    let rows = read_hierarchy_in(&args.file, encoding)?;
    let findings = match (&args.data, &args.column) {
        (Some(data), Some(column)) => {
            let table = read_column(data, column, &args.input)?;
            let column = table.column(column)?;
            check_against(&rows, column.counted_values().into_iter().map(|(value, _)| value))
        }
        _ => check(&rows),
    };
    let is_usable = findings.iter().all(|finding| finding.severity != Severity::Error);
    let severity = |severity: Severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let documents: Vec<Value> = findings
        .iter()
        .map(|finding| {
            json!({
                "line": finding.line,
                "severity": severity(finding.severity),
                "kind": format!("{:?}", finding.kind),
                "message": finding.message,
            })
        })
        .collect();
    shell.json(&json!({ "usable": is_usable, "findings": documents }))?;
    for finding in &findings {
        shell.say(&format!("{}: {}: {}", args.file.display(), severity(finding.severity), finding.message));
    }
    if findings.is_empty() {
        shell.say(&format!("{}: nothing to complain about", args.file.display()));
    }
    Ok(Answer::from_bool(is_usable))
}

fn show(file: &PathBuf, shell: &Shell) -> CommandResult {
    let rows = read_hierarchy(file)?;
    let hierarchy = Hierarchy::from_rows(&rows).at(&file.display().to_string())?;
    let labels: Vec<usize> = (0..hierarchy.levels()).map(|level| hierarchy.labels_on(level)).collect();
    shell.json(&json!({ "levels": hierarchy.levels(), "lines": hierarchy.lines(), "labels": labels }))?;
    let mut table = TextTable::new(&["level", "labels", "example"]);
    for (level, count) in labels.iter().enumerate() {
        table.row(vec![level.to_string(), count.to_string(), rows[0].labels[level].clone()]);
    }
    shell.say(&table.render());
    Ok(Answer::Yes)
}

fn read_column(data: &PathBuf, column: &str, input: &InputArgs) -> Result<tamis_table::Table, CommandError> {
    let options = ReadOptions { columns: ColumnFilter::Only(vec![column.to_owned()]), ..read_options(input)? };
    Ok(read_table(data, &options)?)
}

fn builder(kind: &str, parameters: &Value) -> Result<Builder, CommandError> {
    serde_json::from_value(json!({ kind: parameters })).map_err(|error| sentence(format!("{kind}: {error}")))
}

fn build<P: Args + Serialize>(args: &BuildArgs<P>, kind: &str, shell: &Shell) -> CommandResult {
    let parameters = serde_json::to_value(&args.parameters).map_err(|error| sentence(format!("{kind}: {error}")))?;
    build_from(args, None, &|_| builder(kind, &parameters), shell)
}

fn suggestion(column: &tamis_table::Column) -> Builder {
    Builder::suggest(column.data_type(), &column.counted_values())
}

type MakeBuilder<'a> = &'a dyn Fn(&tamis_table::Column) -> Result<Builder, CommandError>;

fn build_from<P: Args>(
    args: &BuildArgs<P>,
    read_besides: Option<&Path>,
    make: MakeBuilder<'_>,
    shell: &Shell,
) -> CommandResult {
    ensure_outputs(args.output.as_deref(), [args.data.as_path()].into_iter().chain(read_besides))?;
    let table = read_column(&args.data, &args.column, &args.input)?;
    let column = table.column(&args.column)?;
    let values = column.counted_values();
    let built = make(column)?.build_with_counts(&values);
    if built == Err(HierarchyError::Empty) {
        return Err(sentence(format!("`{}` has no values to build a hierarchy from; leave it out", args.column)));
    }
    let rows: Vec<HierarchyRow> = built.at(&format!("of `{}`", args.column))?;
    let levels = rows.first().map_or(0, |row| row.labels.len());
    if let Some(path) = &args.output {
        write_hierarchy(path, &rows)?;
        shell.say(&format!("{} values on {levels} levels written to {}", rows.len(), path.display()));
    } else {
        shell.say(hierarchy_to_string(&rows).trim_end());
    }
    let lines: Vec<&Vec<String>> = rows.iter().map(|row| &row.labels).collect();
    shell.json(
        &json!({ "levels": levels, "values": rows.len(), "rows": lines, "output": args.output.as_ref().map(spelled) }),
    )?;
    Ok(Answer::Yes)
}

fn parents_of(args: &TreeArgs) -> Result<BTreeMap<String, String>, CommandError> {
    let mut parents = BTreeMap::new();
    for row in read_hierarchy(&args.parents)? {
        let [child, parent] = row.labels.as_slice() else {
            let place = args.parents.display();
            return Err(sentence(format!(
                "{place}, line {}: expected `child;parent`, found {} fields",
                row.line,
                row.labels.len()
            )));
        };
        if let Some(other) = parents.insert(child.clone(), parent.clone())
            && other != *parent
        {
            let place = args.parents.display();
            return Err(sentence(format!("{place}, line {}: `{child}` already has the parent `{other}`", row.line)));
        }
    }
    Ok(parents)
}
