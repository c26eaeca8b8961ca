//! What attackers compute, as documents and tables.

use super::words::{attacker_name, finite, number};
use crate::answer::{CommandError, sentence};
use crate::progress::counting;
use crate::shell::Shell;
use crate::text_table::TextTable;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tamis_cells::audit::{Audit, AuditError, AuditOptions, Interval, audit};
use tamis_cells::{CellTable, Demand, Pattern, Status};
use tamis_solver::LiveSolver;

/// An attack on a pattern.
pub(super) struct Attacked {
    pub(super) audit: Audit,
}

/// How far an attack goes.
pub(super) struct Extent<'a> {
    /// Whether it looks for cells that are hidden without need.
    pub(super) unnecessary: bool,
    /// When it stops looking for the ends of intervals.
    pub(super) deadline: Option<Instant>,
    /// Stops it without an answer.
    pub(super) stop: &'a AtomicBool,
}

/// Attacks a pattern with all threads.
pub(super) fn attack(
    table: &CellTable,
    pattern: &Pattern,
    solver: &dyn LiveSolver,
    extent: &Extent<'_>,
    shell: &Shell,
) -> Result<Attacked, CommandError> {
    let bar = counting(shell, 0);
    let progress = |done: u64, of: u64| {
        if let Some(bar) = &bar {
            bar.set_length(of);
            bar.set_position(done);
        }
    };
    let Extent { unnecessary, deadline, stop } = *extent;
    let options = AuditOptions { threads: shell.threads, unnecessary, deadline, stop, progress: &progress };
    let audit = audit(table, pattern, solver, &options);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    match audit {
        Ok(audit) => Ok(Attacked { audit }),
        // Nothing is wrong with the input; whether the pattern protects is not known.
        Err(error @ AuditError::Stopped) => {
            Err(CommandError::No { sentence: error.to_string(), fields: serde_json::json!({}) })
        }
        Err(error) => Err(sentence(error.to_string())),
    }
}

/// What to know about a table that asks for no protection, or for none of some primary.
pub(super) fn unasked(table: &CellTable) -> Option<String> {
    let demands: BTreeSet<usize> = Demand::of(table).iter().map(|demand| demand.cell).collect();
    let cells = || table.cells().iter().enumerate().filter(|(_, cell)| cell.status == Status::Primary);
    if cells().next().is_none() {
        return Some(
            "no cell is primary: nothing is protected, and every cell that is not hidden by hand is published as it is; \
             mark the confidential cells, or find them with `tamis cells primaries`"
                .to_owned(),
        );
    }
    let mut bare = cells().filter(|(position, _)| !demands.contains(position)).map(|(_, cell)| &cell.id);
    let first = bare.next()?;
    let others = match bare.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "nothing is asked for primary {first}{others}: lpl, upl and spl are 0, so that it may be computed from the rest although it is hidden"
    ))
}

/// What a hidden cell is.
pub(super) fn role(status: Status) -> &'static str {
    if status == Status::Primary { "primary" } else { "secondary" }
}

impl Attacked {
    /// What everybody computes, hidden cells ascending.
    pub(super) fn public(&self) -> impl Iterator<Item = &Interval> {
        self.public_ones().iter()
    }

    fn public_ones(&self) -> &[Interval] {
        let end = self.audit.intervals.partition_point(|interval| interval.attacker == 0);
        &self.audit.intervals[..end]
    }

    /// The public's interval of a hidden cell. Time: O(log of the hidden cells).
    pub(super) fn of(&self, cell: usize) -> Option<&Interval> {
        let public = self.public_ones();
        public.binary_search_by_key(&cell, |interval| interval.cell).ok().map(|at| &public[at])
    }

    /// Intervals of further attackers who compute more than the public does. Time: O(attackers).
    pub(super) fn closer(&self, cell: usize) -> impl Iterator<Item = &Interval> {
        // Every attacker has the same hidden cells in the same order.
        let hidden = self.public_ones().len();
        let place = self.public_ones().binary_search_by_key(&cell, |interval| interval.cell).ok();
        place.into_iter().flat_map(move |place| {
            let public = self.audit.intervals[place];
            let others = self.audit.intervals.iter().skip(hidden + place).step_by(hidden);
            others.filter(move |own| own.lower > public.lower || own.upper < public.upper)
        })
    }

    /// Every hidden cell with its interval.
    pub(super) fn intervals_document(&self, table: &CellTable) -> Value {
        self.public().map(|interval| self.cell_document(table, interval)).collect()
    }

    fn cell_document(&self, table: &CellTable, interval: &Interval) -> Value {
        let cell = &table.cells()[interval.cell];
        let mut document = json!({
            "id": cell.id,
            "value": cell.value,
            "status": role(cell.status),
            "lower": finite(interval.lower),
            "upper": finite(interval.upper),
        });
        if !table.attackers().is_empty() {
            let closer = self.closer(interval.cell).map(|own| {
                json!({ "attacker": attacker_name(table, own.attacker), "lower": finite(own.lower), "upper": finite(own.upper) })
            });
            document["closer"] = closer.collect();
        }
        document
    }

    /// Every hidden cell with its interval, aligned.
    pub(super) fn intervals_table(&self, table: &CellTable) -> String {
        let mut lines = TextTable::new(&["cell", "", "value", "from", "to"]);
        for interval in self.public() {
            let cell = &table.cells()[interval.cell];
            let figures = [cell.value, interval.lower, interval.upper].map(number);
            lines.row([cell.id.to_string(), role(cell.status).to_owned()].into_iter().chain(figures).collect());
        }
        lines.render()
    }
}
