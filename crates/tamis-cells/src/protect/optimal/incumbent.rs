//! The best protected pattern so far, and how to find better ones.

use std::time::{Duration, Instant};

use tamis_solver::LiveSolver;

use super::clock::Clock;
use super::guard::Guard;
use super::model::{Fate, Model};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::heuristic::{self, Halt, Heuristic};
use crate::table::Status;

/// The best pattern so far; always protected.
pub(crate) struct Incumbent<'m> {
    model: &'m Model<'m>,
    solver: &'m dyn LiveSolver,
    guard: Guard<'m>,
    heuristic: Heuristic<'m>,
    /// Time spent on finding better patterns.
    spent: Duration,
    wandered: bool,
    hidden: Vec<bool>,
    cost: f64,
    /// The cost of the primaries, and of what must be hidden.
    pub(crate) primaries: f64,
}

impl<'m> Incumbent<'m> {
    /// Starts with everything hidden, which must be protected; `guard` knows that.
    pub(crate) fn new(model: &'m Model<'m>, solver: &'m dyn LiveSolver, guard: Guard<'m>, primaries: f64) -> Self {
        let hidden = guard.hidden().to_vec();
        let cost = model.cost(&hidden);
        Self {
            model,
            solver,
            guard,
            heuristic: Heuristic::new(model.table, solver),
            spent: Duration::ZERO,
            wandered: false,
            hidden,
            cost,
            primaries,
        }
    }

    pub(crate) fn cost(&self) -> f64 {
        self.cost
    }

    pub(crate) fn hidden(&self) -> &[bool] {
        &self.hidden
    }

    pub(crate) fn attacks(&self) -> u64 {
        self.guard.attacks() + self.heuristic.attacks()
    }

    /// Takes a pattern if it is protected and cheaper, with needless cells published again. `true` if it was taken.
    pub(crate) fn offer(&mut self, hidden: &[bool], clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        self.guard.take(hidden);
        if !self.guard.unmet(true)?.is_empty() {
            return Ok(false);
        }
        self.clean(clock)?;
        self.accept()
    }

    /// The demands that are not met by what is hidden anyway.
    pub(crate) fn unmet_by_least(&mut self) -> Result<Vec<usize>, NoAnswer> {
        self.guard.take(&self.model.least());
        Ok(self.guard.unmet(false)?.into_iter().map(|(demand, _)| demand).collect())
    }

    /// The best pattern, with cells that cost nothing published again where they are not needed.
    pub(crate) fn finished(mut self, over: &dyn Fn() -> bool) -> Result<Vec<bool>, NoAnswer> {
        let free = |cell: &usize| {
            let facts = &self.model.table.cells()[*cell];
            self.hidden[*cell] && facts.status == Status::Free && facts.weight == 0.0
        };
        let free: Vec<usize> = (0..self.hidden.len()).filter(free).collect();
        if free.is_empty() {
            return Ok(self.hidden);
        }
        self.guard.take(&self.hidden);
        for cell in free {
            if over() {
                break;
            }
            self.guard.publish(cell)?;
        }
        let hidden = self.guard.hidden().to_vec();
        let mut fresh = Guard::new(self.model, self.solver);
        fresh.take(&hidden);
        Ok(if fresh.unmet(true)?.is_empty() { hidden } else { self.hidden })
    }

    fn accept(&mut self) -> Result<bool, NoAnswer> {
        let cost = self.model.cost(self.guard.hidden());
        if cost >= self.cost {
            return Ok(false);
        }
        let hidden = self.guard.hidden().to_vec();
        let mut fresh = Guard::new(self.model, self.solver);
        fresh.take(&hidden);
        if !fresh.unmet(true)?.is_empty() {
            return Ok(false);
        }
        self.cost = cost;
        self.hidden = hidden;
        Ok(true)
    }

    /// Whether enough time went by since the last attempt to find a better pattern: attempts get a fixed share of it.
    pub(crate) fn is_due(&self, now: Duration, root: bool) -> bool {
        root || self.spent * 8 < now
    }

    /// Builds a pattern where hiding is the cheaper the more the relaxation hides. `true` if it is better than the best.
    pub(crate) fn guided(&mut self, x: &[f64], clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        let begun = Instant::now();
        let start = Pattern::new(x.iter().map(|value| *value > 0.95).collect());
        let taken = match self.heuristic.complete(&start, Some(x), &clock.for_heuristic()) {
            Ok(pattern) => self.improve(&pattern, clock)?,
            Err(Halt::NoAnswer) => return Err(NoAnswer),
            Err(_) => false,
        };
        self.spent += begun.elapsed();
        Ok(taken)
    }

    /// Takes a pattern, at least with some needless cells published, if that is protected and cheaper.
    fn improve(&mut self, pattern: &Pattern, clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        let mut hidden = pattern.flags().to_vec();
        for (cell, hidden) in hidden.iter_mut().enumerate() {
            *hidden = match self.model.fate[cell] {
                Fate::Hidden => true,
                Fate::Published => false,
                Fate::Open => *hidden,
            };
        }
        // Publishing cell by cell is dear; a pattern that is far from the best is left as it is.
        if self.model.cost(&hidden) - self.primaries >= 1.3 * (self.cost - self.primaries) {
            return Ok(false);
        }
        self.guard.take(&hidden);
        if !self.guard.unmet(true)?.is_empty() {
            return Ok(false);
        }
        self.clean(clock)?;
        self.accept()
    }

    /// Publishes needless cells for a while that grows with the time of the search.
    fn clean(&mut self, clock: &Clock<'_>) -> Result<(), NoAnswer> {
        let until = clock.elapsed() + Duration::from_millis(100) + clock.elapsed() / 10;
        self.guard.clean(&|| clock.over() || clock.elapsed() > until)
    }

    /// Runs the heuristic method for a while, once. `true` if it is better than the best.
    pub(crate) fn wander(&mut self, clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        if std::mem::replace(&mut self.wandered, true) {
            return Ok(false);
        }
        let begun = Instant::now();
        let found = clock.share(0.15, |options| heuristic::protect(self.model.table, self.solver, options));
        self.spent += begun.elapsed() / 2;
        found.map_or(Ok(false), |found| self.improve(&found.pattern, clock))
    }
}
