//! The best protected pattern so far, and how to find better ones.

use std::time::Duration;

use tamis_solver::LiveSolver;

use super::cut::Cut;
use super::model::{Fate, Model};
use crate::attack::Deviation;
use crate::pattern::Pattern;
use crate::protect::ProtectError;
use crate::protect::clock::Clock;
use crate::protect::heuristic::{Draft, Heuristic};
use crate::protect::proof::Proof;
use crate::table::Status;

/// In tables of more cells the heuristic gets more of the time: relaxations take long there.
const LARGE: usize = 1000;

/// The best pattern so far; always protected.
pub(crate) struct Incumbent<'m> {
    model: &'m Model<'m>,
    heuristic: Heuristic<'m>,
    proof: Proof<'m>,
    /// Work spent on finding better patterns.
    spent: Duration,
    wandered: bool,
    hidden: Vec<bool>,
    cost: f64,
    /// The cost of the primaries, and of what must be hidden.
    pub(crate) primaries: f64,
}

impl<'m> Incumbent<'m> {
    /// Starts with everything hidden, which is to be checked.
    pub(crate) fn new(model: &'m Model<'m>, solver: &'m dyn LiveSolver, clock: &Clock<'_>) -> Self {
        let hidden = model.most();
        let cost = model.cost(&hidden);
        Self {
            model,
            heuristic: Heuristic::new(model.table, solver),
            proof: Proof::new(model.table, solver, clock),
            spent: Duration::ZERO,
            wandered: false,
            hidden,
            cost,
            primaries: Pattern::least(model.table).cost(model.table),
        }
    }

    pub(crate) fn cost(&self) -> f64 {
        self.cost
    }

    pub(crate) fn hidden(&self) -> &[bool] {
        &self.hidden
    }

    pub(crate) fn attacks(&self) -> u64 {
        self.heuristic.attacks() + self.proof.attacks
    }

    /// The heuristic's first pattern, or everything hidden if it finds none.
    pub(crate) fn first(&mut self, clock: &Clock<'_>) -> Result<(), ProtectError> {
        let (pattern, _) = self.proof.first(&mut self.heuristic, clock)?;
        self.keep(&self.settled(&pattern));
        Ok(())
    }

    /// Starts with a pattern that is known to be protected.
    pub(crate) fn start_from(&mut self, hidden: &[bool]) {
        self.keep(hidden);
    }

    /// Takes a pattern that the search holds protected if it is and is cheaper, with needless cells published again. If the
    /// audit finds it exposed, so is everything that hides less: returns the inequality that says that one more is hidden.
    pub(crate) fn offer(&mut self, hidden: &[bool], clock: &Clock<'_>) -> Option<Cut> {
        if !self.passes(hidden, &[]) {
            let published = (0..hidden.len()).filter(|cell| !hidden[*cell] && self.model.fate[*cell] == Fate::Open);
            return Some(Cut { terms: published.map(|cell| (cell, 1.0)).collect(), rhs: 1.0 });
        }
        self.keep(hidden);
        self.clean(hidden, clock);
        None
    }

    /// Whether the audit finds a pattern protected.
    fn passes(&mut self, hidden: &[bool], deviations: &[Deviation]) -> bool {
        self.proof.passes(&Pattern::new(hidden.to_vec()), deviations)
    }

    /// Takes a protected pattern if it is cheaper. `true` if so.
    fn keep(&mut self, hidden: &[bool]) -> bool {
        let cost = self.model.cost(hidden);
        let cheaper = cost < self.cost;
        if cheaper {
            self.cost = cost;
            self.hidden = hidden.to_vec();
        }
        cheaper
    }

    /// Takes a draft if it is cheaper and passes the audit. `true` if so.
    fn accept(&mut self, draft: &Draft) -> bool {
        let hidden = self.settled(&draft.pattern());
        self.model.cost(&hidden) < self.cost && self.passes(&hidden, &draft.deviations()) && self.keep(&hidden)
    }

