//! The outcome of an experiment for a terminal and as CSV.

use crate::answer::CommandError;
use crate::text_table::TextTable;
use std::path::Path;
use tamis_appointments::laboratory::experiment::{Outcome, Summary};
use tamis_source::{OutputColumn, WriteOptions, write_table};

/// Improvements first, then the ways to schedule by themselves.
pub(crate) fn table_of(outcome: &Outcome) -> String {
    let mut improvements =
        TextTable::new(&["setting", "runs", "compared", "printed", "mean", "error", "min", "median", "max"]);
    let mut arms = TextTable::new(&["setting", "method", "printed k", "mean k", "error", "alone", "proved", "seconds"]);
    let mut has_improvements = false;
    for row in &outcome.rows {
        for figures in &row.comparisons {
            has_improvements = true;
            let summary = figures.improvement;
            improvements.row(vec![
                row.label.clone(),
                row.runs.to_string(),
                figures.comparison.to_string(),
                figures.published.map_or_else(String::new, percent),
                percent(summary.mean),
                format!("{:.2}", summary.standard_error * 100.0),
                percent(summary.minimum),
                percent(summary.quantiles[2]),
                percent(summary.maximum),
            ]);
        }
        for figures in &row.arms {
            arms.row(vec![
                row.label.clone(),
                figures.arm.to_string(),
                figures.published_k.map_or_else(String::new, |k| format!("{k:.2}")),
                format!("{:.2}", figures.k.mean),
                format!("{:.2}", figures.k.standard_error),
                percent(figures.alone.mean),
                percent(figures.proved),
                format!("{:.3}", figures.seconds),
            ]);
        }
    }
    let tables = if has_improvements { vec![improvements.render(), arms.render()] } else { vec![arms.render()] };
    format!("{}, seed {}\n\n{}", outcome.title, outcome.seed, tables.join("\n\n"))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A line per figure: setting, what it is about, its name, and its summary.
pub(crate) fn write_csv(path: &Path, outcome: &Outcome) -> Result<(), CommandError> {
    let mut lines: Vec<[String; 11]> = Vec::new();
    for row in &outcome.rows {
        let mut line = |of: String, figure: &str, summary: &Summary, printed: Option<f64>| {
            lines.push([
                row.label.clone(),
                row.people.to_string(),
                row.runs.to_string(),
                figure.to_owned(),
                of,
                printed.map_or_else(String::new, |printed| printed.to_string()),
                summary.mean.to_string(),
                summary.standard_error.to_string(),
                summary.minimum.to_string(),
                summary.quantiles[2].to_string(),
                summary.maximum.to_string(),
            ]);
        };
        for figures in &row.comparisons {
            line(figures.comparison.to_string(), "improvement", &figures.improvement, figures.published);
        }
        for figures in &row.arms {
            line(figures.arm.to_string(), "k", &figures.k, figures.published_k);
            line(figures.arm.to_string(), "alone", &figures.alone, None);
        }
    }
    let header = [
        "setting",
        "people",
        "runs",
        "figure",
        "of",
        "printed",
        "mean",
        "standard_error",
        "minimum",
        "median",
        "maximum",
    ];
    let columns: Vec<OutputColumn<'_>> = header
        .iter()
        .enumerate()
        .map(|(at, name)| OutputColumn {
            name,
            cells: lines.iter().map(|line| line[at].clone()).collect(),
            cell_of_row: Box::new(|row| row as u32),
        })
        .collect();
    write_table(path, &WriteOptions::default(), &columns, 0..lines.len())?;
    Ok(())
}
