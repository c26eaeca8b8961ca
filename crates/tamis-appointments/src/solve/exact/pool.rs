//! Sums that stay out of the network: how many parts of each size they have together.
//!
//! One group of thousands of people among groups of fifty would make the network grow a hundredfold, though nearly everything can be
//! put together to such a sum. Parts of one sum that is alone in its pool have to meet nothing but the sum. Those of several sums have
//! to meet their total and the rounded inequalities below, which every way to cut the sums meets; whether they can be dealt out to the
//! sums is seen when there are parts.

use super::assembly::Parts;
use tamis_solver::{Program, Relation};

/// Some sums, (sum, number) in ascending order.
#[derive(Debug)]
pub(super) struct Pool {
    sums: Vec<(u64, u64)>,
    may_waste: bool,
}

impl Pool {
    pub(super) fn new(sums: Vec<(u64, u64)>, may_waste: bool) -> Self {
        Self { sums, may_waste }
    }

    /// How many of these sizes (ascending) can be parts: so many variables the pool has.
    pub(super) fn variables(&self, sizes: &[u64]) -> usize {
        let largest = self.sums.last().map_or(0, |&(sum, _)| sum);
        sizes.partition_point(|&size| size <= largest)
    }

    /// Adds a variable for each size that can be a part, the number of such parts, and what they must meet to a program; returns the
    /// first of the variables.
    pub(super) fn add_to(&self, program: &mut Program, sizes: &[u64]) -> usize {
        let first = program.variables.len();
        let sizes = &sizes[..self.variables(sizes)];
        for &size in sizes {
            program.integer(0, i32::try_from(self.most_parts(size)).unwrap_or(i32::MAX), 0.0);
        }
        let weighted = |weight: &dyn Fn(u64) -> u64| -> Vec<(usize, f64)> {
            let terms = sizes.iter().enumerate().map(|(at, &size)| (first + at, weight(size) as f64));
            terms.filter(|&(_, factor)| factor > 0.0).collect()
        };
        let relation = if self.may_waste { Relation::AtMost } else { Relation::Exactly };
        program.row(weighted(&|size| size), relation, self.total(|sum| sum) as f64);
        // Multiples of the sum of parts, rounded in every sum by itself (Chvátal and Gomory): without them the program would take
        // fractions of parts that no sum has.
        for unit in self.units(sizes) {
            program.row(weighted(&|size| size / unit), Relation::AtMost, self.total(|sum| sum / unit) as f64);
        }
        if let Some(&largest) = sizes.last().filter(|_| !self.may_waste) {
            program.row(weighted(&|_| 1), Relation::AtLeast, self.total(|sum| sum.div_ceil(largest)) as f64);
        }
        first
    }

    /// The units in which sums are counted: one in which every part counts, one of which large parts are more than half, and the sizes
    /// that are just too large for some of the sums.
    fn units(&self, sizes: &[u64]) -> Vec<u64> {
        const TOO_LARGE_FOR_SOME: usize = 8;
        let (Some(&smallest), Some(&largest)) = (sizes.first(), sizes.last()) else { return Vec::new() };
        let too_large = self.sums.iter().map(|&(sum, _)| sum + 1).filter(|&size| size <= largest);
        let mut units: Vec<u64> = too_large.take(TOO_LARGE_FOR_SOME).chain([smallest, largest / 2 + 1]).collect();
        units.sort_unstable();
        units.dedup();
        units.retain(|&unit| unit > 1);
        units
    }

    /// What the sums come to, each of them by this measure.
    fn total(&self, measure: impl Fn(u64) -> u64) -> u64 {
        self.sums.iter().fold(0, |total, &(sum, number)| total.saturating_add(measure(sum).saturating_mul(number)))
    }

    fn most_parts(&self, size: u64) -> u64 {
        self.total(|sum| sum / size)
    }

