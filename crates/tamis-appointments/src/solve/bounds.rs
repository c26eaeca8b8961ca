//! Vectors that no schedule can go below, without solving anything.

use crate::instance::Plain;
use crate::vector::AnonymityVector;

/// The greatest of the bounds known for a problem.
pub(crate) fn lower_bound(problem: &Plain) -> AnonymityVector {
    AnonymityVector::of_sizes([problem.people()])
}
