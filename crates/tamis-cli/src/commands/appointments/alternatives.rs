//! `tamis appointments alternatives`: other slots for somebody who cannot come.

use super::super::{ensure_outputs, read_options};
use super::account::{brief, figures, people, vector_document};
use super::conditions::{ConditionArgs, SlotArgs};
use crate::answer::{Answer, CommandResult};
use crate::args::InputArgs;
use crate::commands::spelled;
use crate::progress::reading;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tamis_appointments::Alternative;
use tamis_programme::{Location, Rescheduling, Sheet};

/// What the columns of the table mean.
const COLUMNS: &str = "\
Columns of the table:
  left    places that are free in the slot now
  alike   people with the same quasi-identifier in the slot already; for a family the fewest of any member
  k       the size of the smallest cell afterwards
  change  what the move does to the vector: +e3 is one cell of 3 people more, -2e4 two cells of 4 people fewer
  vector  the anonymity vector afterwards; the best is listed first";

#[derive(Debug, Args)]
#[command(after_help = COLUMNS)]
pub(crate) struct AlternativesArgs {
    /// The table of people with their slots, as `assign` writes it
    #[arg(long, value_name = "FILE")]
    assigned: PathBuf,
    /// The columns by which people could be recognised
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    quasi: Vec<String>,
    /// The column that names people, each another
    #[arg(long, value_name = "COLUMN")]
    id: String,
    /// Who cannot come
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    person: String,
    /// Move the person alone, though --together says who belongs to them
    #[arg(long, requires = "together")]
    alone: bool,
    #[command(flatten)]
    slots: SlotArgs,
    /// List slots too that are full or that a rule closes, and say so
    #[arg(long)]
    all: bool,
    /// Take this slot: its --slot-id, or what describes it separated by commas
    #[arg(long, value_name = "SLOT", requires = "output", allow_hyphen_values = true)]
    choose: Option<String>,
    /// Where to write the table with the slot chosen; .gz and .zst compress
    #[arg(long, short, value_name = "FILE", requires = "choose")]
    output: Option<PathBuf>,
    #[command(flatten)]
    conditions: ConditionArgs,
    /// The column that names the slot of appointments that stand, as for `assign`: --choose writes the new slot there too
    #[arg(long, value_name = "COLUMN", requires = "slot_id", help_heading = "Conditions")]
    fixed: Option<String>,
    #[command(flatten)]
    input: InputArgs,
}

pub(crate) fn run(args: &AlternativesArgs, shell: &Shell) -> CommandResult {
    let inputs = [args.assigned.as_path(), args.slots.slots.as_path()];
    ensure_outputs(args.output.as_deref(), inputs.into_iter().chain(args.conditions.files()))?;
    let slots = args.slots.read(&args.input)?;
    let conditions = args.conditions.read(args.fixed.as_deref(), &args.input)?;
    let sheet = Sheet::read(&args.assigned, &read_options(&args.input)?, reading(shell, &args.assigned))?;
    let rescheduling = Rescheduling::new(sheet, &args.quasi, &args.id, slots, conditions, &args.slots.slot_prefix)?;
    let person = rescheduling.programme().people().row_of(&args.person)?;
    let movers = rescheduling.movers(person, args.alone)?;
    let found = rescheduling.alternatives(&movers);
    let chosen = args.choose.as_ref().map(|text| rescheduling.programme().slots().named(text)).transpose()?;
    let mut notes = rescheduling.programme().notes().to_vec();
    notes.extend(chosen.and_then(|slot| rescheduling.note_on_standing(&movers, slot)));
    let offer = Offer {
        rescheduling: &rescheduling,
        person,
        movers: &movers,
        found: &found,
        is_all: args.all,
        location: args.conditions.slot_location(),
        notes: &notes,
    };
    if let (Some(slot), Some(output)) = (chosen, &args.output) {
        rescheduling.check_choice(slot, &movers, &found)?;
        rescheduling.write(output, &movers, slot)?;
    }
    shell.json(&offer.document(args, chosen))?;
    shell.notes(&notes);
    if shell.is_heard() {
        shell.say(&offer.text());
        if let (Some(slot), Some(output)) = (chosen, &args.output) {
            shell.say(&format!("{} it is, written to {}", offer.label(slot), output.display()));
        }
    }
    Ok(Answer::from_bool(found.iter().any(Alternative::is_open)))
}

/// What is told about the other slots.
struct Offer<'a> {
    rescheduling: &'a Rescheduling,
    person: usize,
    movers: &'a [usize],
    found: &'a [Alternative],
    is_all: bool,
    location: Option<&'a Location>,
    notes: &'a [String],
}

/// More slots than this nobody reads on a terminal.
const MOST_LINES: usize = 60;

