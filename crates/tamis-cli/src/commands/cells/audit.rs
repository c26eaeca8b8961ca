//! `tamis cells audit`: attack a table with hidden cells, whoever hid them.

use super::attacked::{Attacked, Extent, attack, role, unasked};
use super::file_format::ensure_csv;
use super::output::write_page;
use super::solver::solver;
use super::subject::Subject;
use super::table_args::TableArgs;
use super::words::{attacker_name, cells, counted, finite, level_name, number};
use crate::answer::{Answer, CommandError, CommandResult};
use crate::commands::ensure_outputs;
use crate::interrupt::stop_flag;
use crate::shell::Shell;
use crate::text_table::TextTable;
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tamis_cells::audit::Exposed;
use tamis_cells::{CellId, CellTable, Pattern, Status};
use tamis_source::{OutputColumn, WriteOptions, is_tsv, write_private_table};

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The table with its true values: cells and equations as JSON or JJ, or a CSV with a column for each dimension
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    columns: TableArgs,
    /// Which cells are hidden: a list of ids, a CSV with id and status, JSON as protect prints it, or JJ; if left out, what
    /// the table itself marks
    #[arg(long, value_name = "FILE")]
    pattern: Option<PathBuf>,
    /// Write every hidden cell with its interval, as CSV
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a page that shows the table, what is hidden and what can be computed; for yourself, as it shows true values
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
}

/// Where the pattern came from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Marks,
    Primaries,
}

impl Origin {
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Marks => "marks",
            Self::Primaries => "primaries",
        }
    }
}

pub(crate) fn run(args: &AuditArgs, shell: &Shell) -> CommandResult {
    let outputs = [&args.output, &args.page].into_iter().flatten().map(PathBuf::as_path);
    let beside = args.columns.files();
    ensure_outputs(outputs, args.tables.iter().chain(&args.pattern).chain(&beside).map(PathBuf::as_path))?;
    ensure_csv("--output", args.output.as_deref())?;
    let mut subject = Subject::read(&args.tables, &args.columns, shell)?;
    let (pattern, origin) = pattern_of(&mut subject, args.pattern.as_deref())?;
    let solver = solver()?;
    let table = &subject.table;
    let started = Instant::now();
    let extent = Extent { unnecessary: true, deadline: None, stop: stop_flag() };
    let attacked = attack(table, &pattern, solver, &extent, shell)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut notes = subject.notes();
    if origin == Origin::Primaries {
        notes.push("no secondary is marked and no --pattern given: this is what can be computed with only the primaries hidden".to_owned());
    }
    notes.extend(unasked(table));
    if !attacked.audit.intervals_complete {
        notes.push(
            "not all intervals of attackers beside the public were followed to their ends: they reach at least as far as shown; all levels were judged"
                .to_owned(),
        );
    }
    if !attacked.audit.unnecessary_complete {
        notes.push(UNTRIED.to_owned());
    }
    if !attacked.audit.is_protected() && !attacked.audit.unnecessary.is_empty() {
        notes.push(NEEDLESS.to_owned());
    }
    if let Some(path) = &args.output {
        write_intervals(path, table, &attacked)?;
    }
    if let Some(path) = &args.page {
        write_page(path, &subject, &pattern, &attacked, None, &notes)?;
    }
    if let Some(path) = &args.output {
        notes.push(format!("{} holds true values; it is not for publication", path.display()));
    }
    let report = Report { table, pattern: &pattern, attacked: &attacked, origin };
    shell.json(&report.document(seconds, &notes))?;
    shell.notes(&notes);
    if shell.is_heard() {
        shell.say(&report.text(seconds));
    }
    Ok(Answer::from_bool(attacked.audit.is_protected()))
}

/// The pattern of a file, or of the table's own marks.
///
/// A cell that the table itself marks as hidden is then a secondary like any other: whether it is needed is the question.
fn pattern_of(subject: &mut Subject, path: Option<&Path>) -> Result<(Pattern, Origin), CommandError> {
    if let Some(path) = path {
        return Ok((subject.pattern(path)?, Origin::File));
    }
    let mut pattern = Pattern::least(&subject.table);
    let mut is_marked = subject.table.cells().iter().any(|cell| cell.status == Status::Hidden);
    if let Some(totals) = subject.totals() {
        for cell in (0..subject.table.cells().len()).filter(|&cell| totals.is_marked(cell)) {
            pattern.set(cell, true);
            is_marked = true;
        }
    }
    if is_marked {
        let freed = |status| if status == Status::Hidden { Status::Free } else { status };
        subject.set_status(|_, status| freed(status))?;
    }
    Ok((pattern, if is_marked { Origin::Marks } else { Origin::Primaries }))
}

const UNTRIED: &str = "not every secondary was tried: more of them than listed may be unnecessary";

const NEEDLESS: &str = "what is listed as unnecessary does not help what holds, but something is exposed: publish nothing further before it is \
    protected, as what protects it may need those cells";

