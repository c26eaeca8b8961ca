//! Minimal sample uniques: the smallest sets of columns that single a person out.
//!
//! A set of columns is a minimal sample unique (MSU) of a person if nobody else has their values in it, while each smaller set leaves
//! someone else (Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008 for SUDA2).
//!
//! The sets are walked by size. A tuple that is unique in a set stays unique in every larger one and, having no partner left, cannot
//! keep anyone else from being unique there: so it is taken out of the grouping of all supersets, and what is left to be grouped shrinks
//! with every level. A tuple that comes out as unique in a set was not unique in any of its parts, so the set is minimal for it.
//!
//! With T tuples and s sets up to the size asked for the work is at most s T hash look-ups, far fewer where many are unique early, and
//! memory is one bit per tuple and set of the last level.

use crate::Records;
use std::collections::HashMap;

/// A set of columns, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnSet(pub u64);

impl ColumnSet {
    /// The columns in it, ascending.
    pub fn columns(self) -> Vec<usize> {
        (0..64).filter(|&column| self.has(column)).collect()
    }

    /// Number of columns in it.
    pub fn size(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether a column is in it.
    pub fn has(self, column: usize) -> bool {
        self.0 >> column & 1 == 1
    }

    /// The set without a column.
    #[must_use]
    pub fn without(self, column: usize) -> Self {
        Self(self.0 & !(1 << column))
    }
}

/// How many non-empty sets of at most `size` of `width` columns there are.
///
/// ```
/// assert_eq!(tamis_risk::subsets_up_to(4, 2), 10);
/// ```
pub fn subsets_up_to(width: usize, size: usize) -> u64 {
    let mut total = 0u64;
    let mut sets = 1u64;
    for chosen in 1..=size.min(width) {
        sets = sets.saturating_mul((width - chosen + 1) as u64) / chosen as u64;
        total = total.saturating_add(sets);
    }
    total
}

/// What a walk over the sets of columns finds.
#[derive(Debug, Clone)]
pub struct MinimalUniques {
    /// Every tuple that is unique in a set and in no part of it, with the set; ordered by tuple, then by size.
    pub found: Vec<(u32, ColumnSet)>,
    /// For every set walked: the rows that are unique in it.
    pub unique_rows: HashMap<ColumnSet, u64>,
    /// The largest size of a set that was looked at.
    pub size: usize,
}

impl MinimalUniques {
    /// Walks the sets of up to `size` of at most 63 columns.
    ///
    /// ```
    /// use tamis_risk::{ColumnSet, MinimalUniques, Records};
    /// let records = Records::of_rows(&[&[2, 1, 1], &[0, 3, 0]]);
    /// let found = MinimalUniques::find(&records, 2).found;
    /// assert_eq!(found, [(0, ColumnSet(0b01)), (1, ColumnSet(0b10)), (2, ColumnSet(0b11))]);
    /// ```
    pub fn find(records: &Records, size: usize) -> Self {
        let (width, tuples) = (records.width().min(63), records.tuples());
        let size = size.min(width);
        let mut found = Vec::new();
        let mut unique_rows = HashMap::new();
        let mut smaller: HashMap<ColumnSet, Bits> = HashMap::from([(ColumnSet(0), Bits::new(tuples))]);
        for level in 1..=size {
            let mut current = HashMap::new();
            for set in sets_of_size(width, level) {
                let columns = set.columns();
                let mut unique = Bits::new(tuples);
                for &column in &columns {
                    if let Some(part) = smaller.get(&set.without(column)) {
                        unique.add(part);
                    }
                }
                let left: Vec<u32> = (0..tuples as u32).filter(|&tuple| !unique.has(tuple)).collect();
                for tuple in records.alone_among(&columns, &left) {
                    unique.set(tuple);
                    found.push((tuple, set));
                }
                unique_rows.insert(set, unique.iter().map(|tuple| records.rows(tuple as usize)).sum());
                current.insert(set, unique);
            }
            smaller = current;
        }
        found.sort_by_key(|&(tuple, set)| (tuple, set.size(), set.0));
        Self { found, unique_rows, size }
    }

    /// The minimal sets of one tuple, smallest first.
    pub fn of_tuple(&self, tuple: u32) -> impl Iterator<Item = ColumnSet> + '_ {
        let start = self.found.partition_point(|&(other, _)| other < tuple);
        self.found[start..].iter().take_while(move |&&(other, _)| other == tuple).map(|&(_, set)| set)
    }
}

/// All sets of that many columns in ascending order of their bits.
fn sets_of_size(width: usize, size: usize) -> impl Iterator<Item = ColumnSet> {
    let first = (1u64 << size) - 1;
    // Gosper's step to the next number with as many bits.
    std::iter::successors(Some(first), |&bits| {
        let lowest = bits & bits.wrapping_neg();
        let carried = bits + lowest;
        Some((((carried ^ bits) >> 2) / lowest) | carried)
    })
    .take_while(move |&bits| bits < 1 << width)
    .map(ColumnSet)
}

/// One bit per tuple.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    fn has(&self, position: u32) -> bool {
        self.0[position as usize / 64] >> (position % 64) & 1 == 1
    }

    fn set(&mut self, position: u32) {
        self.0[position as usize / 64] |= 1 << (position % 64);
    }

    fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|&position| self.has(position))
    }
}
