//! What the problem without its conditions says about the one with them.

use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{LevelProof, Patience, Reason, Solution, SolveOptions, bounds, exact};
use crate::vector::AnonymityVector;
use std::time::Duration;

/// A bound from the problem without conditions, which every schedule with them keeps.
pub(super) struct Relaxed {
    pub(super) lower_bound: AnonymityVector,
    proofs: Vec<LevelProof>,
}

/// Where time is limited the bound is worth a part of it, and no more than this.
const MOST_TIME: Duration = Duration::from_secs(10);

impl Relaxed {
    /// Nothing but that there are so many people.
    #[cfg(test)]
    pub(super) fn nothing(instance: &Instance) -> Self {
        Self { lower_bound: AnonymityVector::of_sizes([instance.people()]), proofs: Vec::new() }
    }

    /// What can be said without solving anything.
    pub(super) fn at_once(instance: &Instance) -> Self {
        Self { lower_bound: bounds::lower_bound(&instance.relaxed()), proofs: Vec::new() }
    }

    /// The optimum without conditions, as far as it is proved in time.
    pub(super) fn proved(instance: &Instance, patience: &Patience) -> Self {
        let part = patience.left().map(|left| patience.at_most(MOST_TIME.min(left / 4)));
        let options = SolveOptions { patience: part.unwrap_or_else(|| patience.clone()), ..SolveOptions::default() };
        let Solution { lower_bound, proofs, .. } = exact::exact(&instance.relaxed(), &options);
        Self { lower_bound, proofs }
    }

    fn reason(&self, size: u64) -> Reason {
        self.proofs.iter().find(|proof| proof.size == size).map_or(Reason::LinearBound, |proof| proof.reason)
    }

    /// At least so many cells of a size, if the components before are those of the bound.
    pub(super) fn cells_given(&self, proved: &[u32], size: u64) -> Option<(u64, Reason)> {
        let agrees = (1..).zip(proved).all(|(size, &cells)| self.lower_bound.cells_of_size(size) == u64::from(cells));
        agrees.then(|| (self.lower_bound.cells_of_size(size), self.reason(size)))
    }

    /// A schedule about which nothing else is known. Components on which it agrees with the bound are proved all the same.
    pub(super) fn solution(&self, instance: &Instance, schedule: Schedule) -> Solution {
        let vector = schedule.vector(instance);
        let agreed = (1..=vector.largest())
            .take_while(|&size| vector.cells_of_size(size) == self.lower_bound.cells_of_size(size))
            .map(|size| (size, vector.cells_of_size(size)));
        let proofs = agreed.map(|(size, cells)| {
            let reason = if cells == 0 { Reason::Zero } else { self.reason(size) };
            LevelProof { size, cells, reason }
        });
        let proofs = proofs.collect();
        Solution { schedule, vector, lower_bound: self.lower_bound.clone(), proofs }
    }
}
