//! The outcome of an experiment for a terminal and as CSV.

use crate::answer::CommandError;
use crate::text_table::TextTable;
use std::path::Path;
use tamis_appointments::laboratory::experiment::{Comparison, ComparisonFigures, Outcome, Summary};
use tamis_source::{OutputColumn, WriteOptions, write_table};

/// What the columns mean, for a reader who sees nothing but the tables.
const COLUMNS: &str = "a/b: improvement of a over b; error: standard error of the mean, in percentage points or in k; printed: the \
    source's figure\nalone: people in a cell of their own; proved: problems whose schedule the method itself proved optimal";

/// Improvements in percent first, then the ways to schedule by themselves.
pub(crate) fn table_of(outcome: &Outcome) -> String {
    let tables = [improvements_of(outcome), Some(arms_of(outcome))];
    let tables: Vec<String> = tables.into_iter().flatten().collect();
    format!("{}, seed {}\n\n{}\n\n{COLUMNS}", outcome.title, outcome.seed, tables.join("\n\n"))
}

/// A line per setting, with the mean of every comparison, its standard error and what was printed.
fn improvements_of(outcome: &Outcome) -> Option<String> {
    let fullest = outcome.rows.iter().max_by_key(|row| row.comparisons.len())?;
    let comparisons: Vec<Comparison> = fullest.comparisons.iter().map(|figures| figures.comparison).collect();
    if comparisons.is_empty() {
        return None;
    }
    let is_printed = |comparison: Comparison| {
        let of_rows = outcome.rows.iter().filter_map(|row| row.comparison(comparison.of, comparison.over));
        of_rows.into_iter().any(|figures| figures.published.is_some())
    };
    let mut header = vec!["setting".to_owned(), "runs".to_owned()];
    for &comparison in &comparisons {
        header.extend([comparison.to_string(), "error (points)".to_owned()]);
        if is_printed(comparison) {
            header.push("printed".to_owned());
        }
    }
    let mut table = TextTable::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for row in &outcome.rows {
        let mut cells = vec![row.label.clone(), row.runs.to_string()];
        for &comparison in &comparisons {
            let figures = row.comparison(comparison.of, comparison.over);
            cells.push(figures.map_or_else(String::new, |figures| percent(figures.improvement.mean)));
            let error = |figures: &ComparisonFigures| error_of(&figures.improvement, 100.0);
            cells.push(figures.map_or_else(String::new, error));
            if is_printed(comparison) {
                cells.push(figures.and_then(|figures| figures.published).map_or_else(String::new, percent));
            }
        }
        table.row(cells);
    }
    Some(table.render())
}

/// A line per setting and method.
fn arms_of(outcome: &Outcome) -> String {
    let header = ["setting", "method", "mean k", "error (k)", "printed", "least", "most", "alone", "proved", "seconds"];
    let mut table = TextTable::new(&header);
    for row in &outcome.rows {
        for figures in &row.arms {
            table.row(vec![
                row.label.clone(),
                figures.arm.to_string(),
                format!("{:.2}", figures.k.mean),
                error_of(&figures.k, 1.0),
                figures.published_k.map_or_else(String::new, |k| format!("{k:.2}")),
                figures.k.minimum.to_string(),
                figures.k.maximum.to_string(),
                percent(figures.alone.mean),
                percent(figures.proved),
                format!("{:.3}", figures.seconds),
            ]);
        }
    }
    table.render()
}

/// The standard error in units of which the mean has `factor`; a dash for a single run, which has none.
fn error_of(summary: &Summary, factor: f64) -> String {
    summary.standard_error.map_or_else(|| "-".to_owned(), |error| format!("{:.2}", error * factor))
}

fn percent(share: f64) -> String {
    let written = format!("{:.1}%", share * 100.0);
    // A loss that rounds to nothing is nothing.
    if written == "-0.0%" { "0.0%".to_owned() } else { written }
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
                summary.standard_error.map_or_else(String::new, |error| error.to_string()),
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
        .map(|(at, name)| OutputColumn::of_rows(name, lines.iter().map(|line| line[at].clone()).collect()))
        .collect();
    write_table(path, &WriteOptions::default(), &columns, 0..lines.len())?;
    Ok(())
}
