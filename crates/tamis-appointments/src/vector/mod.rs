//! Anonymity vectors: how many cells have one person, two, three, ...

mod error;
mod few_parts;
mod json;
mod limbs;
mod logarithmic;
mod measures;
mod of_table;
mod order;
mod parse;
mod partitions;
mod position;
#[cfg(test)]
mod random;
mod restricted;
mod rounding;
mod saddle;
mod unrank;

pub use error::VectorError;
pub use json::{LARGEST_DENSE, SizeCount, VectorJson};
pub use measures::{BelowThreshold, Measures};
pub use of_table::{SuppressedRows, vector_of_table};
pub use order::{LARGEST_EXACT, VectorOrder};
pub use partitions::{hardy_ramanujan_error, log_count, log_hardy_ramanujan};
pub use position::{Position, Ranking, improvement, positions, positions_in, share_by_people_alone};

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// The most people a vector may stand for: every JSON reader holds whole numbers up to here exactly.
pub const MOST_PEOPLE: u64 = 1 << 53;

/// How many cells (people who share quasi-identifier and slot) there are of each size.
///
/// Vectors are ordered lexicographically from size 1 on: the smaller vector is the more anonymous one. Only the sizes that
/// occur are kept, so a programme with cells of a million people costs no more than one with cells of ten.
///
/// ```
/// use tamis_appointments::AnonymityVector;
///
/// let random = AnonymityVector::of_sizes([1, 1, 2, 4]);
/// let better = AnonymityVector::of_sizes([2, 2, 4]);
/// assert_eq!(random.to_dense(), [2, 1, 0, 1]);
/// assert_eq!((random.k(), better.k()), (Some(1), Some(2)));
/// assert!(better < random);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AnonymityVector {
    /// (size, cells of that size), by size, without zeros
    counts: Vec<(u64, u64)>,
}

impl AnonymityVector {
    /// The vector of cells of these sizes; empty cells do not count.
    pub fn of_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut counts = BTreeMap::new();
        for size in sizes.into_iter().filter(|&size| size > 0) {
            *counts.entry(size).or_insert(0) += 1;
        }
        Self { counts: counts.into_iter().collect() }
    }

    /// The vector with these (size, cells) pairs, which may repeat a size.
    pub fn of_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut sum = BTreeMap::new();
        for (size, cells) in counts.into_iter().filter(|&(size, cells)| size > 0 && cells > 0) {
            *sum.entry(size).or_insert(0) += cells;
        }
        Self { counts: sum.into_iter().collect() }
    }

    /// The vector as it is printed: cells of size 1 first.
    pub fn from_dense(cells: &[u64]) -> Self {
        Self::of_counts((1..).zip(cells.iter().copied()))
    }

    /// The vector as it is printed: cells of size 1 first, up to the largest size that occurs.
    pub fn to_dense(&self) -> Vec<u64> {
        let mut dense = vec![0; self.largest() as usize];
        for &(size, cells) in &self.counts {
            dense[size as usize - 1] = cells;
        }
        dense
    }

    /// The sizes that occur with their numbers of cells, smallest size first.
    pub fn counts(&self) -> &[(u64, u64)] {
        &self.counts
    }

    /// How many cells have this size.
    pub fn cells_of_size(&self, size: u64) -> u64 {
        self.counts.binary_search_by_key(&size, |&(size, _)| size).map_or(0, |at| self.counts[at].1)
    }

    /// k: the size of the smallest cell; none without people.
    pub fn k(&self) -> Option<u64> {
        self.counts.first().map(|&(size, _)| size)
    }

    /// The size of the largest cell, 0 without people.
    pub fn largest(&self) -> u64 {
        self.counts.last().map_or(0, |&(size, _)| size)
    }

    /// N: how many people the cells hold.
    pub fn people(&self) -> u64 {
        self.counts.iter().map(|&(size, cells)| size * cells).sum()
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        self.counts.iter().map(|&(_, cells)| cells).sum()
    }

    /// Whether it stands for so many people, and for anybody at all.
    fn expect_people(&self, expected: u64) -> Result<(), VectorError> {
        match self.checked_people()? {
            found if found == expected => Ok(()),
            found => Err(VectorError::OtherPeople { found, expected }),
        }
    }

    /// How many people the cells hold, if there are any and not too many to count.
    pub fn checked_people(&self) -> Result<u64, VectorError> {
        let people = self
            .counts
            .iter()
            .fold(0, |sum: u128, &(size, cells)| sum.saturating_add(u128::from(size) * u128::from(cells)));
        match u64::try_from(people) {
            Ok(0) => Err(VectorError::NoPeople),
            Ok(people @ 1..=MOST_PEOPLE) => Ok(people),
            _ => Err(VectorError::TooManyPeople),
        }
    }

    /// The smallest size of which two vectors have different numbers of cells; none if they are equal.
    pub fn first_difference(&self, other: &Self) -> Option<u64> {
        let agreed = self.counts.iter().zip(&other.counts).take_while(|(left, right)| left == right).count();
        let next = [self, other].map(|vector| vector.counts.get(agreed).map(|&(size, _)| size));
        next.into_iter().flatten().min()
    }

    /// The vector of both schedules side by side. The order of vectors does not change when the same vector is added to both,
    /// which is why programmes that share no slot can be optimised one by one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::of_counts(self.counts.iter().chain(&other.counts).copied())
    }
}

