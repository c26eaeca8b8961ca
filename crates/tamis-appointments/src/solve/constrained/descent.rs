//! From small cells to large ones: every cell looks for the change that betters the vector most.

use super::board::{Board, Move, Preview};
use crate::solve::Patience;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A descent. For each cell, smallest first, it looks for the change that makes the vector smallest: its people join others of
/// their quasi-identifier in another slot, or others join them; who is then too many in a slot makes way, alone or two
/// quasi-identifiers together, to where the first came from or to a slot where more of their own are, and there somebody else
/// may have to make way once more.
///
/// A change is first weighed by the sizes of the cells it touches; only one that betters the best so far is worked out person by
/// person and checked against capacities and rules.
pub(super) struct Descent {
    /// How much may still be looked at.
    looks: u64,
    depth: Depth,
    plan: Vec<Step>,
    estimate: Vec<(u64, i64)>,
    moves: Vec<Move>,
    preview: Preview,
    best: Option<Change>,
}

/// What moves do to the vector, and the moves.
type Change = (Vec<(u64, i64)>, Vec<Move>);

/// How far a descent looks for a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The first change that betters the vector is taken, and who makes way finds room.
    Hasty,
    /// The best change is taken, and who makes way may find somebody else who makes way.
    Thorough,
}

/// So many people of a quasi-identifier go from one slot to another.
#[derive(Clone, Copy)]
struct Step {
    row: usize,
    from: usize,
    to: usize,
    people: u64,
}

/// What those who make way must know.
#[derive(Clone, Copy)]
struct Way {
    /// Who caused it; they stay.
    row: usize,
    /// Where the first came from, and how much room there is then.
    back: usize,
    back_room: u64,
    /// How many people are too many.
    excess: u64,
    /// Whether those who make way for these may in turn be made way for.
    may_go_on: bool,
}

impl Descent {
    /// A descent that looks at so many changes at most.
    pub(super) fn new(looks: u64, depth: Depth) -> Self {
        Self {
            looks,
            depth,
            plan: Vec::new(),
            estimate: Vec::new(),
            moves: Vec::new(),
            preview: Preview::default(),
            best: None,
        }
    }

    /// Betters the board until nothing found betters it further or the looks are used up.
    pub(super) fn run(&mut self, board: &mut Board<'_>, patience: &Patience) {
        loop {
            let cells = board.rows.iter().enumerate();
            let queue = cells.flat_map(|(row, cells)| cells.iter().map(move |cell| (cell.people, row, cell.slot)));
            if !self.better(board, queue.collect(), patience, |_, _| {}) {
                return;
            }
        }
    }

    /// How many looks are left.
    pub(super) fn looks_left(&self) -> u64 {
        self.looks
    }

    /// Betters the board starting with these cells (size, quasi-identifier, slot) and those touched on the way; whether it did.
    /// Every change taken is told with what it does to the vector.
    pub(super) fn better(
        &mut self,
        board: &mut Board<'_>,
        mut queue: BTreeSet<(u64, usize, usize)>,
        patience: &Patience,
        mut tell: impl FnMut(&[(u64, i64)], &[Move]),
    ) -> bool {
        let mut is_better = false;
        while let Some((people, row, slot)) = queue.pop_first() {
            if self.looks == 0 || patience.is_over() {
                return false;
            }
            if board.people(row, slot) != people {
                continue;
            }
            let Some((sizes, moves)) = self.best_change(board, row, slot, people) else { continue };
            board.apply(&moves);
            tell(&sizes, &moves);
            is_better = true;
            queue.extend(board.touched(&moves));
        }
        is_better
    }

    /// Whether nothing more need be looked at for a cell.
    fn is_content(&self) -> bool {
        self.looks == 0 || (self.depth == Depth::Hasty && self.best.is_some())
    }

    /// The best change found that starts with a cell.
    fn best_change(&mut self, board: &Board<'_>, row: usize, slot: usize, people: u64) -> Option<Change> {
        self.best = None;
        for other in board.rows[row].iter().filter(|other| other.slot != slot) {
            if self.is_content() {
                break;
            }
            self.change_from(board, Step { row, from: slot, to: other.slot, people });
            let even = other.people.saturating_sub(people) / 2;
            for joining in [other.people, even, 1] {
                if joining > 0 && (joining == other.people || joining <= even) {
                    self.change_from(board, Step { row, from: other.slot, to: slot, people: joining });
                }
            }
        }
        self.best.take()
    }

