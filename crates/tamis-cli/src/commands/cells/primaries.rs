//! `tamis cells primaries`: which cells are confidential, by which rule, and how far each must be protected.

use crate::commands::spelled;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use tamis_cells::{CellTable, Status};
use tamis_source::{AtomicFile, Compression};
use tamis_totals::{
    ContributionColumns, Dominance, MissingLabels, PriorPosterior, Rules, Totals, TotalsError, Zeros,
    read_contributions, read_flagged, write_flagged, write_hits,
};

use super::super::ensure_outputs;
use super::file_format::{FileFormat, ensure_csv};
use super::table_args::TableArgs;
use super::words::equations;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::shell::Shell;
use crate::text_table::TextTable;

#[derive(Debug, Args)]
pub(crate) struct PrimariesArgs {
    /// Microdata with one row a contribution; with --from table, tables with one row a cell
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the file is: contributions, or a table of cells with columns of frequencies and largest contributions
    #[arg(long, value_name = "KIND", default_value = "contributions")]
    from: String,
    /// Where to write the table for `protect`: .json, .jj, or .csv with columns of statuses, bounds and levels
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where to write which rule hit which cell, as CSV
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    contributions: ContributionArgs,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
struct RuleArgs {
    /// Fewer contributors than this make a cell confidential
    #[arg(allow_negative_numbers = true, long, value_name = "N")]
    min_frequency: Option<f64>,
    /// Fewer respondents than this make a cell confidential, however many belong to one holding
    #[arg(allow_negative_numbers = true, long, value_name = "N")]
    min_respondents: Option<f64>,
    /// More than K percent held by the N largest contributors make a cell confidential; may be repeated
    #[arg(allow_negative_numbers = true, long, value_name = "N,K")]
    dominance: Vec<String>,
    /// A largest contributor whom the next N together can estimate to within P percent makes a cell confidential; N is 1 if left out
    #[arg(allow_negative_numbers = true, long, value_name = "P[,N]")]
    p_percent: Vec<String>,
    /// The same where everybody can estimate to within Q percent beforehand
    #[arg(allow_negative_numbers = true, long, value_name = "P,Q[,N]")]
    pq: Vec<String>,
    /// A contributor who asked for protection and holds at least so many percent makes a cell confidential
    #[arg(allow_negative_numbers = true, long, value_name = "PERCENT", default_value_t = 0.0)]
    request_share: f64,
    /// Cells of value zero with contributors: rules (decide), primary (all of them), safe (none of them) or fixed (all published)
    #[arg(long, value_name = "KIND", default_value = "rules")]
    zeros: String,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Contributions")]
struct ContributionArgs {
    /// The column that names who answered; each row is another respondent if left out
    #[arg(long, value_name = "COLUMN")]
    respondent: Option<String>,
    /// The column that names whom a respondent belongs to; contributions of one holding count as one
    #[arg(long, value_name = "COLUMN")]
    holding: Option<String>,
    /// The column of sampling weights: how many units like it a row stands for
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
    /// The column that says who asked for protection: anything but empty, 0, no and false
    #[arg(long, value_name = "COLUMN")]
    request: Option<String>,
    /// Rows without a label: error, label (they get one) or safe (they get one, and no rule hits its cells)
    #[arg(long, value_name = "KIND", default_value = "error")]
    missing_labels: String,
    /// The columns of largest contributions of a table, largest first
    #[arg(long, value_delimiter = ',', value_name = "X1,X2,...")]
    top: Vec<String>,
}

pub(crate) fn run(args: &PrimariesArgs, shell: &Shell) -> CommandResult {
    let beside = args.table.files();
    let inputs = args.files.iter().chain(&beside).map(PathBuf::as_path);
    ensure_outputs([&args.output, &args.report].into_iter().flatten().map(PathBuf::as_path), inputs)?;
    let format = args.output.as_deref().map(|path| FileFormat::of_output("--output", path)).transpose()?;
    ensure_csv("--report", args.report.as_deref())?;
    let totals = read(args, shell)?;
    if let Some((output, format)) = args.output.as_ref().zip(format) {
        write(output, format, &totals)?;
    }
    if let Some(report) = &args.report {
        write_hits(report, &totals)?;
    }
    let written: Vec<String> =
        [&args.output, &args.report].into_iter().flatten().map(|path| path.display().to_string()).collect();
    let mut notes = totals.notes().to_vec();
    if !written.is_empty() {
        let hold = if written.len() == 1 { "holds true values; it is" } else { "hold true values; they are" };
        notes.push(format!("{} {hold} not for publication", written.join(" and ")));
    }
    shell.json(&document(&totals, args, &notes))?;
    shell.notes(&notes);
    if shell.is_heard() {
        shell.say(&text(&totals));
        for (name, file) in [("table", &args.output), ("report", &args.report)] {
            if let Some(file) = file {
                shell.say(&format!("{name:<12}written to {}", file.display()));
            }
        }
    }
    Ok(Answer::Yes)
}

fn read(args: &PrimariesArgs, shell: &Shell) -> Result<Totals, CommandError> {
    let mut options = args.table.options(shell, &args.files[0])?;
    ensure_attackers_fit(args)?;
    let rules = args.rules.rules(args.contributions.request.is_some())?;
    let told = |error: TotalsError| sentence(error.to_string());
    match (args.from.as_str(), args.files.as_slice()) {
        ("contributions", [file]) => {
            if options.dimensions.is_empty() {
                return Err(sentence("name the columns that break the totals down with --dimensions"));
            }
            read_contributions(file, &args.contributions.columns()?, &rules, &options).map_err(told)
        }
        ("contributions", _) => {
            Err(sentence("give one file of contributions; only tables (--from table) can be linked"))
        }
        ("table", files) => {
            options.columns.top.clone_from(&args.contributions.top);
            read_flagged(files, &rules, &options).map_err(told)
        }
        (other, _) => Err(sentence(format!("--from {other}: expected contributions or table"))),
    }
}

/// Refuses outputs that would leave attackers out: only JSON has a place for them.
fn ensure_attackers_fit(args: &PrimariesArgs) -> Result<(), CommandError> {
    let flag = match (&args.table.attackers, args.table.singletons.as_str()) {
        (Some(_), _) => "--attackers",
        (None, "off") => return Ok(()),
        (None, _) => "--singletons",
    };
    let Some(output) = &args.output else { return Ok(()) };
    let name = output.file_name().map_or_else(String::new, |name| name.to_string_lossy().to_ascii_lowercase());
    if name.split('.').skip(1).any(|part| part == "json") {
        return Ok(());
    }
    Err(sentence(format!(
        "{flag}: {} has no place for attackers; write the table as .json, or leave the flag out here and give it to protect",
        output.display()
    )))
}

impl RuleArgs {
    fn rules(&self, has_request: bool) -> Result<Rules, CommandError> {
        let least = |flag: &str, number: Option<f64>| match number {
            Some(least) if !(least.is_finite() && least > 0.0) => {
                Err(sentence(format!("{flag} {least}: give a number above 0")))
            }
            number => Ok(number),
        };
        let told = |flag: &'static str| move |wrong: String| sentence(format!("{flag}: {wrong}"));
        let mut prior_posterior = Vec::new();
        for text in &self.p_percent {
            prior_posterior.push(PriorPosterior::p_percent(text).map_err(told("--p-percent"))?);
        }
        for text in &self.pq {
            prior_posterior.push(PriorPosterior::p_q(text).map_err(told("--pq"))?);
        }
        let dominance = self.dominance.iter().map(|text| text.parse::<Dominance>().map_err(told("--dominance")));
        Ok(Rules {
            min_frequency: least("--min-frequency", self.min_frequency)?,
            min_respondents: least("--min-respondents", self.min_respondents)?,
            dominance: dominance.collect::<Result<_, _>>()?,
            prior_posterior,
            request: has_request.then_some(self.request_share),
            zeros: match self.zeros.as_str() {
                "rules" => Zeros::Rules,
                "primary" => Zeros::Primary,
                "safe" => Zeros::Safe,
                "fixed" => Zeros::Fixed,
                other => return Err(sentence(format!("--zeros {other}: expected rules, primary, safe or fixed"))),
            },
        })
    }
}

impl ContributionArgs {
    fn columns(&self) -> Result<ContributionColumns, CommandError> {
        Ok(ContributionColumns {
            respondent: self.respondent.clone(),
            holding: self.holding.clone(),
            sampling_weight: self.weight.clone(),
            request: self.request.clone(),
            missing: match self.missing_labels.as_str() {
                "error" => MissingLabels::Error,
                "label" => MissingLabels::Label,
                "safe" => MissingLabels::Safe,
                other => return Err(sentence(format!("--missing-labels {other}: expected error, label or safe"))),
            },
        })
    }
}

/// Writes the table for `protect`.
fn write(path: &Path, format: FileFormat, totals: &Totals) -> Result<(), CommandError> {
    let (table, compression) = (totals.table(), Compression::of_path(path));
    match format {
        FileFormat::Json => AtomicFile::write_private_compressed(path, compression, |mut file| {
            tamis_cells::format::json::write(table, &mut file)
        })?,
        FileFormat::Jj => AtomicFile::write_private_compressed(path, compression, |mut file| {
            tamis_cells::format::jj::write(table, None, &mut file)
        })?,
        FileFormat::Csv => write_flagged(path, totals)?,
    }
    Ok(())
}

fn count(table: &CellTable, status: Status) -> usize {
    table.cells().iter().filter(|cell| cell.status == status).count()
}

/// Cells that one contributor has for itself.
fn alone(totals: &Totals) -> usize {
    let cells = totals.table().cells().iter().enumerate();
    cells.filter(|(cell, facts)| facts.status == Status::Primary && totals.frequency(*cell) == Some(1.0)).count()
}

fn document(totals: &Totals, args: &PrimariesArgs, notes: &[String]) -> Value {
    let table = totals.table();
    let labels = |cell: usize| -> Value {
        let labels = totals.dimensions().iter().zip(totals.labels(cell));
        labels
            .map(|(dimension, label)| (dimension.name().to_owned(), json!(label)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let primaries = table.cells().iter().enumerate().filter(|(_, cell)| cell.status == Status::Primary);
    let mut rules: Vec<Vec<Value>> = vec![Vec::new(); table.cells().len()];
    for hit in totals.hits() {
        rules[hit.cell].push(json!({ "rule": hit.rule, "lpl": hit.lower, "upl": hit.upper }));
    }
    let primaries = primaries.map(|(index, cell)| {
        json!({
            "id": cell.id,
            "labels": labels(index),
            "value": cell.value,
            "frequency": totals.frequency(index),
            "lpl": cell.levels.lower,
            "upl": cell.levels.upper,
            "spl": cell.levels.sliding,
            "rules": rules[index],
        })
    });
    json!({
        "cells": table.cells().len(),
        "equations": table.equations().len(),
        "attackers": table.attackers().len(),
        "primary": table.cells().iter().filter(|cell| cell.status == Status::Primary).map(|cell| &cell.id).collect::<Vec<_>>(),
        "singletons": alone(totals),
        "primaries": primaries.collect::<Vec<_>>(),
        "output": args.output.as_ref().map(spelled),
        "report": args.report.as_ref().map(spelled),
        "notes": notes,
    })
}

/// More hits than this nobody reads on a terminal.
const MOST_LINES: usize = 60;

fn text(totals: &Totals) -> String {
    let table = totals.table();
    let mut lines = Vec::new();
    let names = totals.dimensions().iter().map(tamis_totals::Dimension::name);
    let header: Vec<&str> = names.chain([totals.value_name(), "contributors", "rule", "lpl", "upl"]).collect();
    let mut shown = TextTable::new(&header);
    for hit in totals.hits().iter().take(MOST_LINES) {
        let mut row: Vec<String> = totals.labels(hit.cell).into_iter().map(str::to_owned).collect();
        let frequency = totals.frequency(hit.cell).map_or_else(String::new, brief);
        row.extend([totals.value_text(hit.cell), frequency, hit.rule.clone(), brief(hit.lower), brief(hit.upper)]);
        shown.row(row);
    }
    if !totals.hits().is_empty() {
        lines.extend([shown.render(), String::new()]);
    }
    if let Some(more @ 1..) = totals.hits().len().checked_sub(MOST_LINES) {
        lines.insert(1, format!("... {more} more; --json and --report tell them all"));
    }
    lines.push(format!("{:<12}{} in {}", "cells", table.cells().len(), equations(table.equations().len())));
    lines.push(format!("{:<12}{}", "primary", count(table, Status::Primary)));
    let alone = alone(totals);
    if alone > 0 && table.attackers().is_empty() {
        let note = "one contributor knows the cell; --singletons protects the others from it";
        lines.push(format!("{:<12}{alone}, where {note}", "singletons"));
    }
    if !table.attackers().is_empty() {
        lines.push(format!("{:<12}{} beside the public", "attackers", table.attackers().len()));
    }
    lines.join("\n")
}

/// A level for a person: a few digits behind the point.
fn brief(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
