//! A vector that no schedule goes below, one component after the other, by linear programs.

use super::model::{Model, Parting, Sums};
use super::side::Pooling;
use crate::solve::bounds::completion;
use crate::solve::{LevelProof, Reason};
use crate::vector::AnonymityVector;
use tamis_solver::{Limit, Outcome, Status};

/// What is known of a problem while bounds are looked for.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) sums: Sums<'a>,
    pub(super) people: u64,
    pub(super) largest: u64,
    /// The combinatorial bounds with their reasons.
    pub(super) bounds: Vec<(AnonymityVector, Reason)>,
    /// The vector of the best schedule so far.
    pub(super) best: AnonymityVector,
    /// How many components after the first that is not zero are of interest.
    pub(super) level: Option<u32>,
}

/// Components of a vector from size 1 on, each the least there can be if those before it are met.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// The components that are not zero, by size.
    pub(super) proofs: Vec<LevelProof>,
    /// The first size not looked at, and the least number of its cells as far as known.
    pub(super) next: u64,
    pub(super) least_next: u64,
}

/// Why a chain ends where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everybody is in a cell.
    Complete,
    /// All components of interest are there.
    DeepEnough,
    /// No schedule has these components, though each of them seemed possible.
    Impossible,
    /// A limit was reached, the network is too large, or the solver failed.
    Unknown,
}

/// Models with more sizes of parts than this are not built; their networks would be far too large.
pub(super) const MOST_SIZES: u64 = 10_000;

/// A fractional solution and the model it solves.
type Witness<'a> = (Model<'a>, Outcome);

impl Chain {
    pub(super) fn new() -> Self {
        Self { proofs: Vec::new(), next: 1, least_next: 0 }
    }

    /// The components as (size, cells).
    pub(super) fn cells(&self) -> Vec<(u64, u64)> {
        self.proofs.iter().map(|proof| (proof.size, proof.cells)).collect()
    }

    /// How many people are in no cell yet.
    pub(super) fn people_left(&self, people: u64) -> u64 {
        people.saturating_sub(self.proofs.iter().map(|proof| proof.size * proof.cells).sum())
    }

    /// Whether a vector has these components.
    pub(super) fn agrees_with(&self, vector: &AnonymityVector) -> bool {
        let before = vector.counts().iter().take_while(|&&(size, _)| size < self.next);
        before.copied().eq(self.cells())
    }

    /// Takes a component as proved.
    pub(super) fn push(&mut self, proof: LevelProof) {
        self.next = proof.size + 1;
        self.least_next = 0;
        if proof.cells > 0 {
            self.proofs.push(proof);
        }
    }

    /// The least vector with these components.
    pub(super) fn completed(&self, known: &Known<'_>) -> Option<AnonymityVector> {
        completion(&self.cells(), self.next, self.least_next, known.people, known.largest)
    }

    /// Whether no component of interest is left: as many as asked for after the first that is not zero.
    pub(super) fn is_deep_enough(&self, level: Option<u32>) -> bool {
        let levels_done = self.proofs.first().map(|first| self.next - first.size);
        level.zip(levels_done).is_some_and(|(level, done)| done > u64::from(level))
    }

    /// Adds components until nothing is left to find or a limit is reached.
    ///
    /// A component that the best schedule, or the fractional solution at hand, has as low as a bound without a solver
    /// allows needs no linear program.
    pub(super) fn extend(&mut self, known: &Known<'_>, limit: &Limit<'_>) -> End {
        let mut witness: Option<Witness<'_>> = None;
        loop {
            if self.people_left(known.people) == 0 {
                return End::Complete;
            }
            if self.is_deep_enough(known.level) {
                return End::DeepEnough;
            }
            if limit.is_reached() {
                return End::Unknown;
            }
            let is_best_alike = self.agrees_with(&known.best);
            if is_best_alike {
                // Zeros of the best schedule need no proof.
                let next = known.best.counts().iter().find(|&&(size, _)| size >= self.next);
                self.next = next.map_or(self.next, |&(size, _)| size);
                if self.is_deep_enough(known.level) {
                    return End::DeepEnough;
                }
            }
            let Some((least, reason)) = self.least_without_solver(known) else { return End::Impossible };
            let size = self.next;
            let is_met = is_best_alike && known.best.cells_of_size(size) == least
                || witness.as_ref().is_some_and(|witness| is_at_most(witness, size, least));
            if is_met {
                self.push(LevelProof { size, cells: least, reason });
                continue;
            }
            self.least_next = least;
            match self.link(known, limit) {
                Ok((proof, found)) => {
                    witness = is_at_most(&found, proof.size, proof.cells).then_some(found);
                    self.push(proof);
                }
                Err(end) => return end,
            }
        }
    }

