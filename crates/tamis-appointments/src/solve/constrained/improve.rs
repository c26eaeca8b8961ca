//! A schedule made better step by step, every step meeting every condition.

use super::anneal::anneal;
use super::board::{Board, Move, Preview};
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// How many changes are looked at in all, for each start.
const LOOKS: u64 = 3_000_000;

/// How many starts are bettered.
const STARTS: usize = 3;

/// Problems up to so many people are also annealed.
const ANNEALED_PEOPLE: u64 = 400;

/// The best schedule that descents from the best starts and, for small problems, annealing lead to. Stops at the bound.
pub(super) fn improve<'a>(
    first: Board<'a>,
    others: Vec<Board<'a>>,
    lower_bound: &AnonymityVector,
    rng: &mut ChaCha8Rng,
    patience: &Patience,
) -> Board<'a> {
    let mut best = first;
    Descent::new(LOOKS).run(&mut best, patience);
    let mut vector = best.vector();
    for mut board in others.into_iter().take(STARTS - 1) {
        if vector <= *lower_bound || patience.is_over() {
            return best;
        }
        Descent::new(LOOKS).run(&mut board, patience);
        if board.vector() < vector {
            vector = board.vector();
            best = board;
        }
    }
    if vector > *lower_bound && best.kinds.people() <= ANNEALED_PEOPLE {
        let mut annealed = anneal(&best, lower_bound, rng, patience);
        Descent::new(LOOKS).run(&mut annealed, patience);
        if annealed.vector() < vector {
            return annealed;
        }
    }
    best
}

/// A descent from small cells to large ones. For each cell it looks for the change that makes the vector smallest: its people join
/// others of their quasi-identifier in another slot, or others join them; who is then too many in a slot makes way, alone or two
/// quasi-identifiers together, to where the first came from or to a slot where more of their own are, and there somebody else may
/// have to make way once more.
pub(super) struct Descent {
    looks: u64,
    preview: Preview,
    best: Option<(Vec<(u64, i64)>, Vec<Move>)>,
    moves: Vec<Move>,
}

impl Descent {
    pub(super) fn new(looks: u64) -> Self {
        Self { looks, preview: Preview::default(), best: None, moves: Vec::new() }
    }

    /// Betters the board until nothing found betters it further or the looks are used up.
    pub(super) fn run(&mut self, board: &mut Board<'_>, patience: &Patience) {
        loop {
            let cells = board.rows.iter().enumerate();
            let mut queue: BTreeSet<(u64, usize, usize)> = cells
                .flat_map(|(quasi_id, row)| row.iter().map(move |cell| (cell.people, quasi_id, cell.slot)))
                .collect();
            let mut is_better = false;
            while let Some((people, quasi_id, slot)) = queue.pop_first() {
                if self.looks == 0 || patience.is_over() {
                    return;
                }
                if board.people(quasi_id, slot) != people {
                    continue;
                }
                if let Some(moves) = self.best_change(board, quasi_id, slot, people) {
                    board.apply(&moves);
                    is_better = true;
                    for step in &moves {
                        for &(row, _) in &board.kinds.kinds[step.kind].parts {
                            for slot in [step.from, step.to] {
                                queue.extend(board.cell(row, slot).map(|cell| (cell.people, row, slot)));
                            }
                        }
                    }
                }
            }
            if !is_better {
                return;
            }
        }
    }

    /// The best change found that starts with a cell.
    fn best_change(&mut self, board: &Board<'_>, quasi_id: usize, slot: usize, people: u64) -> Option<Vec<Move>> {
        self.best = None;
        for other in &board.rows[quasi_id] {
            if other.slot == slot {
                continue;
            }
            self.change_from(board, quasi_id, slot, other.slot, people);
            let even = other.people.saturating_sub(people) / 2;
            for joining in [other.people, even, 1] {
                if joining > 0 && (joining == other.people || joining <= even) {
                    self.change_from(board, quasi_id, other.slot, slot, joining);
                }
            }
        }
        self.best.take().map(|(_, moves)| moves)
    }