    /// The parts of each sum if there are so many parts of each of these sizes; none if they cannot be dealt out, or not in this way.
    ///
    /// The sums take their parts one after the other, the smallest sum first or last, large parts rather than small ones, since small
    /// ones help the others to come out even.
    pub(super) fn parts(&self, sizes: &[u64], numbers: &[i64]) -> Option<Parts> {
        let numbers = numbers.iter().map(|&number| u64::try_from(number).ok()).collect::<Option<Vec<u64>>>()?;
        let stock: Vec<(u64, u64)> = sizes.iter().copied().zip(numbers).collect();
        let ascending: Vec<u64> = self.sums.iter().flat_map(|&(sum, number)| (0..number).map(move |_| sum)).collect();
        self.dealt(ascending.iter().copied(), stock.clone()).or_else(|| self.dealt(ascending.into_iter().rev(), stock))
    }

    fn dealt(&self, sums: impl ExactSizeIterator<Item = u64>, mut stock: Vec<(u64, u64)>) -> Option<Parts> {
        let mut parts = Parts::new();
        let mut sums_left = sums.len();
        for sum in sums {
            sums_left -= 1;
            let in_stock: u64 = stock.iter().map(|&(size, number)| size * number).sum();
            let taken = if sums_left == 0 && (in_stock == sum || self.may_waste && in_stock <= sum) {
                stock.iter_mut().flat_map(|(size, number)| vec![*size; std::mem::take(number) as usize]).collect()
            } else {
                take(&mut stock, sum, self.may_waste)?
            };
            parts.push((sum, taken));
        }
        stock.iter().all(|&(_, number)| number == 0).then_some(parts)
    }
}

/// Takes parts that come to a sum, or as near below it as can be if that may be; none if there are no such parts, or too many to try.
///
/// A table of the sums that can be reached with the sizes from the largest on, with the size that reached them first. Takes time in
/// the sum times the number of sizes.
fn take(stock: &mut [(u64, u64)], sum: u64, may_waste: bool) -> Option<Vec<u64>> {
    const MOST_STEPS: u64 = 100_000_000;
    let in_stock = stock.iter().filter(|&&(_, number)| number > 0).count() as u64;
    let end = usize::try_from(sum).ok().filter(|_| sum.saturating_mul(in_stock) <= MOST_STEPS)?;
    // Which entry of the stock a sum was reached with; the sum 0 needs none.
    let mut reached_with: Vec<Option<usize>> = vec![None; end + 1];
    for (entry, &(size, number)) in stock.iter().enumerate().rev().filter(|(_, part)| part.1 > 0 && part.0 <= sum) {
        let size = size as usize;
        let mut used = vec![0; end + 1];
        for reached in size..=end {
            let before = reached - size;
            let can_go_on = before == 0 || reached_with[before].is_some();
            if reached_with[reached].is_none() && can_go_on && used[before] < number {
                reached_with[reached] = Some(entry);
                used[reached] = used[before] + 1;
            }
        }
    }
    let mut at = if may_waste { (0..=end).rfind(|&sum| sum == 0 || reached_with[sum].is_some())? } else { end };
    let mut taken = Vec::new();
    while at > 0 {
        let (size, number) = &mut stock[reached_with[at]?];
        *number -= 1;
        taken.push(*size);
        at -= *size as usize;
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_dealt_out_to_several_sums() {
        let pool = Pool::new(vec![(10, 2), (13, 1)], false);
        let mut parts = pool.parts(&[3, 4, 5], &[3, 1, 4]).expect("5 + 5, 5 + 5 and 3 + 3 + 3 + 4");
        parts.sort_unstable();
        assert_eq!(parts, [(10, vec![5, 5]), (10, vec![5, 5]), (13, vec![3, 3, 3, 4])]);
        assert_eq!(Pool::new(vec![(3, 1), (5, 1)], false).parts(&[2], &[4]), None);
        assert_eq!(Pool::new(vec![(3, 1), (5, 1)], false).parts(&[2], &[-4]), None);
    }

    #[test]
    fn places_stay_empty_where_they_may() {
        let pool = Pool::new(vec![(7, 1), (9, 1)], true);
        assert_eq!(pool.parts(&[4], &[3]), Some(vec![(7, vec![4]), (9, vec![4, 4])]));
        assert_eq!(pool.parts(&[4], &[4]), None);
    }
}
