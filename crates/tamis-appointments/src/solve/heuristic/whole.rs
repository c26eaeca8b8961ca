//! Rows filled by whole columns, or columns by whole rows.

use super::stock::Stock;
use rand::Rng;
use rand::seq::SliceRandom;

/// Lines that are filled exactly by whole lines of the other kind, and what is left of both.
#[derive(Debug, Default)]
pub(super) struct Filling {
    /// The filled lines with those that fill them.
    pub(super) filled: Vec<(usize, Vec<usize>)>,
    /// Lines that are left to be filled.
    pub(super) bins_left: Vec<usize>,
    /// Lines that are left to fill them.
    pub(super) items_left: Vec<usize>,
}

/// Fills bins with items one after the other, all but the last `keep`. Items are drawn in proportion to what there is
/// of every size, so that what is left is as varied as the whole and can still be scheduled well. None if more than
/// `give_up` bins could not be filled.
pub(super) fn fill(
    bins: &[(usize, u64)],
    items: &[(usize, u64)],
    keep: usize,
    give_up: usize,
    dice: &mut impl Rng,
) -> Option<Filling> {
    let mut stock = Stock::new(items);
    let mut order = bins.to_vec();
    order.shuffle(dice);
    let mut filling = Filling::default();
    let to_fill = bins.len().saturating_sub(keep);
    for (bin, size) in order {
        let filled = if filling.filled.len() < to_fill { fill_one(&mut stock, size, dice) } else { None };
        match filled {
            Some(items) => filling.filled.push((bin, items)),
            None if filling.bins_left.len() < give_up => filling.bins_left.push(bin),
            None => return None,
        }
    }
    filling.items_left = stock.into_items();
    Some(filling)
}

/// Takes items that fill a bin of this size exactly: random ones until about three more are missing, then one, two or
/// three that fit. Takes none if such were not found.
fn fill_one(stock: &mut Stock, size: u64, dice: &mut impl Rng) -> Option<Vec<usize>> {
    const TRIES: usize = 6;
    const MISFITS: usize = 8;
    let mut taken = Vec::new();
    let mut left = size;
    for _ in 0..TRIES {
        let mut misfits = 0;
        while left > stock.mean() * 5 / 2 && misfits < MISFITS {
            let Some(kind) = stock.draw(dice) else { break };
            if stock.size(kind) > left {
                misfits += 1;
            } else {
                stock.take(kind);
                taken.push(kind);
                left -= stock.size(kind);
            }
        }
        if let Some(kinds) = stock.completion(left, dice) {
            for &kind in &kinds {
                stock.take(kind);
            }
            return Some(taken.into_iter().chain(kinds).filter_map(|kind| stock.deliver(kind)).collect());
        }
        // Others instead of the last two may be completed.
        for kind in taken.drain(taken.len().saturating_sub(2)..) {
            stock.give_back(kind);
            left += stock.size(kind);
        }
    }
    for kind in taken {
        stock.give_back(kind);
    }
    None
}
