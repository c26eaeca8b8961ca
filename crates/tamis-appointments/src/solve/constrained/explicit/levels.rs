//! One component of the vector after the other.

use super::Outcome;
use super::columns::Columns;
use super::costs::{Costs, Target};
use super::effort::Effort;
use super::halls::Halls;
use super::model::{Model, Reading};
use super::order::Order;
use super::prices::{Priced, tune};
use super::relaxed::Relaxed;
use super::rows::Rows;
use super::search::{Found, Search};
use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::bounds::completion;
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

/// Before everything is searched: how many of the most promising ways on are tried, for how many steps.
const NARROW: [(usize, u64); 2] = [(2, 30_000), (8, 200_000)];

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
    let model = match Model::read(instance) {
        Reading::Model(model) => model,
        Reading::Infeasible => return Outcome::Infeasible,
        Reading::TooLarge => return unproved(),
    };
    let columns = Columns::new(&model);
    let Some(rows) = Rows::new(&model).filter(|_| columns.fit()) else { return unproved() };
    let (order, halls) = (Order::new(&model, &columns), Halls::new(&model));
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
        for (width, steps) in NARROW {
            let mut part = effort.part(steps);
            let found = Search::new(model, rows, columns, order, halls, costs, target).run(width, &mut part);
            effort.count(steps, &part);
            if matches!(found, Found::Units(_)) {
                return found;
            }
            if effort.is_over() {
                return Found::Stopped;
            }
        }
        Search::new(model, rows, columns, order, halls, costs, target).run(usize::MAX, effort)
    }

    /// Lowers the components from the first to the last, as long as time allows.
    fn descend(mut self, relaxed: &Relaxed, level: Option<u32>, effort: &mut Effort) -> Outcome {
        let mut proofs: Vec<LevelProof> = Vec::new();
        let mut at_least = 0;
        for size in 1..=largest_size(self.instance) {
            if self.people_beyond(&proofs) == 0 || self.is_beyond(size, level) {
                break;
            }
            match self.lower(size, &proofs, relaxed, effort) {
                Level::Proved(reason) => {
                    proofs.push(LevelProof { size, cells: self.vector.cells_of_size(size), reason });
                }
                Level::Unproved(cells) => {
                    at_least = cells;
                    break;
                }
            }
        }
        let bound = self.completion(&proofs, at_least).or_else(|| self.completion(&proofs, 0)).unwrap_or_default();
        let lower_bound = bound.max(relaxed.lower_bound.clone());
        Outcome::Solution(Box::new(Solution { schedule: self.best, vector: self.vector, lower_bound, proofs }))
    }

    /// How many people are in no cell of a proved size.
    fn people_beyond(&self, proofs: &[LevelProof]) -> u64 {
        self.instance.people() - proofs.iter().map(|proof| proof.size * proof.cells).sum::<u64>()
    }

    /// The smallest vector with the proved components and at least so many cells of the next size.
    fn completion(&self, proofs: &[LevelProof], at_least: u64) -> Option<AnonymityVector> {
        let known: Vec<(u64, u64)> = proofs.iter().map(|proof| (proof.size, proof.cells)).collect();
        let next = proofs.len() as u64 + 1;
        completion(&known, next, at_least, self.instance.people(), largest_size(self.instance))
    }

    /// Whether the level of search asked for ends before this size.
    fn is_beyond(&self, size: u64, level: Option<u32>) -> bool {
        match (level, self.vector.k()) {
            (Some(level), Some(k)) => size > k.saturating_add(u64::from(level)),
            _ => false,
        }
    }

    /// Lowers one component as far as it goes.
    fn lower(&mut self, size: u64, proofs: &[LevelProof], relaxed: &Relaxed, effort: &mut Effort) -> Level {
        let proved: Vec<u32> = proofs.iter().map(|proof| proof.cells as u32).collect();
        let mut cells = self.vector.cells_of_size(size);
        if cells == 0 {
            return Level::Proved(Reason::Zero);
        }
        let mut reason = Reason::Remainder;
        let mut least = self.completion(proofs, 0).map_or(0, |bound| bound.cells_of_size(size));
        if let Some((cells, why)) = relaxed.cells_given(&proved, size).filter(|&(cells, _)| cells > least) {
            (least, reason) = (cells, why);
        }
        let mut priced: Option<Priced> = None;
        while least < cells {
            if effort.is_over() {
                return Level::Unproved(least);
            }
            let target = Target { proved: proved.clone(), most: Some(cells as u32 - 1) };
            // Prices for a larger number of cells are right for a smaller one, but none at all is a sharper condition.
            if priced.is_none() || cells == 1 {
                priced = Some(tune(&self.model, &self.rows, &self.columns, &target, &effort.patience));
            }
            let Some(priced) = &priced else { return Level::Unproved(least) };
            let bound = priced.least_cells(&target).min(cells);
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