/// What is told about an audit.
struct Report<'a> {
    table: &'a CellTable,
    pattern: &'a Pattern,
    attacked: &'a Attacked,
    origin: Origin,
}

impl Report<'_> {
    fn ids(&self, cells: &[usize]) -> Vec<&CellId> {
        cells.iter().map(|&cell| &self.table.cells()[cell].id).collect()
    }

    fn primaries(&self) -> impl Iterator<Item = usize> {
        let cells = self.table.cells().iter().enumerate();
        cells.filter(|(_, cell)| cell.status == Status::Primary).map(|(position, _)| position)
    }

    /// The levels of a primary that do not hold, its own publication being one of them.
    fn is_exposed(&self, cell: usize) -> bool {
        let audit = &self.attacked.audit;
        audit.published.binary_search(&cell).is_ok() || audit.exposed.iter().any(|exposed| exposed.demand.cell == cell)
    }

    fn exposed_document(&self, exposed: &Exposed) -> Value {
        let Exposed { demand, reach } = exposed;
        json!({
            "id": self.table.cells()[demand.cell].id,
            "level": level_name(demand.side),
            "attacker": attacker_name(self.table, demand.attacker),
            "needed": demand.level,
            "reached": finite(*reach),
            "short": finite(demand.level - reach),
            "proved": !self.attacked.audit.unproved.contains(demand),
        })
    }

    fn primary_document(&self, cell: usize) -> Value {
        let facts = &self.table.cells()[cell];
        let interval = self.attacked.of(cell);
        let (lower, upper) = interval.map_or((facts.value, facts.value), |interval| (interval.lower, interval.upper));
        let own = self.attacked.audit.exposed.iter().filter(|exposed| exposed.demand.cell == cell);
        json!({
            "id": facts.id,
            "value": facts.value,
            "hidden": self.pattern.hides(cell),
            "lower": finite(lower),
            "upper": finite(upper),
            "lpl": facts.levels.lower,
            "upl": facts.levels.upper,
            "spl": facts.levels.sliding,
            "protected": !self.is_exposed(cell),
            "exact": lower == upper,
            "short": own.map(|exposed| exposed.demand.level - exposed.reach).fold(0.0, f64::max),
        })
    }

    fn document(&self, seconds: f64, notes: &[String]) -> Value {
        let audit = &self.attacked.audit;
        json!({
            "protected": audit.is_protected(),
            "primaries": self.primaries().map(|cell| self.primary_document(cell)).collect::<Value>(),
            "exposed": audit.exposed.iter().map(|exposed| self.exposed_document(exposed)).collect::<Value>(),
            "published": self.ids(&audit.published),
            "published_hidden": self.ids(&audit.published_hidden),
            "hidden_fixed": self.ids(&audit.hidden_fixed),
            "unnecessary": self.ids(&audit.unnecessary),
            "unnecessary_complete": audit.unnecessary_complete,
            "cells": self.attacked.intervals_document(self.table),
            "pattern": self.origin.name(),
            "cost": self.pattern.cost(self.table),
            "counts": {
                "cells": self.table.cells().len(),
                "equations": self.table.equations().len(),
                "attackers": self.table.attackers().len() + 1,
                "hidden": self.pattern.cells().count(),
                "primaries": self.primaries().count(),
            },
            "search": { "attacks": audit.attacks, "seconds": seconds },
            "notes": notes,
        })
    }

    fn text(&self, seconds: f64) -> String {
        let mut lines = Vec::new();
        let audit = &self.attacked.audit;
        let primaries = self.primaries_table();
        if !primaries.is_empty() {
            lines.extend([primaries, String::new()]);
        }
        lines.extend(self.exposed_lines());
        let count = self.primaries().count();
        let hidden = self.pattern.cells().count();
        lines.push(match (audit.is_protected(), count) {
            (true, 0) => "protected: no cell is primary, so nothing is asked".to_owned(),
            (true, 1) => "protected: all levels of the primary cell hold".to_owned(),
            (true, several) => format!("protected: all levels of {several} primary cells hold"),
            (false, _) => {
                let exposed = self.primaries().filter(|cell| self.is_exposed(*cell)).count();
                format!("exposed: {exposed} of {} can be computed too closely", primary_cells(count))
            }
        });
        if !audit.published_hidden.is_empty() {
            lines.push(format!("{} that must be hidden: published", listed(&self.ids(&audit.published_hidden))));
        }
        if !audit.hidden_fixed.is_empty() {
            lines.push(format!("{} that must be published: hidden", listed(&self.ids(&audit.hidden_fixed))));
        }
        if !audit.unnecessary.is_empty() {
            let ids = listed(&self.ids(&audit.unnecessary));
            lines.push(if audit.is_protected() {
                format!("unnecessary: {ids}; each could be published if the others stay as they are")
            } else {
                format!("unnecessary: {ids}; publishing one of them would expose nothing further")
            });
        }
        lines.push(format!(
            "{} hidden of {}; {} in {seconds:.2} s",
            hidden,
            cells(self.table.cells().len()),
            counted(audit.attacks, "attack", "attacks")
        ));
        lines.join("\n")
    }

    /// The primaries, exposed ones first.
    fn primaries_table(&self) -> String {
        const MOST: usize = 40;
        let mut order: Vec<usize> = self.primaries().collect();
        if order.is_empty() {
            return String::new();
        }
        order.sort_by_key(|cell| !self.is_exposed(*cell));
        let mut table = TextTable::new(&["primary", "value", "from", "to", "lpl", "upl", "spl", "verdict"]);
        for &cell in order.iter().take(MOST) {
            let facts = &self.table.cells()[cell];
            let interval = self.attacked.of(cell);
            let (lower, upper) =
                interval.map_or((facts.value, facts.value), |interval| (interval.lower, interval.upper));
            let levels = &facts.levels;
            let verdict = match (self.is_exposed(cell), self.pattern.hides(cell), lower == upper) {
                (_, false, _) => "published",
                (true, _, true) => "exact",
                (true, _, false) => "exposed",
                (false, ..) => "protected",
            };
            let figures = [facts.value, lower, upper, levels.lower, levels.upper, levels.sliding].map(number);
            let row = [facts.id.to_string()].into_iter().chain(figures).chain([verdict.to_owned()]);
            table.row(row.collect());
        }
        let text = table.render();
        match order.len().checked_sub(MOST) {
            Some(more) if more > 0 => format!("{text}\n... and {more} more; --json tells all"),
            _ => text,
        }
    }

    fn exposed_lines(&self) -> Vec<String> {
        const MOST: usize = 20;
        let exposed = &self.attacked.audit.exposed;
        let line = |exposed: &Exposed| {
            let Exposed { demand, reach } = exposed;
            let is_proved = !self.attacked.audit.unproved.contains(demand);
            let proof =
                if is_proved { "" } else { "; whether more holds is not decided, so that it counts as exposed" };
            format!(
                "cell {}: {} asks for {}, against {} only {} holds, {} short{proof}",
                crate::text_table::printable(&self.table.cells()[demand.cell].id.to_string()),
                level_name(demand.side),
                number(demand.level),
                attacker_name(self.table, demand.attacker),
                number(*reach),
                number(demand.level - reach),
            )
        };
        let mut lines: Vec<String> = exposed.iter().take(MOST).map(line).collect();
        if exposed.len() > MOST {
            let more = counted((exposed.len() - MOST) as u64, "more level", "more levels");
            lines.push(format!("... and {more}; --json tells all"));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }
}

