//! `tamis cells generate`: tables to try protection on.

use super::words;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::commands::ensure_outputs;
use crate::commands::spelled;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tamis_cells::Status;
use tamis_cells::format::{jj, json as json_format};
use tamis_cells::generate::{Bounds, Dimension, Generated, Labels, Primaries, Shape, Weights, generate};
use tamis_release::exact_number;
use tamis_source::{AtomicFile, Compression, OutputColumn, WriteOptions, write_hierarchy, write_table_to};
use tamis_table::HierarchyRow;

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The size of each dimension without its total; 3x4 is three groups of four
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_value = "10,10")]
    sizes: Vec<Dimension>,
    /// The share of innermost cells that are confidential
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, conflicts_with = "threshold")]
    primaries: f64,
    /// Every cell with a value of 1 to this is confidential, instead of a share of them
    #[arg(long, value_name = "N")]
    threshold: Option<u32>,
    /// What everybody knows about a value: `wide` (not negative), `tight` (within half of it), a share of it as 0.2, or a multiple of the
    /// grand total as 3x
    #[arg(long, default_value = "wide", value_parser = bounds)]
    bounds: Bounds,
    /// The share of innermost cells that are empty
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    zeros: f64,
    /// The largest value of an innermost cell
    #[arg(long, value_name = "N", default_value_t = 499)]
    largest: u32,
    /// How far from its value an attacker's interval for a confidential cell must reach, as a share of the value
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    level: f64,
    /// How wide that interval must be at least, as a share of the value
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    sliding: f64,
    /// What hiding a cell costs
    #[arg(long, default_value = "value")]
    weights: WeightsName,
    /// The share of confidential cells with a single respondent, who attacks the others (JSON only)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    singletons: f64,
    /// How to write the table; otherwise the extension of the output says, and JSON goes to standard output
    #[arg(long)]
    format: Option<FormatName>,
    /// Write the table here
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WeightsName {
    /// Its value
    Value,
    /// 1
    Unit,
    /// The logarithm of 1 and its value
    Log,
    /// A number from 1 to 100
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Cells and equations
    Json,
    /// Cells and equations as peers exchange them; cells are numbered from 0
    Jj,
    /// A column for each dimension, margins called Total
    Csv,
}

