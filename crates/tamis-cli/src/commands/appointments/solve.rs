//! `tamis appointments solve`: from plain frequencies and capacities.

use super::account::{dense, figures, meaning, people, place, places, proof_lines, proofs_document, verdict};
use super::method::MethodArgs;
use super::numbers::numbers;
use super::trace::Trace;
use crate::answer::{Answer, CommandError, CommandResult, sentence};
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::json;
use std::time::Instant;
use tamis_appointments::vector::Position;
use tamis_appointments::{Allowed, Instance, Solution, solve};
use tamis_release::exact_number;

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// How many people each quasi-identifier value has; @FILE reads them from a file
    #[arg(long, required = true, value_name = "N,N,...|@FILE", allow_hyphen_values = true)]
    frequencies: String,
    /// How many people each slot takes; @FILE reads them from a file
    #[arg(long, required = true, value_name = "N,N,...|@FILE", allow_hyphen_values = true)]
    capacities: String,
    /// The slots that people of one frequency may go to, both counted from 1: `1:2,5`; the others may go anywhere
    #[arg(long, value_name = "FREQUENCY:SLOT,...")]
    allow: Vec<String>,
    #[command(flatten)]
    method: MethodArgs,
    /// Also show the iterations of the paper's Algorithm 1, one for each component of the vector
    #[arg(long)]
    trace: bool,
}

pub(crate) fn run(args: &SolveArgs, shell: &Shell) -> CommandResult {
    let frequencies = numbers("--frequencies", &args.frequencies)?;
    let capacities = numbers("--capacities", &args.capacities)?;
    let mut instance = Instance::plain(&frequencies, &capacities)?;
    restrict(&mut instance, &args.allow)?;
    let options = args.method.options(shell)?;
    let started = Instant::now();
    let solution = solve(&instance, args.method.method, &options)?;
    let method = args.method.method.answering(&solution, options.level);
    let seconds = started.elapsed().as_secs_f64();
    let position = places(&[&solution.vector])?.into_iter().next();
    let matrix = (capacities.len().saturating_mul(frequencies.len()) <= LARGEST_MATRIX)
        .then(|| solution.schedule.matrix(&instance));
    let mut notes = Vec::new();
    if matrix.is_none() {
        notes.push(format!(
            "the matrix of {} by {} cells is left out; `placements` tells the cells that hold anybody",
            frequencies.len(),
            capacities.len()
        ));
    }
    let trace = if args.trace { Some(Trace::of(&instance, &solution, &options)?) } else { None };
    let of_trace = trace.as_ref().and_then(Trace::note);
    let mut document = json!({
        "vector": dense(&solution.vector),
        "sizes": solution.vector.counts(),
        "k": solution.vector.k(),
        "index": position.as_ref().and_then(Position::index).map(ToString::to_string),
        "share": position.as_ref().map(Position::share),
        "log_gap": position.as_ref().map(Position::log_gap),
        "matrix": matrix,
        "optimal": solution.is_optimal(),
        "lower_bound": dense(&solution.lower_bound),
        "lower_bound_sizes": solution.lower_bound.counts(),
        "proofs": proofs_document(&solution),
        "method": method.name(),
        "people": instance.people(),
        "places": capacities.iter().sum::<u64>(),
        "seed": exact_number(options.seed),
        "seconds": seconds,
        "notes": notes.iter().chain(&of_trace).collect::<Vec<&String>>(),
    });
    if matrix.is_none() {
        let cells = solution.schedule.cells(&instance).into_iter();
        document["placements"] = cells.map(|((row, slot), people)| json!([row + 1, slot + 1, people])).collect();
    }
    if let Some(trace) = &trace {
        document["iterations"] = trace.document();
    }
    shell.json(&document)?;
    shell.notes(&notes);
    if shell.is_heard() {
        shell.say(&text(&instance, &solution, position.as_ref(), &[method.name(), &options.seed.to_string()]));
        if let Some(trace) = &trace {
            shell.say(&trace.text(&instance));
        }
    }
    Ok(Answer::Yes)
}

/// Larger matrices are mostly zeros, and told by their other cells.
const LARGEST_MATRIX: usize = 2_000_000;
/// A terminal shows about so many columns and rows.
pub(super) const WIDEST: usize = 30;

/// Reads which slots each frequency may go to.
fn restrict(instance: &mut Instance, allow: &[String]) -> Result<(), CommandError> {
    for text in allow {
        let (row, slots) = text
            .split_once(':')
            .ok_or_else(|| sentence(format!("--allow is `{text}`; expected FREQUENCY:SLOT,... such as 1:2,5")))?;
        let place = format!("--allow {text}");
        let (row, slots) = (numbers(&place, row)?, numbers(&place, slots)?);
        let position = |number: u64, of: usize, what: &str| {
            let position = usize::try_from(number).ok().filter(|position| (1..=of).contains(position));
            position.map(|position| position - 1).ok_or_else(|| {
                sentence(format!("{place}: there is no {what} {number}, they are numbered from 1 to {of}"))
            })
        };
        let [row] = row[..] else { return Err(sentence(format!("{place}: name one frequency before the colon"))) };
        let row = position(row, instance.units.len(), "frequency")?;
        let of = instance.capacities.len();
        let mut slots =
            slots.into_iter().map(|slot| position(slot, of, "slot")).collect::<Result<Vec<usize>, CommandError>>()?;
        slots.sort_unstable();
        slots.dedup();
        instance.units[row].allowed = if slots.len() == of { Allowed::All } else { Allowed::Only(slots.into()) };
    }
    Ok(())
}

fn text(instance: &Instance, solution: &Solution, position: Option<&Position>, made_by: &[&str; 2]) -> String {
    let mut lines = vec![meaning(&solution.vector), String::new()];
    if instance.quasi_ids <= WIDEST && instance.capacities.len() <= WIDEST {
        lines.extend([matrix(instance, &solution.schedule.matrix(instance)), String::new()]);
    }
    let mut figure = |name: &str, value: String| lines.push(format!("{name:<12}{value}"));
    let room = instance.capacities.iter().sum();
    figure("people", format!("{} with {} quasi-identifier values", instance.people(), instance.quasi_ids));
    figure("slots", format!("{} for {}", instance.capacities.len(), people(room)));
    figure("schedule", figures(&solution.vector));
    if let Some(position) = position {
        figure("", place(position));
    }
    let (label, sentence) = verdict(solution);
    figure(label, sentence);
    for line in proof_lines(solution) {
        figure("", line);
    }
    figure("method", made_by.join(", seed "));
    lines.join("\n")
}

/// The schedule as the sources print it: a row for each quasi-identifier value, a column for each slot.
pub(super) fn matrix(instance: &Instance, rows: &[Vec<u64>]) -> String {
    let slots: Vec<String> = (1..=instance.capacities.len()).map(|slot| format!("slot {slot}")).collect();
    let header: Vec<&str> = ["value"].into_iter().chain(slots.iter().map(String::as_str)).chain(["people"]).collect();
    let mut table = TextTable::new(&header);
    let mut row = |name: String, cells: &[u64]| {
        let cells = cells.iter().map(u64::to_string);
        table.row([name].into_iter().chain(cells).collect());
    };
    for (number, cells) in rows.iter().enumerate() {
        let sum = cells.iter().sum();
        row((number + 1).to_string(), &[cells.as_slice(), &[sum]].concat());
    }
    row("places".to_owned(), &[instance.capacities.as_slice(), &[instance.capacities.iter().sum()]].concat());
    table.render()
}
