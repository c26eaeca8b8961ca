//! Items to fill bins with, by size.

use rand::{Rng, RngExt};
use std::collections::BTreeMap;

/// Items of several sizes. Items of a size are interchangeable, so they are first counted and only in the end told
/// apart. A kind is the position of a size among the different sizes.
pub(super) struct Stock {
    /// in ascending order
    sizes: Vec<u64>,
    /// those not delivered yet
    items: Vec<Vec<usize>>,
    /// how many of a kind can be taken
    free: Vec<u64>,
    /// sums of `free`, as a binary indexed tree
    sums: Vec<u64>,
    free_in_all: u64,
    mean: u64,
}

impl Stock {
    pub(super) fn new(items: &[(usize, u64)]) -> Self {
        let mut items_of: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for &(item, size) in items {
            items_of.entry(size).or_default().push(item);
        }
        let sum: u64 = items.iter().map(|&(_, size)| size).sum();
        let free: Vec<u64> = items_of.values().map(|items| items.len() as u64).collect();
        let mut stock = Self {
            sizes: items_of.keys().copied().collect(),
            items: items_of.into_values().collect(),
            sums: vec![0; free.len() + 1],
            free: vec![0; free.len()],
            free_in_all: 0,
            mean: sum / (items.len() as u64).max(1),
        };
        for (kind, &number) in free.iter().enumerate() {
            stock.add(kind, number);
        }
        stock
    }

    /// The mean size of all items there were.
    pub(super) fn mean(&self) -> u64 {
        self.mean
    }

    pub(super) fn size(&self, kind: usize) -> u64 {
        self.sizes[kind]
    }

    /// A kind, in proportion to how many of it can be taken.
    pub(super) fn draw(&self, dice: &mut impl Rng) -> Option<usize> {
        if self.free_in_all == 0 {
            return None;
        }
        let mut rest = dice.random_range(0..self.free_in_all);
        let mut kind = 0;
        let mut step = self.sizes.len().next_power_of_two();
        while step > 0 {
            if let Some(&sum) = self.sums.get(kind + step)
                && sum <= rest
            {
                rest -= sum;
                kind += step;
            }
            step /= 2;
        }
        Some(kind)
    }

    /// Takes an item of a kind that has one.
    pub(super) fn take(&mut self, kind: usize) {
        self.free[kind] -= 1;
        self.free_in_all -= 1;
        let mut at = kind + 1;
        while at < self.sums.len() {
            self.sums[at] -= 1;
            at += at & at.wrapping_neg();
        }
    }

    /// Gives an item of a kind back.
    pub(super) fn give_back(&mut self, kind: usize) {
        self.add(kind, 1);
    }

    fn add(&mut self, kind: usize, number: u64) {
        self.free[kind] += number;
        self.free_in_all += number;
        let mut at = kind + 1;
        while at < self.sums.len() {
            self.sums[at] += number;
            at += at & at.wrapping_neg();
        }
    }

    /// Which item was taken of a kind.
    pub(super) fn deliver(&mut self, kind: usize) -> Option<usize> {
        self.items[kind].pop()
    }

    /// The items that were not delivered.
    pub(super) fn into_items(self) -> Vec<usize> {
        self.items.into_iter().flatten().collect()
    }

    /// Up to three kinds whose sizes add up to a sum: drawn ones first, which keeps the proportions, then, where there
    /// are few sizes, any.
    pub(super) fn completion(&self, sum: u64, dice: &mut impl Rng) -> Option<Vec<usize>> {
        const DRAWS: usize = 16;
        const FEW_SIZES: usize = 64;
        if sum == 0 {
            return Some(Vec::new());
        }
        if let Some(kind) = self.free_kind(sum) {
            return Some(vec![kind]);
        }
        let pair = (0..DRAWS).find_map(|_| self.completed(&[self.draw(dice)?], sum));
        let triple = || (0..2 * DRAWS).find_map(|_| self.completed(&[self.draw(dice)?, self.draw(dice)?], sum));
        let found = pair.or_else(triple);
        if found.is_some() || self.sizes.len() > FEW_SIZES {
            return found;
        }
        let kinds = 0..self.sizes.len();
        let any_pair = kinds.clone().find_map(|first| self.completed(&[first], sum));
        any_pair.or_else(|| {
            let pairs = kinds.clone().flat_map(|first| (first..self.sizes.len()).map(move |second| [first, second]));
            pairs.into_iter().find_map(|pair| self.completed(&pair, sum))
        })
    }

    /// These kinds and one more that add up to a sum, if they can be taken together.
    fn completed(&self, kinds: &[usize], sum: u64) -> Option<Vec<usize>> {
        let rest = kinds.iter().try_fold(sum, |rest, &kind| rest.checked_sub(self.sizes[kind]))?;
        let mut kinds = kinds.to_vec();
        kinds.push(self.free_kind(rest)?);
        let is_free = |&kind: &usize| kinds.iter().filter(|&&other| other == kind).count() as u64 <= self.free[kind];
        kinds.iter().all(is_free).then_some(kinds)
    }

    /// The kind of this size, if one can be taken.
    fn free_kind(&self, size: u64) -> Option<usize> {
        self.sizes.binary_search(&size).ok().filter(|&kind| self.free[kind] > 0)
    }
}
