//! The last word on a pattern: what every search returns passes the audit, whose proofs need no solver to be believed.
//!
//! Searches decide by a solver's floating-point answers. Where a level lies just above what a pattern reaches, they may take
//! the pattern for protected. Then more is hidden here until the audit agrees.

use std::time::{Duration, Instant};

use tamis_solver::LiveSolver;

use super::clock::Clock;
use super::heuristic::{Draft, Halt, Heuristic};
use super::{OutOfReach, ProtectError};
use crate::attack::Deviation;
use crate::audit::{Verdict, exposed_levels};
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Cells that are found one by one to mend a pattern; beyond them it hides more than it need.
const ONE_BY_ONE: usize = 40;

/// The share of the time after which everything is hidden if the heuristic has no pattern yet.
const FIRST: f64 = 0.3;

/// Costs that differ by rounding alone.
pub(super) fn same_cost(cost: f64, bound: f64) -> bool {
    cost - bound <= 1e-14 * cost.abs()
}

/// The audit of a table's patterns, and the linear programs that it took so far.
pub(super) struct Proof<'t> {
    table: &'t CellTable,
    solver: &'t dyn LiveSolver,
    /// When audits end, whatever is not decided.
    until: Option<Instant>,
    pub(super) attacks: u64,
}

impl<'t> Proof<'t> {
    pub(super) fn new(table: &'t CellTable, solver: &'t dyn LiveSolver, clock: &Clock<'_>) -> Self {
        Self { table, solver, until: clock.budget().deadline(), attacks: 0 }
    }

    fn verdict(&mut self, pattern: &Pattern, deviations: &[Deviation]) -> Verdict {
        let verdict = exposed_levels(self.table, pattern, self.solver, deviations, self.until);
        self.attacks += verdict.attacks;
        verdict
    }

    /// Whether the audit finds a pattern protected. Deviations for which somebody holds it protected save attacks.
    pub(super) fn passes(&mut self, pattern: &Pattern, deviations: &[Deviation]) -> bool {
        self.verdict(pattern, deviations).exposed.is_empty()
    }

    /// A first pattern that passes the audit, and why the heuristic holds it protected. Before there is one nothing is known, so that
    /// this cannot be stopped. Where the heuristic takes long, everything is hidden first, so that there is a pattern in any case.
    pub(super) fn first(
        &mut self,
        heuristic: &mut Heuristic<'_>,
        clock: &Clock<'_>,
    ) -> Result<(Pattern, Option<Draft>), ProtectError> {
        let patient = clock.patient();
        let least = Pattern::least(self.table);
        let draft = match heuristic.complete(&least, None, &patient.at_most(Duration::MAX, FIRST)) {
            Ok(draft) => draft,
            Err(Halt::Over) => {
                let most = self.everything_hidden(&patient);
                if matches!(most, Err(ProtectError::CannotBeProtected(_))) {
                    return most.map(|most| (most, None));
                }
                let draft = heuristic.complete(&least, None, if most.is_ok() { clock } else { &patient }).ok();
                match draft.filter(|draft| self.passes(&draft.pattern(), &draft.deviations())) {
                    Some(draft) => return Ok((draft.pattern(), Some(draft))),
                    None => return most.map(|most| (most, None)),
                }
            }
            Err(_) => return self.everything_hidden(&patient).map(|most| (most, None)),
        };
        let pattern = self.mended(draft.pattern(), &draft.deviations(), &patient)?;
        Ok((pattern, Some(draft)))
    }

    /// A pattern that passes the audit: one that is held protected, or one that hides more if that falls short.
    fn mended(
        &mut self,
        pattern: Pattern,
        deviations: &[Deviation],
        clock: &Clock<'_>,
    ) -> Result<Pattern, ProtectError> {
        if self.passes(&pattern, deviations) {
            return Ok(pattern);
        }
        let most = self.everything_hidden(clock)?;
        Ok(self.extended(pattern, most, clock))
    }

    /// Everything hidden that may be hidden, if that passes the audit; otherwise which levels no pattern meets. Only what is
    /// proved in whole numbers is called out of reach.
    fn everything_hidden(&mut self, clock: &Clock<'_>) -> Result<Pattern, ProtectError> {
        let most = Pattern::most(self.table);
        // Where all but zeros are hidden, the whole table may be any multiple of itself. Whoever knows the value of a cell knows the
        // multiple, so that where there are such attackers, small deviations are wanted from the beginning.
        let cells = self.table.cells();
        let multiple = || most.cells().map(|cell| (cell, cells[cell].value)).collect::<Deviation>();
        let known = if self.table.attackers().is_empty() { vec![multiple()] } else { Vec::new() };
        let Verdict { exposed, unproved, .. } = self.verdict(&most, &known);
        if exposed.is_empty() {
            return Ok(most);
        }
        // Both are in the order of the demands.
        let mut open = unproved.iter().peekable();
        let proved = exposed.iter().filter(|level| open.next_if(|demand| **demand == level.demand).is_none());
        let beyond: Vec<OutOfReach> =
            proved.map(|level| OutOfReach { demand: level.demand, reach: level.reach }).collect();
        Err(match beyond {
            beyond if !beyond.is_empty() => ProtectError::CannotBeProtected(beyond),
            _ if clock.over() => ProtectError::TimeRanOut,
            _ => ProtectError::NotDecided(unproved),
        })
    }

    /// Hides more until a pattern is protected, cheap cells first. Hiding more never exposes anything, so that the number of
    /// cells to add is found by halving. The last of them is needed; with it, the others are sought anew. Time: about log(cells)
    /// audits for every cell that is missing.
    fn extended(&mut self, mut pattern: Pattern, most: Pattern, clock: &Clock<'_>) -> Pattern {
        let cells = self.table.cells();
        let may = |cell: &usize| cells[*cell].status != Status::Fixed && !pattern.hides(*cell);
        let mut more: Vec<usize> = (0..cells.len()).filter(may).collect();
        more.sort_by(|a, b| cells[*a].weight.total_cmp(&cells[*b].weight));
        let with = |pattern: &Pattern, added: &[usize]| {
            let mut all = pattern.clone();
            for cell in added {
                all.set(*cell, true);
            }
            all
        };
        // Always protected.
        let mut best = most;
        for _ in 0..ONE_BY_ONE {
            if clock.over() {
                return best;
            }
            if self.passes(&pattern, &[]) {
                return pattern;
            }
            // `more` is enough; find the shortest start of it that is.
            let (mut too_few, mut enough) = (0, more.len());
            while enough - too_few > 1 {
                let middle = usize::midpoint(too_few, enough);
                let tried = with(&pattern, &more[..middle]);
                if self.passes(&tried, &[]) {
                    enough = middle;
                    best = tried;
                } else {
                    too_few = middle;
                }
            }
            pattern.set(more[enough - 1], true);
            more.truncate(enough - 1);
        }
        best
    }
}
