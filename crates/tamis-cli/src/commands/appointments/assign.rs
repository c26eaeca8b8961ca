//! `tamis appointments assign`: a slot for every person of a file.

use super::super::{ensure_outputs, read_options};
use super::account::{
    dense, figures, improved, meaning, people, place, placed_document, places, proof_lines, proofs_document, verdict,
};
use super::conditions::{ConditionArgs, SlotArgs};
use super::method::MethodArgs;
use crate::answer::{Answer, CommandError, CommandResult};
use crate::args::InputArgs;
use crate::commands::spelled;
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use tamis_appointments::vector::{Position, improvement};
use tamis_appointments::{AnonymityVector, Method, Solution, SolveOptions};
use tamis_programme::{People, Programme, Sheet};
use tamis_release::exact_number;

#[derive(Debug, Args)]
pub(crate) struct AssignArgs {
    /// The table of people, one row each
    #[arg(long, value_name = "FILE")]
    people: PathBuf,
    /// The columns by which people could be recognised; a missing value is a value of its own
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The column that names people, each another
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    #[command(flatten)]
    slots: SlotArgs,
    /// Where to write everybody's row with the columns of their slot; .gz and .zst compress
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    conditions: ConditionArgs,
    /// The column of people that names the slot of an appointment that may not move; empty for those who are free
    #[arg(long, value_name = "COLUMN", requires = "slot_id", help_heading = "Conditions")]
    fixed: Option<String>,
    #[command(flatten)]
    input: InputArgs,
}

pub(crate) fn run(args: &AssignArgs, shell: &Shell) -> CommandResult {
    let inputs = [args.people.as_path(), args.slots.slots.as_path()];
    ensure_outputs([args.output.as_path()], inputs.into_iter().chain(args.conditions.files()))?;
    let options = args.method.options(shell)?;
    let programme = read(args, shell)?;
    programme.check_names(&args.slots.slot_prefix)?;
    let started = Instant::now();
    let solution = programme.solve(args.method.method, &options)?;
    let method = args.method.method.answering(&solution, options.level);
    let seconds = started.elapsed().as_secs_f64();
    let appointments = programme.appoint(&solution.schedule, options.seed);
    programme.write(&args.output, &appointments, &args.slots.slot_prefix)?;
    let random = at_random(&programme, method, &solution, &options);
    let before = programme.vector_before();
    let vectors: Vec<&AnonymityVector> = [&before, &solution.vector].into_iter().chain(&random).collect();
    let positions = places(&vectors)?;
    let account = Account {
        vectors: &vectors,
        positions: &positions,
        loads: Load::of_slots(&programme, &solution),
        programme: &programme,
        solution: &solution,
        method,
        seed: options.seed,
        seconds,
    };
    shell.json(&account.document(args))?;
    shell.notes(programme.notes());
    if shell.is_heard() {
        shell.say(&account.text());
        shell.say(&format!("{:<12}{}", "written to", args.output.display()));
    }
    Ok(Answer::Yes)
}

fn read(args: &AssignArgs, shell: &Shell) -> Result<Programme, CommandError> {
    let slots = args.slots.read(&args.input)?;
    let conditions = args.conditions.read(args.fixed.as_deref(), &args.input)?;
    let sheet = Sheet::read(&args.people, &read_options(&args.input)?, reading(shell, &args.people))?;
    let people = People::new(sheet, &args.quasi, args.id.as_deref())?;
    Ok(Programme::new(people, slots, conditions)?)
}

/// The vector had everybody drawn a place, for comparison; none where no such schedule was found.
fn at_random(
    programme: &Programme,
    method: Method,
    solution: &Solution,
    options: &SolveOptions,
) -> Option<AnonymityVector> {
    if method == Method::Random {
        return Some(solution.vector.clone());
    }
    programme.solve(Method::Random, options).ok().map(|random| random.vector)
}

/// What a slot holds.
#[derive(Debug, Clone, Default)]
struct Load {
    people: u64,
    cells: u64,
    smallest: u64,
}

impl Load {
    fn of_slots(programme: &Programme, solution: &Solution) -> Vec<Self> {
        let mut loads = vec![Self::default(); programme.slots().count()];
        for ((_, slot), people) in solution.schedule.cells(programme.instance()) {
            let load = &mut loads[slot];
            load.smallest = if load.cells == 0 { people } else { load.smallest.min(people) };
            load.people += people;
            load.cells += 1;
        }
        loads
    }
}

