//! Some rows and slots of a problem, scheduled by themselves.

use super::Incumbent;
use super::search::{Effort, fits, search};
use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use crate::solve::{Patience, bounds};
use rand::Rng;

/// Some rows and slots of a problem. The order of vectors does not change when the same vector is added to both sides,
/// so parts that share no line are scheduled one by one.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) rows: Vec<usize>,
    pub(super) slots: Vec<usize>,
}

impl Part {
    /// The problem that these lines are.
    pub(super) fn problem(&self, whole: &Plain) -> Plain {
        Plain {
            frequencies: self.rows.iter().map(|&row| whole.frequencies[row]).collect(),
            capacities: self.slots.iter().map(|&slot| whole.capacities[slot]).collect(),
        }
    }

    /// Enters a schedule of this part into the rows of the whole.
    pub(super) fn place(&self, schedule: &Schedule, rows: &mut [Vec<Placement>]) {
        for (&row, placements) in self.rows.iter().zip(&schedule.rows) {
            let placed = placements.iter().map(|part| Placement { slot: self.slots[part.slot], units: part.units });
            rows[row].extend(placed);
        }
    }
}

/// The best of the rules, bettered by annealing where the problem is small enough.
pub(super) fn schedule(
    problem: &Plain,
    effort: Effort,
    seed: u64,
    patience: &Patience,
    dice: &mut impl Rng,
) -> Schedule {
    let mut best = Incumbent::by_rules(problem, seed);
    if fits(problem) {
        search(problem, &bounds::lower_bound(problem), &mut best, effort, patience, dice);
    }
    best.schedule
}