    /// Looks at changes that begin by sending so many people from one slot to another.
    fn change_from(&mut self, board: &Board<'_>, quasi_id: usize, from: usize, to: usize, people: u64) {
        self.moves.clear();
        let mut moves = std::mem::take(&mut self.moves);
        if board.gather(quasi_id, from, to, people, &mut moves) {
            let arriving: u64 = moves.iter().map(|step| board.kinds.kinds[step.kind].size * step.units).sum();
            let excess = arriving.saturating_sub(board.room(to));
            if excess == 0 {
                self.look(board, &moves);
            }
            let way = Way { quasi_id, back: from, back_room: board.room(from) + arriving, excess };
            self.make_way(board, to, &way, &mut moves, 0);
        }
        self.moves = moves;
    }

    /// Somebody leaves an overfull slot: whole cells or just those who are too many.
    fn make_way(&mut self, board: &Board<'_>, slot: usize, way: &Way, moves: &mut Vec<Move>, depth: u32) {
        for &row in &board.columns[slot] {
            if row == way.quasi_id || self.looks == 0 {
                continue;
            }
            let here = board.people(row, slot);
            let just_enough = (way.excess > 0 && way.excess < here).then_some(way.excess);
            for leaving in [Some(here), just_enough].into_iter().flatten() {
                if leaving < way.excess {
                    self.pair(board, slot, row, way, moves);
                } else {
                    self.leave(board, slot, row, leaving, way, moves, depth);
                }
            }
        }
    }

    /// People leave a slot for where there is room: where the first came from, or where more of their own are.
    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        board: &Board<'_>,
        slot: usize,
        row: usize,
        leaving: u64,
        way: &Way,
        moves: &mut Vec<Move>,
        depth: u32,
    ) {
        let start = moves.len();
        if leaving <= way.back_room && board.gather(row, slot, way.back, leaving, moves) {
            self.look(board, moves);
            moves.truncate(start);
        }
        for own in &board.rows[row] {
            if own.slot == slot || own.slot == way.back || self.looks == 0 {
                continue;
            }
            let room = board.room(own.slot);
            if room >= leaving {
                if board.gather(row, slot, own.slot, leaving, moves) {
                    self.look(board, moves);
                }
            } else if depth == 0 && board.gather(row, slot, own.slot, leaving, moves) {
                let further = Way { quasi_id: row, excess: leaving - room, ..*way };
                self.make_way(board, own.slot, &further, moves, 1);
            }
            moves.truncate(start);
        }
    }

    /// A whole small cell leaves together with another one that makes up the number.
    fn pair(&mut self, board: &Board<'_>, slot: usize, row: usize, way: &Way, moves: &mut Vec<Move>) {
        let start = moves.len();
        let here = board.people(row, slot);
        if here > way.back_room || !board.gather(row, slot, way.back, here, moves) {
            return;
        }
        let middle = moves.len();
        let missing = way.excess - here;
        for &second in &board.columns[slot] {
            let there = board.people(second, slot);
            if second <= row || second == way.quasi_id || there < missing || self.looks == 0 {
                continue;
            }
            for leaving in [there, missing] {
                if here + leaving <= way.back_room && board.gather(second, slot, way.back, leaving, moves) {
                    self.look(board, moves);
                }
                moves.truncate(middle);
            }
        }
        moves.truncate(start);
    }

    /// Keeps a change if it betters the vector more than those before.
    fn look(&mut self, board: &Board<'_>, moves: &[Move]) {
        self.looks = self.looks.saturating_sub(1);
        if !board.preview(moves, &mut self.preview) || self.preview.order() != Ordering::Less {
            return;
        }
        let is_best = self.best.as_ref().is_none_or(|(known, _)| self.preview.is_better_than(known));
        if is_best {
            self.best = Some((self.preview.sizes.clone(), moves.to_vec()));
        }
    }
}

/// What those who make way must know.
#[derive(Clone, Copy)]
struct Way {
    /// Who caused it; they stay.
    quasi_id: usize,
    /// Where the first came from, and how much room there is then.
    back: usize,
    back_room: u64,
    /// How many people are too many.
    excess: u64,
}