impl Offer<'_> {
    fn label(&self, slot: usize) -> String {
        let is_coordinate =
            |name: &str| self.location.is_some_and(|location| name == location.latitude || name == location.longitude);
        self.rescheduling.programme().slots().label_without(slot, is_coordinate)
    }

    fn described(&self, slot: usize) -> BTreeMap<&str, &str> {
        self.rescheduling.programme().slots().described(slot).into_iter().collect()
    }

    fn listed(&self) -> impl Iterator<Item = &Alternative> {
        self.found.iter().filter(|one| self.is_all || one.is_open())
    }

    fn document(&self, args: &AlternativesArgs, chosen: Option<usize>) -> Value {
        let one = |one: &Alternative| {
            json!({
                "slot": self.described(one.slot),
                "open": one.is_open(),
                "places_left": one.places_left,
                "companions": one.companions,
                "change": one.change,
                "after": vector_document(&one.vector),
                "broken_rules": self.rescheduling.broken_rules(one),
            })
        };
        let people = self.rescheduling.programme().people();
        json!({
            "person": &args.person,
            "moves": self.movers.iter().filter_map(|&row| people.id_of(row)).collect::<Vec<_>>(),
            "from": self.described(self.rescheduling.slot(self.person)),
            "before": vector_document(&self.rescheduling.vector()),
            "alternatives": self.listed().map(one).collect::<Value>(),
            "chosen": chosen.map(|slot| self.described(slot)),
            "output": args.output.as_ref().map(spelled),
            "notes": self.notes,
        })
    }

    fn text(&self) -> String {
        let programme = self.rescheduling.programme();
        let from = self.label(self.rescheduling.slot(self.person));
        let mut lines = vec![format!("{} goes to {from} now", programme.people().label(self.person))];
        if self.movers.len() > 1 {
            let ids: Vec<&str> = self.movers.iter().filter_map(|&row| programme.people().id_of(row)).collect();
            lines.push(format!("{} belong together and move as one: {}", people(ids.len() as u64), ids.join(", ")));
        }
        lines.push(format!("now {}", figures(&self.rescheduling.vector())));
        lines.push(String::new());
        let listed: Vec<&Alternative> = self.listed().collect();
        if listed.is_empty() {
            lines.push("no other slot is open to them; --all tells which are full or closed by a rule".to_owned());
            return lines.join("\n");
        }
        lines.push(self.table(&listed));
        lines.push(String::new());
        lines.push(self.advice());
        lines.join("\n")
    }

    fn table(&self, listed: &[&Alternative]) -> String {
        let slots = self.rescheduling.programme().slots();
        let names: Vec<&str> = slots.described(0).into_iter().map(|(name, _)| name).collect();
        let mut header: Vec<&str> = names.into_iter().chain(["left", "alike", "k", "change", "vector"]).collect();
        if self.is_all {
            header.push("open");
        }
        let mut table = TextTable::new(&header);
        for one in listed.iter().take(MOST_LINES) {
            let mut cells: Vec<String> =
                slots.described(one.slot).into_iter().map(|(_, value)| value.to_owned()).collect();
            cells.extend(
                [one.places_left, one.companions, one.vector.k().unwrap_or(0)].map(|number| number.to_string()),
            );
            cells.extend([change(&one.change), brief(&one.vector)]);
            if self.is_all {
                cells.push(match (one.has_room, self.rescheduling.broken_rules(one).first()) {
                    (false, _) => "full".to_owned(),
                    (true, Some(rule)) => rule.clone(),
                    (true, None) => "yes".to_owned(),
                });
            }
            table.row(cells);
        }
        match listed.len().checked_sub(MOST_LINES) {
            Some(more @ 1..) => format!("{}\n... {more} more slots; --json tells them all", table.render()),
            _ => table.render(),
        }
    }

    fn advice(&self) -> String {
        let alike = || self.found.iter().filter(|one| one.companions > 0);
        let shut = alike().filter(|one| !one.is_open()).count();
        match alike().filter(|one| one.is_open()).count() {
            0 if shut > 0 => {
                let slots =
                    if shut == 1 { "one that is full or closed does" } else { "several that are full or closed do" };
                let hint = if self.is_all { "" } else { "; --all lists them too" };
                format!("no open slot holds people with the same quasi-identifier, but {slots}{hint}")
            }
            0 => {
                "no other slot holds people with the same quasi-identifier: wherever they go, they stand out".to_owned()
            }
            1 => "one open slot holds people with the same quasi-identifier: offer it first".to_owned(),
            several => format!(
                "{several} open slots hold people with the same quasi-identifier: offer them first, in this order"
            ),
        }
    }
}

/// A change of the vector in the notation of unit vectors: `-e3 +e2`.
fn change(change: &[(u64, i64)]) -> String {
    if change.is_empty() {
        return "none".to_owned();
    }
    let term = |&(size, cells): &(u64, i64)| {
        let sign = if cells < 0 { '-' } else { '+' };
        match cells.unsigned_abs() {
            1 => format!("{sign}e{size}"),
            several => format!("{sign}{several}e{size}"),
        }
    };
    change.iter().map(term).collect::<Vec<_>>().join(" ")
}
