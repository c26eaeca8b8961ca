//! Out of a dead end: a small cell is kicked elsewhere, what that upsets is put in order, and the result stays if it is no worse.

use super::anneal::propose_from;
use super::board::{Board, Preview};
use super::descent::{Depth, Descent};
use super::journal::Journal;
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand::{Rng, RngExt};
use std::collections::BTreeSet;

/// How many of the smallest cells may be kicked.
const SMALLEST: usize = 24;

/// How many kicks in a row may better nothing, for each of the smallest cells.
const IN_VAIN: usize = 40;

/// How many kicks are tried at most.
const KICKS: usize = 20_000;

/// Kicks small cells of a board that no single change betters, until the vector meets the bound, the looks are used up or many
/// kicks in a row were in vain.
pub(super) fn kick(
    board: &mut Board<'_>,
    lower_bound: &AnonymityVector,
    looks: u64,
    rng: &mut impl Rng,
    patience: &Patience,
) {
    let mut descent = Descent::new(looks, Depth::Hasty);
    let mut preview = Preview::default();
    let mut smallest = smallest_cells(board);
    let mut in_vain = 0;
    for _ in 0..KICKS {
        if descent.looks_left() == 0 || patience.is_over() || in_vain > IN_VAIN * smallest.len() {
            return;
        }
        in_vain += 1;
        let (_, row, slot) = smallest[rng.random_range(0..smallest.len())];
        let Some(moves) = propose_from(board, row, slot, rng) else { continue };
        if !board.preview(&moves, &mut preview) {
            continue;
        }
        let mut journal = Journal::default();
        journal.note(&preview.sizes, &moves);
        board.apply(&moves);
        let queue: BTreeSet<_> = board.touched(&moves).collect();
        descent.better(board, queue, patience, |sizes, moves| journal.note(sizes, moves));
        match journal.worse() {
            change if change > 0 => journal.undo(board),
            change => {
                smallest = smallest_cells(board);
                if change < 0 {
                    in_vain = 0;
                    if board.vector() <= *lower_bound {
                        return;
                    }
                }
            }
        }
    }
}

fn smallest_cells(board: &Board<'_>) -> Vec<(u64, usize, usize)> {
    let cells = board.rows.iter().enumerate();
    let mut cells: Vec<(u64, usize, usize)> =
        cells.flat_map(|(row, cells)| cells.iter().map(move |cell| (cell.people, row, cell.slot))).collect();
    if cells.len() > SMALLEST {
        cells.select_nth_unstable(SMALLEST);
        cells.truncate(SMALLEST);
    }
    cells.sort_unstable();
    cells
}
