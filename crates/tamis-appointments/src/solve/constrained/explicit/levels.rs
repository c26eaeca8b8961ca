//! One component of the vector after the other.

use super::Outcome;
use super::columns::Columns;
use super::costs::{Costs, Target, UNIT};
use super::effort::Effort;
use super::halls::Halls;
use super::model::{Model, Reading};
use super::order::Order;
use super::partition::{fewest_of_size, smallest_vector};
use super::prices::tune;
use super::relaxed::Relaxed;
use super::rows::Rows;
use super::search::{Found, Search};
use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{LevelProof, Reason, Solution};
use crate::vector::AnonymityVector;

/// The search with everything it needs, and the best schedule so far.
struct Levels<'i> {
    instance: &'i Instance,
    model: Box<Model>,
    rows: Rows,
    columns: Columns,
    order: Order,
    halls: Halls,
    best: Schedule,
    vector: AnonymityVector,
}

/// What a level came to.
enum Level {
    Proved(Reason),
    /// At least so many cells; the best schedule has more.
    Unproved(u64),
}

/// Solves a problem whose slots hang together.
pub(super) fn solve(
    instance: &Instance,
    incumbent: Option<&Schedule>,
    relaxed: &Relaxed,
    level: Option<u32>,
    effort: &mut Effort,
) -> Outcome {
    let unproved = || {
        let known = |best: &Schedule| Outcome::Solution(Box::new(relaxed.solution(instance, best.clone())));
        incumbent.map_or(Outcome::NothingFound, known)
    };
    let model = match Model::new(instance) {
        Reading::Model(model) => model,
        Reading::Infeasible => return Outcome::Infeasible,
        Reading::TooLarge => return unproved(),
    };
    let columns = Columns::new(&model);
    if !columns.fit() {
        return unproved();
    }
    let (rows, order, halls) = (Rows::new(&model), Order::new(&model, &columns), Halls::new(&model));
    let (best, vector) = (Schedule::default(), AnonymityVector::of_sizes([]));
    let mut levels = Levels { instance, model, rows, columns, order, halls, best, vector };
    match incumbent {
        Some(best) => levels.improve(best.clone()),
        None => match levels.search(&Target::any(), &Costs::new(&levels.model, &Target::any()), effort) {
            Found::Units(units) => levels.improve(levels.model.schedule(instance, &units)),
            Found::Nothing => return Outcome::Infeasible,
            Found::Stopped => return Outcome::NothingFound,
        },
    }
    levels.descend(relaxed, level, effort)
}

impl Levels<'_> {
    fn improve(&mut self, best: Schedule) {
        self.vector = best.vector(self.instance);
        self.best = best;
    }

    fn search(&self, target: &Target, costs: &Costs, effort: &mut Effort) -> Found {
        let Self { model, rows, columns, order, halls, .. } = self;
        Search::new(model, rows, columns, order, halls, costs, target).run(effort)
    }

    /// Lowers the components from the first to the last, as long as time allows.
    fn descend(mut self, relaxed: &Relaxed, level: Option<u32>, effort: &mut Effort) -> Outcome {
        let people = self.instance.people();
        let largest = largest_size(self.instance);
        let mut proofs = Vec::new();
        let mut proved: Vec<u32> = Vec::new();
        let mut left = people;
        let mut lower_bound = None;
        for size in 1..=largest {
            if left == 0 || self.is_beyond(size, level) {
                break;
            }
            match self.lower(size, left, largest, &proved, relaxed, effort) {
                Level::Proved(reason) => {
                    let cells = self.vector.cells_of_size(size);
                    proofs.push(LevelProof { size, cells, reason });
                    proved.push(cells as u32);
                    left -= size * cells;
                }
                Level::Unproved(at_least) => {
                    lower_bound = Some(smallest_vector(&proved, left, largest, at_least));
                    break;
                }
            }
        }
        let lower_bound = lower_bound.unwrap_or_else(|| smallest_vector(&proved, left, largest, 0));
        let lower_bound = lower_bound.max(relaxed.lower_bound.clone());
        Outcome::Solution(Box::new(Solution { schedule: self.best, vector: self.vector, lower_bound, proofs }))
    }

    /// Whether the level of search asked for ends before this size.
    fn is_beyond(&self, size: u64, level: Option<u32>) -> bool {
        match (level, self.vector.k()) {
            (Some(level), Some(k)) => size > k.saturating_add(u64::from(level)),
            _ => false,
        }
    }

    /// Lowers one component as far as it goes.
    fn lower(
        &mut self,
        size: u64,
        left: u64,
        largest: u64,
        proved: &[u32],
        relaxed: &Relaxed,
        effort: &mut Effort,
    ) -> Level {
        let mut cells = self.vector.cells_of_size(size);
        if cells == 0 {
            return Level::Proved(Reason::Zero);
        }
        let mut reason = Reason::Remainder;
        let mut least = fewest_of_size(size, left, largest, 0).unwrap_or(0);
        if let Some((cells, why)) = relaxed.cells_given(proved, size).filter(|&(cells, _)| cells > least) {
            (least, reason) = (cells, why);
        }
        while least < cells {
            if effort.is_over() {
                return Level::Unproved(least);
            }
            let target = Target { proved: proved.to_vec(), most: Some(cells as u32 - 1) };
            let priced = tune(&self.model, &self.rows, &self.columns, &target, &effort.patience);
            let excess = priced.bound - (priced.costs.limit(&target) - (cells as i64 - 1) * UNIT);
            let bound = if priced.bound > priced.costs.limit(&target) {
                cells
            } else if cells > 1 {
                (excess + UNIT - 1).div_euclid(UNIT).max(0) as u64
            } else {
                0
            };
            if bound > least {
                (least, reason) = (bound, Reason::LinearBound);
            }
            if least == cells {
                break;
            }
            match self.search(&target, &priced.costs, effort) {
                Found::Units(units) => {
                    self.improve(self.model.schedule(self.instance, &units));
                    cells = self.vector.cells_of_size(size);
                }
                Found::Nothing => (least, reason) = (cells, Reason::Enumeration),
                Found::Stopped => return Level::Unproved(least),
            }
        }
        Level::Proved(if cells == 0 { Reason::Zero } else { reason })
    }
}

/// No cell is larger than the largest crowd or the largest slot.
fn largest_size(instance: &Instance) -> u64 {
    let crowd = instance.frequencies().into_iter().max().unwrap_or(0);
    instance.capacities.iter().copied().max().unwrap_or(0).min(crowd)
}
