//! How many of a crowd land in each slot, without drawing for everybody.

use crate::schedule::Placement;
use rand::{Rng, RngExt};

/// Slots with free places from which whole crowds draw.
///
/// The slots are the leaves of a binary tree whose nodes know the free places below them. A crowd is split at every
/// node by one hypergeometric draw, so that it costs time only where somebody goes.
pub(super) struct Urn {
    /// free places; the children of node `n` are `2n` and `2n + 1`, the root is 1
    free: Vec<u64>,
    leaves: usize,
}

impl Urn {
    pub(super) fn new(capacities: &[u64]) -> Self {
        let leaves = capacities.len().next_power_of_two();
        let mut free = vec![0; 2 * leaves];
        free[leaves..leaves + capacities.len()].copy_from_slice(capacities);
        for node in (1..leaves).rev() {
            free[node] = free[2 * node] + free[2 * node + 1];
        }
        Self { free, leaves }
    }

    /// Takes places for so many people, all free places being equally likely.
    pub(super) fn draw(&mut self, people: u64, dice: &mut impl Rng) -> Vec<Placement> {
        let mut placements = Vec::new();
        let mut open = vec![(1, people)];
        while let Some((node, people)) = open.pop() {
            if people == 0 {
                continue;
            }
            if node >= self.leaves {
                placements.push(Placement { slot: node - self.leaves, units: people });
            } else {
                let left = hypergeometric(self.free[2 * node], self.free[2 * node + 1], people, dice);
                open.push((2 * node + 1, people - left));
                open.push((2 * node, left));
            }
            self.free[node] -= people;
        }
        placements
    }
}

/// How many of `draws` places lie among the `left` ones when they are drawn from `left + right` without putting back.
///
/// Weights are taken relative to the most likely outcome, outwards until they no longer count; time is proportional to
/// the standard deviation.
fn hypergeometric(left: u64, right: u64, draws: u64, dice: &mut impl Rng) -> u64 {
    let (least, most) = (draws.saturating_sub(right), draws.min(left));
    let mode = (u128::from(draws + 1) * u128::from(left + 1) / u128::from(left + right + 2)) as u64;
    let mode = mode.clamp(least, most);
    let (left, right, draws) = (left as f64, right as f64, draws as f64);
    // weight of k + 1 relative to that of k
    let ratio = |k: u64| {
        let k = k as f64;
        (left - k) * (draws - k) / ((k + 1.0) * (right - draws + k + 1.0))
    };
    let upwards = || outwards((mode..most).map(|k| (k + 1, ratio(k))));
    let downwards = || outwards((least..mode).rev().map(|k| (k, 1.0 / ratio(k))));
    let total = 1.0 + upwards().chain(downwards()).map(|(_, weight)| weight).sum::<f64>();
    let mut rest = dice.random::<f64>() * total - 1.0;
    if rest < 0.0 {
        return mode;
    }
    for (k, weight) in upwards().chain(downwards()) {
        rest -= weight;
        if rest < 0.0 {
            return k;
        }
    }
    mode
}

/// Weights from the mode outwards, as long as they are worth counting.
fn outwards(ratios: impl Iterator<Item = (u64, f64)>) -> impl Iterator<Item = (u64, f64)> {
    const NEGLIGIBLE: f64 = 1e-18;
    let weights = ratios.scan(1.0, |weight, (k, ratio)| {
        *weight *= ratio;
        Some((k, *weight))
    });
    weights.take_while(|&(_, weight)| weight > NEGLIGIBLE)
}