impl Ord for AnonymityVector {
    fn cmp(&self, other: &Self) -> Ordering {
        let different = self.counts.iter().zip(&other.counts).find(|(left, right)| left != right);
        match different {
            // At the smaller of two different sizes one vector has cells and the other none.
            Some((left, right)) => right.0.cmp(&left.0).then(left.1.cmp(&right.1)),
            None => self.counts.len().cmp(&other.counts.len()),
        }
    }
}

impl PartialOrd for AnonymityVector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for AnonymityVector {
    /// As the sources print it, `(0,2,1,2)`; large gaps as `size:cells`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PRINTED_IN_FULL: u64 = 40;
        let texts: Vec<String> = if self.largest() <= PRINTED_IN_FULL {
            self.to_dense().iter().map(u64::to_string).collect()
        } else {
            self.counts.iter().map(|(size, cells)| format!("{size}:{cells}")).collect()
        };
        write!(f, "({})", texts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_printed_vectors(
            left in prop::collection::vec(0_u64..3, 0..6),
            right in prop::collection::vec(0_u64..3, 0..6),
        ) {
            let padded = |cells: &[u64]| (0..6).map(|at| cells.get(at).copied().unwrap_or(0)).collect::<Vec<_>>();
            let (a, b) = (AnonymityVector::from_dense(&left), AnonymityVector::from_dense(&right));
            prop_assert_eq!(a.cmp(&b), padded(&left).cmp(&padded(&right)));
            prop_assert_eq!(a.plus(&b).cmp(&b.plus(&b)), a.cmp(&b));
            let differs = |size: &u64| a.cells_of_size(*size) != b.cells_of_size(*size);
            prop_assert_eq!(a.first_difference(&b), (1..=6).find(differs));
        }
    }

    #[test]
    fn table_5_of_the_paper_orders_its_four_tables() {
        let printed = [vec![1, 0, 1, 1], vec![1, 1, 0, 0, 1], vec![2, 0, 0, 0, 0, 1], vec![3, 0, 0, 0, 1]];
        let vectors: Vec<_> = printed.iter().map(|cells| AnonymityVector::from_dense(cells)).collect();
        assert!(vectors.is_sorted());
        assert!(vectors.iter().all(|vector| vector.people() == 8 && vector.k() == Some(1)));
        assert_eq!(vectors[0].to_string(), "(1,0,1,1)");
    }
}
