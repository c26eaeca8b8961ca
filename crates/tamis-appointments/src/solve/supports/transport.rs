//! People moved around cycles of cells, so that every cell is between its least and its most.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};
use std::collections::VecDeque;

/// More than there are people, and small enough to be summed.
const UNLIMITED: i64 = 1 << 52;

/// A matrix whose rows and columns keep their sums, and limits for each of its cells.
///
/// The rows are those of the problem and one more, for the places that stay empty, so that every slot is full. A step raises some
/// cells and lowers as many around a closed way: raising a cell leads from its row to its slot, lowering it leads back.
#[derive(Debug, Clone)]
pub(super) struct Transport {
    rows: usize,
    slots: usize,
    row_sums: Vec<i64>,
    slot_sums: Vec<i64>,
    /// Row by row.
    cells: Vec<Cell>,
}

/// So many people, and how many they may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) people: i64,
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Cell {
    fn may_rise(&self) -> bool {
        self.people < self.most
    }

    fn may_fall(&self) -> bool {
        self.people > self.least
    }
}

/// Rows and slots that no way leads out of, which is why some cell cannot get within its limits.
#[derive(Debug)]
pub(super) struct Cut {
    is_reached: Vec<bool>,
}

/// A step from one row or slot to another, by this cell.
#[derive(Debug, Clone, Copy)]
struct Step {
    from: usize,
    to: usize,
    cell: usize,
    is_rise: bool,
}

impl Transport {
    /// The matrix of a schedule, with any number of people in any cell allowed.
    pub(super) fn new(problem: &Plain, schedule: &Schedule) -> Self {
        let (rows, slots) = (problem.frequencies.len(), problem.capacities.len());
        let signed = |numbers: &[u64]| numbers.iter().map(|&number| number.cast_signed()).collect::<Vec<_>>();
        let slot_sums = signed(&problem.capacities);
        let mut row_sums = signed(&problem.frequencies);
        row_sums.push(problem.slack().cast_signed());
        let mut people = vec![0; rows * slots];
        let mut empty = slot_sums.clone();
        for (row, placements) in schedule.rows.iter().enumerate() {
            for placement in placements {
                people[row * slots + placement.slot] += placement.units.cast_signed();
                empty[placement.slot] -= placement.units.cast_signed();
            }
        }
        let cells = people.into_iter().chain(empty).map(|people| Cell { people, least: 0, most: UNLIMITED }).collect();
        Self { rows, slots, row_sums, slot_sums, cells }
    }

