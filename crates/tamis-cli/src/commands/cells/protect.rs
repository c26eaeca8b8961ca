//! `tamis cells protect`: hide the confidential cells and as little else as possible.

use super::attacked::{Attacked, Extent, attack, unasked};
use super::output::{OutputArgs, Outputs};
use super::refusal::{not_decided, refusal};
use super::search_args::{MethodName, SearchArgs};
use super::solver::solver;
use super::subject::Subject;
use super::table_args::TableArgs;
use super::words::{cells, counted, equations, number};
use crate::answer::{Answer, CommandError, CommandResult};
use crate::shell::Shell;
use crate::text_table::percent;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tamis_cells::protect::{End, ProtectError, Protected};
use tamis_cells::{CellId, CellTable, Pattern, Status};

#[derive(Debug, Args)]
pub(crate) struct ProtectArgs {
    /// The table: cells and equations as JSON or JJ, or a CSV with a column for each dimension; several files are linked tables
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    columns: TableArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// A cell that must be hidden, by its id, or @FILE with a list of them; may be repeated
    #[arg(long, value_name = "ID|@FILE", allow_hyphen_values = true)]
    hide: Vec<String>,
    /// A cell that must be published, by its id, or @FILE with a list of them; may be repeated
    #[arg(long, value_name = "ID|@FILE", allow_hyphen_values = true)]
    publish: Vec<String>,
    /// Tell the interval that anybody computes for each hidden cell
    #[arg(long)]
    intervals: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// The share of the time limit that is left for intervals where they are asked for.
const TIME_FOR_INTERVALS: f64 = 0.15;

pub(crate) fn run(args: &ProtectArgs, shell: &Shell) -> CommandResult {
    args.search.limits()?;
    let inputs = [args.tables.clone(), args.columns.files()].concat();
    let outputs = Outputs::new(&args.output, &inputs)?;
    let mut subject = Subject::read(&args.tables, &args.columns, shell)?;
    subject.mark(&args.hide, &args.publish)?;
    let solver = solver()?;
    let (started, deadline) = (Instant::now(), args.search.deadline()?);
    let wants_intervals = args.intervals || outputs.wants_intervals();
    let share = if wants_intervals { 1.0 - TIME_FOR_INTERVALS } else { 1.0 };
    let found = args.search.seek(&subject.table, share, solver, shell)?;
    let seconds = started.elapsed().as_secs_f64();
    let protected = match found {
        Ok(protected) => protected,
        Err(ProtectError::CannotBeProtected(levels)) => {
            return Err(refusal(&subject.table, &levels, solver, deadline));
        }
        Err(ProtectError::NotDecided(levels)) => return Err(not_decided(&subject.table, &levels)),
        Err(error @ ProtectError::TimeRanOut) => {
            // As `anonymize` has it: the question was understood, and there is no answer yet.
            let other = if args.search.method == MethodName::Optimal { ", or try --method heuristic" } else { "" };
            let sentence = format!("{error}; give it more time{other}");
            return Err(CommandError::No { sentence, fields: json!({}) });
        }
    };
    let attacked = if wants_intervals {
        // Whoever stopped the search wants to see what it found.
        let extent = Extent { unnecessary: false, deadline, stop: &AtomicBool::new(false) };
        Some(attack(&subject.table, &protected.pattern, solver, &extent, shell)?)
    } else {
        None
    };
    let mut notes = subject.notes();
    notes.extend(unasked(&subject.table));
    notes.extend(unproved(args, &subject.table, &protected));
    if attacked.as_ref().is_some_and(|attacked| !attacked.audit.intervals_complete) {
        notes.push("the time ran out before all intervals were known: they reach at least as far as shown".to_owned());
    }
    notes.extend(outputs.write(&subject, &protected, attacked.as_ref(), args.intervals, &notes)?);
    let told = attacked.as_ref().filter(|_| args.intervals);
    shell.json(&document(args, &subject.table, &protected, told, seconds, &notes, &outputs))?;
    shell.notes(&notes);
    if shell.is_heard() {
        shell.say(&text(args, &subject.table, &protected, told, seconds, &outputs));
    }
    Ok(Answer::Yes)
}

/// What to know about a pattern that may not be the cheapest.
fn unproved(args: &ProtectArgs, table: &CellTable, protected: &Protected) -> Option<String> {
    if protected.optimal || args.search.method == MethodName::Heuristic {
        return None;
    }
    let saved = match protected.gap {
        gap if gap >= 1.0 => "it is not known yet how much of what its secondaries cost could be saved".to_owned(),
        gap if gap < 0.00005 => {
            format!(
                "at most {} of a cost of {} could be saved",
                number(protected.cost - protected.bound),
                number(protected.cost)
            )
        }
        gap => format!("at most {} of what its secondaries cost could be saved", percent(gap)),
    };
    let is_everything = protected.pattern == Pattern::most(table);
    Some(match protected.end {
        End::Stopped if is_everything => format!(
            "the search stopped before it found anything better than to hide every cell that may be hidden: that protects; {saved}; give it more time"
        ),
        End::Stopped => format!("the search stopped before its end: the pattern protects; {saved}"),
        End::Gap => format!("the search ended at the gap that --gap asks for: the pattern protects; {saved}"),
        End::Rounding | End::Done => format!(
            "the search came to its end, but its linear programs do not tell costs that close apart: the pattern protects; {saved}"
        ),
    })
}

/// The ids of the hidden cells that a test picks.
fn ids<'a>(table: &'a CellTable, protected: &Protected, is_told: impl Fn(Status) -> bool) -> Vec<&'a CellId> {
    let hidden = protected.pattern.cells().map(|cell| &table.cells()[cell]);
    hidden.filter(|cell| is_told(cell.status)).map(|cell| &cell.id).collect()
}