    /// The demands that are not met by what is hidden anyway; `None` if there is no time to find them.
    pub(crate) fn unmet_by_least(&mut self, clock: &Clock<'_>) -> Option<Vec<usize>> {
        self.heuristic.unmet(&Pattern::new(self.model.least()), clock)
    }

    /// The best pattern, with cells that cost nothing published again where they are not needed.
    pub(crate) fn finished(mut self, clock: &Clock<'_>) -> Vec<bool> {
        let cells = self.model.table.cells();
        let is_free = |cell: usize| cells[cell].status == Status::Free && cells[cell].weight == 0.0;
        if !(0..self.hidden.len()).any(|cell| self.hidden[cell] && is_free(cell)) {
            return self.hidden;
        }
        let Some(draft) = self.heuristic.cleaned(&Pattern::new(self.hidden.clone()), clock) else { return self.hidden };
        let cleaned = draft.pattern();
        let hidden: Vec<bool> = (0..self.hidden.len())
            .map(|cell| if is_free(cell) { cleaned.hides(cell) } else { self.hidden[cell] })
            .collect();
        if self.passes(&hidden, &draft.deviations()) { hidden } else { self.hidden }
    }

    /// Whether enough work was done since the last attempt to find a better pattern: attempts get a fixed share of it.
    pub(crate) fn is_due(&self, work: Duration, root: bool) -> bool {
        root || self.spent * 8 < work
    }

    /// A pattern with what is settled beforehand.
    fn settled(&self, pattern: &Pattern) -> Vec<bool> {
        let settled = pattern.flags().iter().zip(&self.model.fate).map(|(hidden, fate)| match fate {
            Fate::Hidden => true,
            Fate::Published => false,
            Fate::Open => *hidden,
        });
        settled.collect()
    }

    /// Builds a pattern where hiding is the cheaper the more the relaxation hides. `true` if it is better than the best.
    pub(crate) fn guided(&mut self, x: &[f64], clock: &Clock<'_>) -> bool {
        let begun = clock.work();
        let start = Pattern::new(x.iter().map(|value| *value > 0.95).collect());
        let taken = match self.heuristic.complete(&start, Some(x), clock) {
            Ok(draft) => self.improve(&draft, clock),
            Err(_) => false,
        };
        self.spent += clock.work().saturating_sub(begun);
        taken
    }

    /// Takes a draft, at least with some needless cells published, if that is protected and cheaper.
    fn improve(&mut self, draft: &Draft, clock: &Clock<'_>) -> bool {
        let hidden = self.settled(&draft.pattern());
        // Publishing cell by cell is dear; a pattern that is far from the best is left as it is.
        if self.model.cost(&hidden) - self.primaries >= 1.3 * (self.cost - self.primaries) {
            return false;
        }
        self.clean(&hidden, clock)
    }

    /// Publishes needless cells for a while that grows with the work of the search; takes what is left if it is better.
    fn clean(&mut self, hidden: &[bool], clock: &Clock<'_>) -> bool {
        let clock = clock.at_most(Duration::from_millis(100) + clock.work() / 10, 1.0);
        let cleaned = self.heuristic.cleaned(&Pattern::new(hidden.to_vec()), &clock);
        cleaned.is_some_and(|draft| self.accept(&draft))
    }

    /// Runs the heuristic method for a while, once. `true` if it is better than the best.
    pub(crate) fn wander(&mut self, clock: &Clock<'_>) -> bool {
        if std::mem::replace(&mut self.wandered, true) {
            return false;
        }
        let begun = clock.work();
        let share = if self.model.cells() > LARGE { 0.35 } else { 0.15 };
        let clock = clock.at_most(Duration::MAX, share);
        let first = self.heuristic.complete(&Pattern::least(self.model.table), None, &clock).ok();
        let better = first.and_then(|first| self.heuristic.improve(first, self.primaries, &clock, &|_| {}).ok());
        self.spent += clock.work().saturating_sub(begun) / 2;
        // It is clean already, as far as there was time.
        better.is_some_and(|better| self.accept(&better))
    }
}