impl FormatName {
    fn of_path(path: &Path) -> Option<Self> {
        let is_compressed = Compression::of_path(path) != Compression::None;
        let plain = if is_compressed { path.with_extension("") } else { path.to_path_buf() };
        match plain.extension().and_then(OsStr::to_str)?.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "jj" => Some(Self::Jj),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

fn bounds(text: &str) -> Result<Bounds, String> {
    let expected = || format!("{text:?} is neither wide, tight, a share as 0.2 nor a multiple as 3x");
    match text {
        "wide" => Ok(Bounds::Wide),
        "tight" => Ok(Bounds::TIGHT),
        _ => match text.strip_suffix('x') {
            Some(factor) => factor.parse().map(Bounds::Multiple).map_err(|_| expected()),
            None => text.parse().map(Bounds::Within).map_err(|_| expected()),
        },
    }
}

pub(crate) fn run(args: &GenerateArgs, shell: &Shell) -> CommandResult {
    let format = format(args)?;
    if args.output.is_none() && shell.is_json {
        return Err(sentence("--json and the table cannot both go to standard output; give --output FILE"));
    }
    if args.singletons > 0.0 && format != FormatName::Json {
        return Err(sentence("only JSON has a place for singletons; give --format json or no --singletons"));
    }
    let shape = shape(args);
    let grouped = shape.dimensions.iter().any(|dimension| dimension.branches.len() > 1);
    let seed = shell.seed_or_random(None)?;
    let Some(path) = &args.output else {
        let made = generate(&shape, seed).map_err(|error| sentence(error.to_string()))?;
        if grouped && format == FormatName::Csv {
            return Err(sentence("the groups of --sizes need files beside the CSV; give --output FILE"));
        }
        return match write(&made, format, &mut BufWriter::new(io::stdout().lock())) {
            // A reader that closes the pipe has all it wants.
            Err(reason) if reason.kind() != io::ErrorKind::BrokenPipe => {
                Err(sentence(format!("cannot write to standard output: {reason}")))
            }
            _ => Ok(Answer::Yes),
        };
    };
    let made = generate(&shape, seed).map_err(|error| sentence(error.to_string()))?;
    let hierarchies: Vec<(&Labels, PathBuf)> = if format == FormatName::Csv {
        let grouped = made.dimensions.iter().zip(&shape.dimensions).filter(|(_, shape)| shape.branches.len() > 1);
        grouped.map(|(labels, _)| (labels, hierarchy_path(path, &labels.name))).collect()
    } else {
        Vec::new()
    };
    ensure_outputs([path].into_iter().chain(hierarchies.iter().map(|(_, path)| path)).map(PathBuf::as_path), [])?;
    for (labels, path) in &hierarchies {
        write_hierarchy(path, &hierarchy(labels))?;
    }
    AtomicFile::write_compressed(path, Compression::of_path(path), |file| {
        write(&made, format, &mut BufWriter::new(file))
    })?;
    answer(&made, seed, path, &hierarchies, shell)
}

fn answer(
    made: &Generated,
    seed: u64,
    path: &Path,
    hierarchies: &[(&Labels, PathBuf)],
    shell: &Shell,
) -> CommandResult {
    let cells = made.table.cells();
    let count = |status: Status| cells.iter().filter(|cell| cell.status == status).count();
    let (primaries, empty, equations) = (count(Status::Primary), count(Status::Fixed), made.table.equations().len());
    let files: serde_json::Map<String, serde_json::Value> =
        hierarchies.iter().map(|(labels, path)| (labels.name.clone(), json!(spelled(path)))).collect();
    shell.json(&json!({
        "seed": exact_number(seed),
        "cells": cells.len(),
        "equations": equations,
        "primary": primaries,
        "empty": empty,
        "attackers": made.table.attackers().len(),
        "output": spelled(path),
        "hierarchies": files,
    }))?;
    shell.say(&format!(
        "{} in {}, {primaries} of them confidential and {empty} empty, seed {seed}, written to {}",
        words::cells(cells.len()),
        words::equations(equations),
        path.display()
    ));
    for (labels, path) in hierarchies {
        shell.say(&format!("the groups of {} are in {}", labels.name, path.display()));
    }
    Ok(Answer::Yes)
}

fn format(args: &GenerateArgs) -> Result<FormatName, CommandError> {
    match (args.format, &args.output) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(FormatName::Json),
        (None, Some(path)) => FormatName::of_path(path).ok_or_else(|| {
            let shown = path.display();
            sentence(format!(
                "{shown} does not say how to write the table; call it .json, .jj or .csv, or give --format"
            ))
        }),
    }
}

fn shape(args: &GenerateArgs) -> Shape {
    Shape {
        dimensions: args.sizes.clone(),
        zeros: args.zeros,
        largest: args.largest,
        primaries: args.threshold.map_or(Primaries::Share(args.primaries), Primaries::UpTo),
        bounds: args.bounds,
        lower: args.level,
        upper: args.level,
        sliding: args.sliding,
        weights: match args.weights {
            WeightsName::Value => Weights::Value,
            WeightsName::Unit => Weights::Unit,
            WeightsName::Log => Weights::Log,
            WeightsName::Random => Weights::Random,
        },
        singletons: args.singletons,
    }
}

fn write(made: &Generated, format: FormatName, mut output: &mut dyn Write) -> io::Result<()> {
    match format {
        FormatName::Json => json_format::write(&made.table, &mut output)?,
        FormatName::Jj => jj::write(&made.table, None, &mut output)?,
        FormatName::Csv => {
            let columns = columns(made);
            let rows = 0..made.table.cells().len();
            write_table_to(&mut output, "the table", &WriteOptions::default(), &columns, rows)
                .map_err(io::Error::other)?;
        }
    }
    output.flush()
}

/// A column for each dimension, then what is known of a cell. No bound is `inf`.
fn columns(made: &Generated) -> Vec<OutputColumn<'_>> {
    let cells = made.table.cells();
    let mut step = 1;
    let mut columns: Vec<OutputColumn<'_>> = Vec::new();
    for Labels { name, labels, .. } in made.dimensions.iter().rev() {
        let here = step;
        let cell_of_row = Box::new(move |row: usize| (row / here % labels.len()) as u32);
        columns.push(OutputColumn { name, cells: labels.clone(), cell_of_row });
        step *= labels.len();
    }
    columns.reverse();
    let letters = |cell: &tamis_cells::Cell| jj::letter(cell.status, None).to_string();
    columns.push(OutputColumn::of_rows("value", cells.iter().map(|cell| cell.value.to_string()).collect()));
    columns.push(OutputColumn::of_rows("weight", cells.iter().map(|cell| cell.weight.to_string()).collect()));
    columns.push(OutputColumn::of_rows("status", cells.iter().map(letters).collect()));
    columns.push(OutputColumn::of_rows("lb", cells.iter().map(|cell| cell.lower.to_string()).collect()));
    columns.push(OutputColumn::of_rows("ub", cells.iter().map(|cell| cell.upper.to_string()).collect()));
    columns.push(OutputColumn::of_rows("lpl", cells.iter().map(|cell| cell.levels.lower.to_string()).collect()));
    columns.push(OutputColumn::of_rows("upl", cells.iter().map(|cell| cell.levels.upper.to_string()).collect()));
    columns.push(OutputColumn::of_rows("spl", cells.iter().map(|cell| cell.levels.sliding.to_string()).collect()));
    columns
}

/// `table.csv` has the groups of dimension `c` in `table.c.csv`.
fn hierarchy_path(path: &Path, dimension: &str) -> PathBuf {
    let is_compressed = Compression::of_path(path) != Compression::None;
    let plain = if is_compressed { path.with_extension("") } else { path.to_path_buf() };
    plain.with_extension(format!("{dimension}.csv"))
}

/// Each category with the groups above it, the total last.
fn hierarchy(labels: &Labels) -> Vec<HierarchyRow> {
    let leaves = (0..labels.labels.len()).filter(|label| !labels.parents.contains(&Some(*label)));
    (1..)
        .zip(leaves)
        .map(|(line, leaf)| {
            let above = std::iter::successors(Some(leaf), |label| labels.parents[*label]);
            HierarchyRow { line, labels: above.map(|label| labels.labels[label].clone()).collect() }
        })
        .collect()
}
