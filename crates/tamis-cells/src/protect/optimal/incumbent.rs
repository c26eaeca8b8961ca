//! The best protected pattern so far, and how to find better ones.

use std::time::{Duration, Instant};

use tamis_solver::LiveSolver;

use super::cut::Cut;
use super::guard::Guard;
use super::model::{Fate, Model};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::clock::Clock;
use crate::protect::heuristic::{self, Halt, Heuristic};
use crate::protect::{OutOfReach, proof};
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
    /// Attacks of audits.
    audited: u64,
    hidden: Vec<bool>,
    cost: f64,
    /// The cost of the primaries, and of what must be hidden.
    pub(crate) primaries: f64,
}

impl<'m> Incumbent<'m> {
    /// Starts with everything hidden, which is to be checked.
    pub(crate) fn new(model: &'m Model<'m>, solver: &'m dyn LiveSolver, primaries: f64) -> Self {
        let guard = Guard::new(model, solver);
        let hidden = model.most();
        let cost = model.cost(&hidden);
        Self {
            model,
            solver,
            guard,
            heuristic: Heuristic::new(model.table, solver),
            spent: Duration::ZERO,
            wandered: false,
            audited: 0,
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
        self.guard.attacks() + self.heuristic.attacks() + self.audited
    }

    /// Takes a pattern that the search holds protected if it is and is cheaper, with needless cells published again. If the
    /// audit finds it exposed, so is everything that hides less: returns the inequality that says that one more is hidden.
    pub(crate) fn offer(&mut self, hidden: &[bool], clock: &Clock<'_>) -> Result<Option<Cut>, NoAnswer> {
        if !self.passes(hidden)? {
            let published = (0..hidden.len()).filter(|cell| !hidden[*cell] && self.model.fate[*cell] == Fate::Open);
            return Ok(Some(Cut { terms: published.map(|cell| (cell, 1.0)).collect(), rhs: 1.0 }));
        }
        self.keep(hidden);
        self.guard.take(hidden);
        if self.guard.unmet(true)?.is_empty() {
            self.clean(clock)?;
            self.accept()?;
        }
        Ok(None)
    }

    /// Starts with a pattern that is known to be protected.
    pub(crate) fn start_from(&mut self, hidden: &[bool]) {
        self.keep(hidden);
    }

    /// Whether the audit finds a pattern protected.
    fn passes(&mut self, hidden: &[bool]) -> Result<bool, NoAnswer> {
        let (exposed, attacks) = proof::exposed(self.model.table, self.solver, &Pattern::new(hidden.to_vec()))?;
        self.audited += attacks;
        Ok(exposed.is_empty())
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

    /// The demands that are not met with everything hidden; `None` if the search is to end before that is known.
    pub(crate) fn beyond(&mut self, over: &dyn Fn() -> bool) -> Result<Option<Vec<OutOfReach>>, NoAnswer> {
        self.guard.take(&self.model.most());
        let mut beyond = Vec::new();
        for (demand, facts) in self.model.demands.iter().enumerate() {
            if over() {
                return Ok(None);
            }
            if !self.guard.met(demand) {
                let reach = self.guard.reach(demand)?;
                if reach < self.model.need[demand] {
                    beyond.push(OutOfReach { demand: *facts, reach: reach * facts.level });
                }
            }
        }
        Ok(Some(beyond))
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
        Ok(if self.passes(&hidden)? { hidden } else { self.hidden })
    }

    /// Takes the guard's pattern if it is cheaper and passes the audit.
    fn accept(&mut self) -> Result<bool, NoAnswer> {
        let hidden = self.guard.hidden().to_vec();
        Ok(self.model.cost(&hidden) < self.cost && self.passes(&hidden)? && self.keep(&hidden))
    }

    /// Whether enough time went by since the last attempt to find a better pattern: attempts get a fixed share of it.
    pub(crate) fn is_due(&self, now: Duration, root: bool) -> bool {
        root || self.spent * 8 < now
    }

    /// The heuristic's first pattern, as it is. `true` if it is protected: then everything hidden is too. Before there is a
    /// pattern nothing is known, so that this may take longer than asked.
    pub(crate) fn first(&mut self, clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        let least = Pattern::least(self.model.table);
        let pattern = match self.heuristic.complete(&least, None, &clock.patient()) {
            Ok(pattern) => pattern,
            Err(Halt::NoAnswer) => return Err(NoAnswer),
            Err(_) => return Ok(false),
        };
        let hidden = self.settled(&pattern);
        let good = self.passes(&hidden)?;
        if good {
            self.keep(&hidden);
        }
        Ok(good)
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
    pub(crate) fn guided(&mut self, x: &[f64], clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        let begun = Instant::now();
        let start = Pattern::new(x.iter().map(|value| *value > 0.95).collect());
        let taken = match self.heuristic.complete(&start, Some(x), clock) {
            Ok(pattern) => self.improve(&pattern, clock)?,
            Err(Halt::NoAnswer) => return Err(NoAnswer),
            Err(_) => false,
        };
        self.spent += begun.elapsed();
        Ok(taken)
    }

    /// Takes a pattern, at least with some needless cells published, if that is protected and cheaper.
    fn improve(&mut self, pattern: &Pattern, clock: &Clock<'_>) -> Result<bool, NoAnswer> {
        let hidden = self.settled(pattern);
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