fn document(
    args: &ProtectArgs,
    table: &CellTable,
    protected: &Protected,
    attacked: Option<&Attacked>,
    seconds: f64,
    notes: &[String],
    outputs: &Outputs<'_>,
) -> Value {
    let effort = &protected.effort;
    let mut document = json!({
        "cost": protected.cost,
        "optimal": protected.optimal,
        "gap": protected.gap,
        "bound": protected.bound,
        "suppressed": ids(table, protected, |_| true),
        "primary": ids(table, protected, |status| status == Status::Primary),
        "secondary": ids(table, protected, |status| status != Status::Primary),
        "method": args.search.method.name(),
        "cells": table.cells().len(),
        "equations": table.equations().len(),
        "attackers": table.attackers().len() + 1,
        "search": {
            "nodes": effort.nodes,
            "cuts": effort.cuts,
            "attacks": effort.attacks,
            "seconds": seconds,
            "attacks_per_second": if seconds > 0.0 { effort.attacks as f64 / seconds } else { 0.0 },
        },
        "notes": notes,
    });
    if let Some(attacked) = attacked {
        document["intervals"] = attacked.intervals_document(table);
    }
    if let Some(written) = outputs.document() {
        document["output"] = written;
    }
    document
}

fn text(
    args: &ProtectArgs,
    table: &CellTable,
    protected: &Protected,
    attacked: Option<&Attacked>,
    seconds: f64,
    outputs: &Outputs<'_>,
) -> String {
    let primary = ids(table, protected, |status| status == Status::Primary);
    let secondary = ids(table, protected, |status| status != Status::Primary);
    let mut lines = Vec::new();
    if let Some(attacked) = attacked {
        lines.extend([attacked.intervals_table(table), String::new()]);
    }
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<12}{value}"));
    figure("table", format!("{}, {}", cells(table.cells().len()), equations(table.equations().len())));
    figure("primary", listed(&primary));
    figure("secondary", listed(&secondary));
    figure("cost", number(protected.cost));
    if primary.is_empty() {
        figure("proved", "nothing: no cell is primary, so nothing was asked".to_owned());
    } else if protected.optimal {
        figure("proved", "optimal: nothing that protects costs less".to_owned());
    } else {
        figure(
            "bound",
            format!(
                "nothing that protects costs less than {}; gap {}",
                number(protected.bound),
                percent(protected.gap)
            ),
        );
    }
    let effort = &protected.effort;
    figure(
        "search",
        format!(
            "{}, {}, {}, {} in {seconds:.2} s",
            args.search.method.name(),
            counted(effort.nodes as u64, "node", "nodes"),
            counted(effort.cuts as u64, "cut", "cuts"),
            counted(effort.attacks, "attack", "attacks"),
        ),
    );
    for path in outputs.paths() {
        figure("written", path.display().to_string());
    }
    lines.join("\n")
}

/// More ids than this nobody reads on one line.
const MOST_IDS: usize = 20;

/// How many cells, and which.
fn listed(ids: &[&CellId]) -> String {
    if ids.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> =
        ids.iter().take(MOST_IDS).map(|id| crate::text_table::printable(&id.to_string())).collect();
    let more = if ids.len() > MOST_IDS { ", ... (--json lists all)" } else { "" };
    format!("{}: {}{more}", cells(ids.len()), shown.join(", "))
}