fn primary_cells(count: usize) -> String {
    counted(count as u64, "primary cell", "primary cells")
}

/// How many cells, and the first of them.
fn listed(ids: &[&CellId]) -> String {
    const MOST: usize = 20;
    let shown: Vec<String> = ids.iter().take(MOST).map(|id| crate::text_table::printable(&id.to_string())).collect();
    format!("{} ({}{})", cells(ids.len()), shown.join(", "), if ids.len() > MOST { ", ..." } else { "" })
}

/// A line for every hidden cell, and one for every attacker who computes more about it.
fn write_intervals(path: &Path, table: &CellTable, attacked: &Attacked) -> Result<(), CommandError> {
    let rows: Vec<_> = attacked
        .public()
        .flat_map(|public| [*public].into_iter().chain(attacked.closer(public.cell).copied()))
        .collect();
    let column = |name, text: &dyn Fn(&tamis_cells::audit::Interval) -> String| {
        OutputColumn::of_rows(name, rows.iter().map(text).collect())
    };
    let cell = |interval: &tamis_cells::audit::Interval| &table.cells()[interval.cell];
    let level = |interval: &tamis_cells::audit::Interval, level: f64| {
        if cell(interval).status == Status::Primary { number(level) } else { String::new() }
    };
    let columns = [
        column("id", &|interval| cell(interval).id.to_string()),
        column("status", &|interval| role(cell(interval).status).to_owned()),
        column("attacker", &|interval| attacker_name(table, interval.attacker).to_owned()),
        column("value", &|interval| number(cell(interval).value)),
        column("lower", &|interval| number(interval.lower)),
        column("upper", &|interval| number(interval.upper)),
        column("lpl", &|interval| level(interval, cell(interval).levels.lower)),
        column("upl", &|interval| level(interval, cell(interval).levels.upper)),
        column("spl", &|interval| level(interval, cell(interval).levels.sliding)),
    ];
    let delimiter = if is_tsv(path) { b'\t' } else { b',' };
    let options = WriteOptions { delimiter, ..WriteOptions::default() };
    Ok(write_private_table(path, &options, &columns, 0..rows.len())?)
}
