//! What was done to a board since some moment, so that it can be judged and undone.

use super::board::{Board, Move};
use std::collections::BTreeMap;

/// Moves done one after the other and what they did to the vector together.
#[derive(Debug, Default)]
pub(super) struct Journal {
    sizes: BTreeMap<u64, i64>,
    done: Vec<Move>,
    /// Where each group of moves done together begins.
    starts: Vec<usize>,
}

impl Journal {
    /// Notes moves that were done and what they did to the vector.
    pub(super) fn note(&mut self, sizes: &[(u64, i64)], moves: &[Move]) {
        for &(size, change) in sizes {
            let sum = self.sizes.entry(size).or_insert(0);
            *sum += change;
            if *sum == 0 {
                self.sizes.remove(&size);
            }
        }
        self.starts.push(self.done.len());
        self.done.extend_from_slice(moves);
    }

    /// Positive if the vector got larger (worse), negative if it got smaller, zero if it is as before.
    pub(super) fn worse(&self) -> i64 {
        self.sizes.first_key_value().map_or(0, |(_, &change)| change)
    }

    /// How many moves were done.
    pub(super) fn len(&self) -> usize {
        self.done.len()
    }

    /// Forgets everything: from now on counts.
    pub(super) fn clear(&mut self) {
        self.sizes.clear();
        self.done.clear();
        self.starts.clear();
    }

    /// Takes everything back.
    pub(super) fn undo(&mut self, board: &mut Board<'_>) {
        while let Some(start) = self.starts.pop() {
            let back = self.done.drain(start..).map(|step| Move { from: step.to, to: step.from, ..step });
            board.apply(&back.collect::<Vec<_>>());
        }
        self.sizes.clear();
    }
}
