//! The best protected pattern so far, and how to find better ones.

use tamis_solver::LiveSolver;

use super::complete::Completer;
use super::guard::Guard;
use super::model::Model;
use crate::attack::NoAnswer;
use crate::table::Status;

/// The best pattern so far; always protected.
pub(crate) struct Incumbent<'m> {
    model: &'m Model<'m>,
    solver: &'m dyn LiveSolver,
    guard: Guard<'m>,
    completer: Completer,
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
        Self { model, solver, guard, completer: Completer::new(model, solver), hidden, cost, primaries }
    }

    pub(crate) fn cost(&self) -> f64 {
        self.cost
    }

    pub(crate) fn hidden(&self) -> &[bool] {
        &self.hidden
    }

    pub(crate) fn attacks(&self) -> u64 {
        self.guard.attacks()
    }

    /// Takes a pattern if it is protected and cheaper, with needless cells published again. `true` if it was taken.
    pub(crate) fn offer(&mut self, hidden: &[bool]) -> Result<bool, NoAnswer> {
        self.guard.take(hidden);
        let unmet = self.guard.unmet(true)?;
        if std::env::var("TRACE").is_ok() {
            eprintln!(
                "offer unmet {unmet:?} {:?} cost {} best {}",
                unmet.first().map(|u| (self.model.demands[u.0], self.model.need[u.0])),
                self.model.cost(hidden),
                self.cost
            );
        }
        if !unmet.is_empty() {
            return Ok(false);
        }
        self.guard.clean(&|| false)?;
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

    /// Builds a pattern where hiding is the cheaper the more the relaxation hides. `true` if it is better than the best.
    pub(crate) fn guided(&mut self, x: &[f64], over: &dyn Fn() -> bool) -> Result<bool, NoAnswer> {
        let start: Vec<bool> = x.iter().map(|value| *value > 0.95).collect();
        self.guard.take(&start);
        let model = self.model;
        let price = |cell: usize| model.weight(cell) * (1.01 - x[cell]);
        if !self.completer.complete(model, &mut self.guard, &price, over)? {
            return Ok(false);
        }
        self.guard.clean(over)?;
        self.accept()
    }
}
