//! What a page is made from.

use tamis_cells::audit::Interval;
use tamis_cells::{Audit, CellTable, Levels, Pattern, Status};
use tamis_page::numbers::significant;

use crate::totals::Totals;

/// Whom a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Whoever makes the table: true values, intervals, levels.
    Steward,
    /// Everybody: hidden cells are masked, primaries and secondaries alike.
    Public,
}

/// What is known about the cost of a pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchFacts {
    /// No protected pattern costs less.
    pub bound: f64,
    /// See [`tamis_cells::protect::gap`].
    pub gap: f64,
    /// Whether the cost is proved least.
    pub optimal: bool,
}

/// What a page shows.
pub struct PageFacts<'a> {
    /// Its heading.
    pub title: &'a str,
    /// Whom it is for.
    pub reader: Reader,
    /// The cells.
    pub table: &'a CellTable,
    /// What they are called, if they have dimensions.
    pub totals: Option<&'a Totals>,
    /// Which are hidden.
    pub pattern: &'a Pattern,
    /// What attackers compute.
    pub audit: &'a Audit,
    /// What is known about the cost; none for patterns of others.
    pub search: Option<SearchFacts>,
    /// What stands for a hidden value on a page for everybody.
    pub mark: &'a str,
    /// Remarks.
    pub notes: &'a [String],
}

impl PageFacts<'_> {
    pub(super) fn primaries(&self) -> impl Iterator<Item = usize> {
        let cells = self.table.cells().iter().enumerate();
        cells.filter(|(_, cell)| cell.status == Status::Primary).map(|(position, _)| position)
    }

    /// Whether a primary is published or one of its levels does not hold.
    pub(super) fn is_exposed(&self, cell: usize) -> bool {
        self.audit.published.contains(&cell) || self.audit.exposed.iter().any(|exposed| exposed.demand.cell == cell)
    }

    /// What everybody computes for a hidden cell.
    pub(super) fn interval(&self, cell: usize) -> Option<&Interval> {
        let end = self.audit.intervals.partition_point(|interval| interval.attacker == 0);
        let public = &self.audit.intervals[..end];
        public.binary_search_by_key(&cell, |interval| interval.cell).ok().map(|at| &public[at])
    }

    /// The value as its file has it.
    pub(super) fn value(&self, cell: usize) -> String {
        match self.totals {
            Some(totals) => totals.value_text(cell),
            // The shortest digits that read back as the same number.
            None => self.table.cells()[cell].value.to_string(),
        }
    }

    /// What to know about a hidden cell, in words.
    pub(super) fn sentence(&self, cell: usize) -> String {
        let facts = &self.table.cells()[cell];
        let mut parts = vec![format!("{}: true value {}", facts.id, self.value(cell))];
        match self.interval(cell) {
            Some(interval) if interval.lower == interval.upper => parts.push("anybody computes it exactly".to_owned()),
            Some(interval) => parts.push(format!("anybody computes {}", range(interval.lower, interval.upper))),
            None => {}
        }
        let Levels { lower, upper, sliding } = facts.levels;
        if facts.status == Status::Primary && (lower > 0.0 || upper > 0.0) {
            parts.push(format!("asked {}", range(facts.value - lower, facts.value + upper)));
        }
        if facts.status == Status::Primary && sliding > 0.0 {
            parts.push(format!("asked a width of {}", exact(sliding)));
        }
        parts.join("; ")
    }
}

/// An interval in words.
pub(super) fn range(lower: f64, upper: f64) -> String {
    format!("{} to {}", exact(lower), exact(upper))
}

/// A computed number without the noise of its last binary digits: fifteen digits, as many as a number holds for sure.
pub(super) fn exact(value: f64) -> String {
    if !value.is_finite() {
        return significant(value);
    }
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}