/// All that is told about the schedule.
struct Account<'a> {
    programme: &'a Programme,
    solution: &'a Solution,
    /// Before, after and, if there is one, at random.
    vectors: &'a [&'a AnonymityVector],
    positions: &'a [Position],
    loads: Vec<Load>,
    method: Method,
    seed: u64,
    seconds: f64,
}

/// More slots than this nobody reads on a terminal.
const MOST_LINES: usize = 60;

impl Account<'_> {
    fn placed(&self, at: usize) -> Option<Value> {
        Some(placed_document(self.vectors.get(at)?, self.positions.get(at)?))
    }

    /// By how much the schedule is better than one at random, as a share of the index before.
    fn improvement(&self) -> Option<f64> {
        let [before, after, random] = self.positions else { return None };
        Some(improvement(after, random, before))
    }

    fn document(&self, args: &AssignArgs) -> Value {
        let slots = self.programme.slots();
        let load = |(slot, load): (usize, &Load)| {
            let described: BTreeMap<&str, &str> = slots.described(slot).into_iter().collect();
            json!({ "slot": described, "capacity": slots.capacities()[slot], "people": load.people, "quasi_ids": load.cells })
        };
        json!({
            "people": self.programme.people().count(),
            "quasi_ids": self.programme.instance().quasi_ids,
            "slots": slots.count(),
            "places": slots.capacities().iter().sum::<u64>(),
            "before": self.placed(0),
            "after": self.placed(1),
            "random": self.placed(2),
            "improvement": self.improvement(),
            "optimal": self.solution.is_optimal(),
            "lower_bound": dense(&self.solution.lower_bound),
            "lower_bound_sizes": self.solution.lower_bound.counts(),
            "proofs": proofs_document(self.solution),
            "method": self.method.name(),
            "seed": exact_number(self.seed),
            "seconds": self.seconds,
            "loads": self.loads.iter().enumerate().map(load).collect::<Value>(),
            "output": spelled(&args.output),
            "notes": self.programme.notes(),
        })
    }

    fn text(&self) -> String {
        let instance = self.programme.instance();
        let slots = self.programme.slots();
        let mut lines = vec![meaning(&self.solution.vector), String::new(), self.slot_table(), String::new()];
        let mut figure = |name: &str, value: String| lines.push(format!("{name:<12}{value}"));
        let count = instance.people();
        figure("people", format!("{count} with {} quasi-identifier values", instance.quasi_ids));
        figure("slots", format!("{} for {}", slots.count(), people(slots.capacities().iter().sum())));
        for (name, (vector, position)) in
            ["before", "after", "at random"].into_iter().zip(self.vectors.iter().zip(self.positions))
        {
            figure(name, format!("{}, {}", figures(vector), place(position)));
        }
        if let Some(improvement) = self.improvement() {
            figure("improvement", improved(improvement, self.vectors[1], self.vectors[2]));
        }
        let (label, sentence) = verdict(self.solution);
        figure(label, sentence);
        for line in proof_lines(self.solution) {
            figure("", line);
        }
        figure("method", format!("{}, seed {}", self.method.name(), self.seed));
        lines.join("\n")
    }

    fn slot_table(&self) -> String {
        let slots = self.programme.slots();
        let names: Vec<&str> = slots.described(0).into_iter().map(|(name, _)| name).collect();
        let header: Vec<&str> = names.into_iter().chain(["places", "people", "quasi-ids", "smallest"]).collect();
        let mut table = TextTable::new(&header);
        for (slot, load) in self.loads.iter().enumerate().take(MOST_LINES) {
            let mut cells: Vec<String> = slots.described(slot).into_iter().map(|(_, value)| value.to_owned()).collect();
            cells.extend([slots.capacities()[slot], load.people, load.cells, load.smallest].map(|n| n.to_string()));
            table.row(cells);
        }
        match self.loads.len().checked_sub(MOST_LINES) {
            Some(more @ 1..) => format!("{}\n... {more} more slots; --json tells them all", table.render()),
            _ => table.render(),
        }
    }
}