    /// How many cells have people in them or could have.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.slots
    }

    pub(super) fn cell(&self, at: usize) -> Cell {
        self.cells[at]
    }

    /// Row and slot of a cell.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        (at / self.slots, at % self.slots)
    }

    /// No more people than this fit into a cell.
    pub(super) fn room(&self, at: usize) -> i64 {
        let (row, slot) = self.place(at);
        self.row_sums[row].min(self.slot_sums[slot])
    }

    pub(super) fn limit(&mut self, at: usize, least: i64, most: i64) {
        (self.cells[at].least, self.cells[at].most) = (least, most);
    }

    /// Any number of people from so many on.
    pub(super) fn at_least(&mut self, at: usize, least: i64) {
        self.limit(at, least, UNLIMITED);
    }

    /// Allows any number of people in any cell, and of empty places.
    pub(super) fn lift_limits(&mut self) {
        for cell in &mut self.cells {
            (cell.least, cell.most) = (0, UNLIMITED);
        }
    }

    /// Moves people until every cell is within its limits; says why if that is impossible.
    pub(super) fn settle(&mut self) -> Result<(), Cut> {
        for at in 0..self.cells.len() {
            let (row, slot) = (at / self.slots, self.rows + 1 + at % self.slots);
            loop {
                let Cell { people, least, most } = self.cells[at];
                let (missing, is_rise) = if people < least {
                    (least - people, true)
                } else if people > most {
                    (people - most, false)
                } else {
                    break;
                };
                let (from, to) = if is_rise { (slot, row) } else { (row, slot) };
                let way = self.way(from, to)?;
                let amount = way.iter().map(|step| self.amount(*step)).min().unwrap_or(0).min(missing);
                self.go(&way, amount);
                self.cells[at].people += if is_rise { amount } else { -amount };
            }
        }
        Ok(())
    }

    /// How many people a step may move.
    fn amount(&self, step: Step) -> i64 {
        let cell = &self.cells[step.cell];
        if step.is_rise { cell.most - cell.people } else { cell.people - cell.least }
    }

    fn go(&mut self, way: &[Step], amount: i64) {
        for step in way {
            self.cells[step.cell].people += if step.is_rise { amount } else { -amount };
        }
    }

    /// The shortest way that the limits allow between two of the rows and slots, from its end to its beginning.
    fn way(&self, from: usize, to: usize) -> Result<Vec<Step>, Cut> {
        let nodes = self.rows + 1 + self.slots;
        let mut reached: Vec<Option<Step>> = vec![None; nodes];
        let mut is_reached = vec![false; nodes];
        is_reached[from] = true;
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            if node == to {
                let mut way = Vec::new();
                let mut at = to;
                while let Some(step) = reached[at].filter(|_| at != from) {
                    way.push(step);
                    at = step.from;
                }
                return Ok(way);
            }
            let mut reach = |step: Step| {
                if !is_reached[step.to] {
                    is_reached[step.to] = true;
                    reached[step.to] = Some(step);
                    waiting.push_back(step.to);
                }
            };
            if node <= self.rows {
                for slot in 0..self.slots {
                    let cell = node * self.slots + slot;
                    if self.cells[cell].may_rise() {
                        reach(Step { from: node, to: self.rows + 1 + slot, cell, is_rise: true });
                    }
                }
            } else {
                for row in 0..=self.rows {
                    let cell = row * self.slots + node - self.rows - 1;
                    if self.cells[cell].may_fall() {
                        reach(Step { from: node, to: row, cell, is_rise: false });
                    }
                }
            }
        }
        Err(Cut { is_reached })
    }

    /// The most that the least of all chosen cells can be, as far as a cut tells; none if nothing would be enough.
    ///
    /// What the slots on the near side hold beyond the people of its rows comes from other rows, and is at least the sum of the
    /// least numbers of those cells: a bound for the chosen ones among them.
    pub(super) fn most_by(&self, cut: &Cut, is_chosen: &[bool]) -> Option<i64> {
        let mut room: i64 = 0;
        let mut chosen = 0;
        for slot in (0..self.slots).filter(|slot| cut.is_reached[self.rows + 1 + slot]) {
            room += self.slot_sums[slot];
        }
        for row in (0..=self.rows).filter(|&row| cut.is_reached[row]) {
            room -= self.row_sums[row];
        }
        for (at, cell) in self.cells.iter().enumerate() {
            let (row, slot) = (at / self.slots, self.rows + 1 + at % self.slots);
            match (cut.is_reached[row], cut.is_reached[slot]) {
                (true, false) => room += cell.most,
                (false, true) if is_chosen.get(at).copied().unwrap_or(false) => chosen += 1,
                (false, true) => room -= cell.least,
                _ => {}
            }
        }
        (chosen > 0 && room >= 0).then(|| room / chosen)
    }

    /// Makes as few of the chosen cells as possible have no more people than their least, which is `size` for all of them, and limits
    /// all cells to what they can be in any matrix that has as few. Cells that cannot have more than one person more are chosen no
    /// longer. Returns how many of these have `size` people, which are all that have, and how many have one more.
    ///
    /// With a price of one for such a cell this is a flow of least cost: prices are convex, so that a matrix is best when no closed
    /// way of single people lowers its cost. Distances along ways then say for each cell what it is in all best matrices
    /// (complementary slackness).
    pub(super) fn least_at(&mut self, size: i64, is_chosen: &mut [bool]) -> (u64, u64) {
        let distances = loop {
            match self.distances(size, is_chosen) {
                Ok(distances) => break distances,
                Err(cycle) => self.go(&cycle, 1),
            }
        };
        let (mut at_size, mut at_next) = (0, 0);
        for (at, cell) in self.cells.iter_mut().enumerate() {
            let slope = distances[self.rows + 1 + at % self.slots] - distances[at / self.slots];
            if is_chosen.get(at).copied().unwrap_or(false) {
                if slope < 0 {
                    at_size += u64::from(cell.people == size);
                    at_next += u64::from(cell.people > size);
                    is_chosen[at] = false;
                    cell.most = if slope < -1 { size } else { size + 1 };
                } else {
                    cell.least = size + 1;
                }
            } else if slope > 0 {
                cell.least = cell.most;
            } else if slope < 0 {
                cell.most = cell.least;
            }
        }
        (at_size, at_next)
    }

    /// The costs of the cheapest ways to every row and slot, or a closed way that lowers the cost (Bellman and Ford).
    fn distances(&self, size: i64, is_chosen: &[bool]) -> Result<Vec<i64>, Vec<Step>> {
        let mut steps = Vec::new();
        for (at, cell) in self.cells.iter().enumerate() {
            let is_priced = is_chosen.get(at).copied().unwrap_or(false);
            let (row, slot) = (at / self.slots, self.rows + 1 + at % self.slots);
            if cell.may_rise() {
                let cost = if is_priced && cell.people == size { -1 } else { 0 };
                steps.push((Step { from: row, to: slot, cell: at, is_rise: true }, cost));
            }
            if cell.may_fall() {
                let cost = i64::from(is_priced && cell.people == size + 1);
                steps.push((Step { from: slot, to: row, cell: at, is_rise: false }, cost));
            }
        }
        let nodes = self.rows + 1 + self.slots;
        let mut distances = vec![0; nodes];
        let mut last: Vec<Option<Step>> = vec![None; nodes];
        let mut changed = None;
        for _ in 0..=nodes {
            changed = None;
            for &(step, cost) in &steps {
                let distance = distances[step.from] + cost;
                if distance < distances[step.to] {
                    distances[step.to] = distance;
                    last[step.to] = Some(step);
                    changed = Some(step.to);
                }
            }
            if changed.is_none() {
                return Ok(distances);
            }
        }
        // As many steps back as there are rows and slots lead into the closed way.
        let back = |node: usize| last[node].map_or(node, |step| step.from);
        let start = (0..nodes).fold(changed.unwrap_or(0), |node, _| back(node));
        let mut cycle = Vec::new();
        let mut node = start;
        while let Some(step) = last[node] {
            cycle.push(step);
            node = step.from;
            if node == start {
                break;
            }
        }
        Err(cycle)
    }

    /// The schedule of this matrix.
    pub(super) fn schedule(&self) -> Schedule {
        let placements = |row: &[Cell]| {
            let used = row.iter().enumerate().filter(|(_, cell)| cell.people > 0);
            used.map(|(slot, cell)| Placement { slot, units: cell.people.cast_unsigned() }).collect()
        };
        Schedule { rows: self.cells.chunks(self.slots).take(self.rows).map(placements).collect() }
    }
}