    /// The next component that cannot be seen to be zero, by linear programs, with the fractional solution that has it.
    ///
    /// A size is known that the smallest further cell cannot exceed, and networks without small parts are small: so the
    /// largest possible size of that cell is looked for from above, by bisection with a leaning to the top. When that
    /// ends early, the chain goes on to the size that is still possible, of which there is a cell at least if larger
    /// ones were refuted.
    fn link<'a>(&mut self, known: &'a Known<'_>, limit: &Limit<'_>) -> Result<(LevelProof, Witness<'a>), End> {
        let (mut from, mut to) = (self.next, self.latest(known).max(self.next));
        let mut found = None;
        while from <= to {
            let tried = to - (to - from) / 4;
            let ahead = Self { next: tried, ..self.clone() };
            let (least, reason) = ahead.least_without_solver(known).ok_or(End::Impossible)?;
            let model = ahead.model(known, least, Pooling::Together);
            let outcome = model.as_ref().map(|model| model.relax(tried, limit));
            match (model, outcome) {
                (Some(_), Some(Outcome { status: Status::Infeasible, .. })) => {
                    to = tried - 1;
                    (self.next, self.least_next) = (to.max(self.next), 1);
                }
                (Some(model), Some(outcome)) if outcome.status == Status::Optimal => {
                    let bound = outcome.whole_bound().map_or(0, |bound| bound.max(0) as u64);
                    let (cells, reason) = if bound > least { (bound, Reason::LinearBound) } else { (least, reason) };
                    found = Some((LevelProof { size: tried, cells, reason }, (model, outcome)));
                    if cells > 0 {
                        break;
                    }
                    from = tried + 1;
                }
                _ => return Err(End::Unknown),
            }
        }
        found.ok_or(End::Impossible)
    }

    /// The largest size that the smallest further cell can have, by the bounds that need no solver.
    fn latest(&self, known: &Known<'_>) -> u64 {
        let first =
            |bound: &AnonymityVector| bound.counts().iter().map(|&(size, _)| size).find(|&size| size >= self.next);
        let completed = completion(&self.cells(), self.next, 0, known.people, known.largest);
        let alike = known.bounds.iter().map(|(bound, _)| bound).filter(|bound| self.agrees_with(bound));
        alike.chain(&completed).filter_map(first).min().unwrap_or(self.next)
    }

    /// The least number of cells of the next size that needs no solver to see, and why; none if the components so far
    /// leave people for whom there is no cell.
    fn least_without_solver(&self, known: &Known<'_>) -> Option<(u64, Reason)> {
        let completed = completion(&self.cells(), self.next, 0, known.people, known.largest)?;
        let mut least = (completed.cells_of_size(self.next), Reason::Remainder);
        for (bound, reason) in known.bounds.iter().filter(|(bound, _)| self.agrees_with(bound)) {
            // Where several reasons are as good, a bound says more than what is left over.
            let cells = bound.cells_of_size(self.next);
            if cells > least.0 || cells == least.0 && least.1 == Reason::Remainder {
                least = (cells, *reason);
            }
        }
        Some(if least.0 == 0 { (0, Reason::Zero) } else { least })
    }

    /// The model with these components and at least so many parts of the next size; none if it is too large.
    pub(super) fn model<'a>(&self, known: &'a Known<'_>, least: u64, pooling: Pooling) -> Option<Model<'a>> {
        let left = self.people_left(known.people);
        let sizes = self.next..=known.largest.min(left);
        if sizes.end().saturating_sub(*sizes.start()) > MOST_SIZES {
            return None;
        }
        let fixed =
            self.proofs.iter().map(|&LevelProof { size, cells, .. }| Parting { size, least: cells, most: cells });
        let free =
            sizes.map(|size| Parting { size, least: if size == self.next { least } else { 0 }, most: left / size });
        Model::build(&known.sums, fixed.chain(free).collect(), pooling)
    }
}

/// Whether a fractional solution has at most so many parts of a size.
fn is_at_most((model, outcome): &Witness<'_>, size: u64, cells: u64) -> bool {
    const TOLERANCE: f64 = 1e-6;
    model.parts_in(outcome, size).is_some_and(|parts| parts <= cells as f64 + TOLERANCE)
}