    /// Looks at changes that begin with a step.
    fn change_from(&mut self, board: &Board<'_>, first: Step) {
        let arriving = if board.kinds.has_families {
            self.moves.clear();
            self.looks = self.looks.saturating_sub(4);
            if !board.gather(first.row, first.from, first.to, first.people, &mut self.moves) {
                return;
            }
            self.moves.iter().map(|step| board.kinds.kinds[step.kind].size * step.units).sum()
        } else {
            first.people
        };
        self.plan.clear();
        self.plan.push(first);
        let excess = arriving.saturating_sub(board.room(first.to));
        if excess == 0 {
            self.look(board);
        }
        let back_room = board.room(first.from) + arriving;
        self.make_way(
            board,
            first.to,
            Way { row: first.row, back: first.from, back_room, excess, may_go_on: self.depth == Depth::Thorough },
        );
    }

    /// Somebody leaves an overfull slot: whole cells or just those who are too many.
    fn make_way(&mut self, board: &Board<'_>, slot: usize, way: Way) {
        for &row in board.columns[slot].iter().filter(|&&row| row != way.row) {
            if self.is_content() {
                return;
            }
            let here = board.people(row, slot);
            if here < way.excess {
                self.leave_in_pairs(board, slot, row, way);
                continue;
            }
            self.leave(board, slot, row, here, way);
            if way.excess > 0 && way.excess < here {
                self.leave(board, slot, row, way.excess, way);
            }
        }
    }

    /// People leave a slot for where there is room: where the first came from, or where more of their own are.
    fn leave(&mut self, board: &Board<'_>, slot: usize, row: usize, people: u64, way: Way) {
        if people <= way.back_room {
            self.plan.push(Step { row, from: slot, to: way.back, people });
            self.look(board);
            self.plan.pop();
        }
        for own in board.rows[row].iter().filter(|own| own.slot != slot && own.slot != way.back) {
            let room = board.room(own.slot);
            self.plan.push(Step { row, from: slot, to: own.slot, people });
            if room >= people {
                self.look(board);
            } else if way.may_go_on {
                self.make_way(board, own.slot, Way { row, excess: people - room, may_go_on: false, ..way });
            }
            self.plan.pop();
        }
    }

    /// A whole small cell leaves together with another one that makes up the number.
    fn leave_in_pairs(&mut self, board: &Board<'_>, slot: usize, row: usize, way: Way) {
        let here = board.people(row, slot);
        let missing = way.excess - here;
        self.plan.push(Step { row, from: slot, to: way.back, people: here });
        for &second in board.columns[slot].iter().filter(|&&second| second > row && second != way.row) {
            let there = board.people(second, slot);
            if there < missing {
                continue;
            }
            for people in [there, missing] {
                if here + people <= way.back_room {
                    self.plan.push(Step { row: second, from: slot, to: way.back, people });
                    self.look(board);
                    self.plan.pop();
                }
            }
        }
        self.plan.pop();
    }

    /// Keeps the planned change if it betters the vector more than those before, and can be done.
    fn look(&mut self, board: &Board<'_>) {
        self.looks = self.looks.saturating_sub(1);
        self.weigh(board);
        let promises = match (&self.best, board.kinds.has_families) {
            (Some((known, _)), false) => super::board::compare_changes(&self.estimate, known),
            _ => super::board::compare_changes(&self.estimate, &[]),
        };
        if promises != Ordering::Less {
            return;
        }
        self.moves.clear();
        for step in &self.plan {
            let units = board.cell(step.row, step.from).map_or(0, |cell| cell.units.len());
            self.looks = self.looks.saturating_sub(units as u64 / 8);
            if !board.gather(step.row, step.from, step.to, step.people, &mut self.moves) {
                return;
            }
        }
        self.looks = self.looks.saturating_sub(self.moves.len() as u64);
        if !board.preview(&self.moves, &mut self.preview) || self.preview.order() != Ordering::Less {
            return;
        }
        if self.best.as_ref().is_none_or(|(known, _)| self.preview.is_better_than(known)) {
            self.best = Some((self.preview.sizes.clone(), self.moves.clone()));
        }
    }

    /// What the plan does to the vector if nobody but the people it names moves.
    fn weigh(&mut self, board: &Board<'_>) {
        self.estimate.clear();
        for (number, step) in self.plan.iter().enumerate() {
            for slot in [step.from, step.to] {
                let change = |other: &Step| {
                    let people = other.people as i64;
                    if other.row != step.row {
                        0
                    } else if other.from == slot {
                        -people
                    } else if other.to == slot {
                        people
                    } else {
                        0
                    }
                };
                // A cell touched by two steps counts once, at the first of them.
                let touches = |other: &Step| other.row == step.row && (other.from == slot || other.to == slot);
                if self.plan[..number].iter().any(touches) {
                    continue;
                }
                let before = board.people(step.row, slot);
                let after = before.saturating_add_signed(self.plan.iter().map(change).sum());
                super::board::add_size(&mut self.estimate, before, -1);
                super::board::add_size(&mut self.estimate, after, 1);
            }
        }
        self.estimate.retain(|&(_, change)| change != 0);
        self.estimate.sort_unstable();
    }
}
