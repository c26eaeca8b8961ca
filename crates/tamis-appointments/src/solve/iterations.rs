//! The iterations of the paper's Algorithm 1, as its Table 8 shows them.
//!
//! Iteration l of the algorithm looks for a schedule with as few cells of l people as possible among those that have the least
//! numbers of smaller cells. Tamis finds the optimum at once, and that is an answer of every iteration; but shown again and again it
//! would not tell what an iteration decides. So each iteration shows a schedule of which nothing but the first l components is
//! optimal: of all that have them one with the least anonymous rest, and of these the first when rows are read one after the other.
//! Where there are too many schedules to look at, the optimum stands for them.

use super::{Patience, Solution, bounds};
use crate::instance::{Instance, Plain};
use crate::vector::AnonymityVector;

/// What an iteration of Algorithm 1 decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// The size of cells whose number it makes as small as possible.
    pub level: u64,
    /// People by quasi-identifier value and slot.
    pub matrix: Vec<Vec<u64>>,
    /// The components decided so far: `anom` of the paper.
    pub decided: Vec<u64>,
    /// The vector of the matrix, up to the largest cell there can be: `v` of the paper.
    pub vector: Vec<u64>,
    /// Whether the matrix is the optimum because there are too many schedules to look at.
    pub is_optimum: bool,
}

/// So many cells are filled in before the optimum stands for an iteration, and so many in all.
const STEPS: u64 = 1_000_000;
const STEPS_IN_ALL: u64 = 5_000_000;

/// The walk goes as deep as there are cells.
const MOST_CELLS: usize = 2_000;

/// A schedule of many sizes takes longer to compare: so many sizes are one more step.
const SIZES_PER_STEP: usize = 64;

/// The iterations that lead to a solution of single people with or without allowed slots, as far as it is proved: no more than so many, and
/// no more than hold this many numbers. When patience is over, the optimum stands for those that are left.
pub fn iterations(
    instance: &Instance,
    solution: &Solution,
    (most, most_numbers): (usize, u64),
    patience: &Patience,
) -> Vec<Iteration> {
    let people = instance.people();
    let longest = bounds::largest_cell(&instance.relaxed());
    let cells = (instance.quasi_ids as u64).saturating_mul(instance.capacities.len() as u64);
    let mut numbers_left = most_numbers;
    let optimum = solution.schedule.matrix(instance);
    let mut iterations = Vec::new();
    let mut decided = Vec::new();
    let mut steps_left = STEPS_IN_ALL;
    for level in (1..=solution.proved_up_to()).take(most) {
        let numbers = cells.saturating_add(longest).saturating_add(level);
        let Some(left) = numbers_left.checked_sub(numbers) else { break };
        numbers_left = left;
        decided.push(solution.vector.cells_of_size(level));
        let found = Walk::new(instance, &decided, &mut steps_left, patience).least_anonymous();
        let is_optimum = found.is_none();
        let matrix = found.unwrap_or_else(|| optimum.clone());
        let vector = AnonymityVector::of_sizes(matrix.iter().flatten().copied().filter(|&size| size > 0));
        let vector = (1..=longest).map(|size| vector.cells_of_size(size)).collect();
        iterations.push(Iteration { level, matrix, decided: decided.clone(), vector, is_optimum });
        if (1..).zip(&decided).map(|(size, cells): (u64, &u64)| size * cells).sum::<u64>() >= people {
            break;
        }
    }
    iterations
}

/// A walk through all schedules with these first components, cell by cell, in the order of rows.
struct Walk<'a> {
    instance: &'a Instance,
    decided: &'a [u64],
    free: Vec<u64>,
    matrix: Vec<Vec<u64>>,
    /// How many cells of each size there are; position 0 is not used.
    cells: Vec<u64>,
    best: Option<(Vec<u64>, Vec<Vec<u64>>)>,
    steps_left: u64,
    patience: &'a Patience,
}

impl<'a> Walk<'a> {
    fn new(instance: &'a Instance, decided: &'a [u64], steps_left: &mut u64, patience: &'a Patience) -> Self {
        let slots = instance.capacities.len();
        let Plain { frequencies, .. } = instance.relaxed();
        let largest = frequencies.iter().copied().max().unwrap_or(0).max(decided.len() as u64);
        let is_small = frequencies.len().saturating_mul(slots) <= MOST_CELLS && largest <= STEPS;
        let steps = if is_small { STEPS.min(*steps_left) } else { 0 };
        *steps_left -= steps;
        Self {
            instance,
            decided,
            free: instance.capacities.clone(),
            matrix: if is_small { vec![vec![0; slots]; frequencies.len()] } else { Vec::new() },
            cells: vec![0; if is_small { largest as usize + 1 } else { 0 }],
            best: None,
            steps_left: steps,
            patience,
        }
    }

    /// The schedule with the least anonymous rest; none if there are too many to look at.
    fn least_anonymous(mut self) -> Option<Vec<Vec<u64>>> {
        let is_single =
            self.instance.is_one_unit_per_quasi_id() && self.instance.units.iter().all(|unit| unit.size() == 1);
        if !is_single || self.steps_left == 0 || self.patience.is_over() || !self.instance.mixing.is_empty() {
            return None;
        }
        let first = self.instance.units.first().map_or(0, |unit| unit.count);
        self.fill(0, 0, first).then_some(())?;
        self.best.map(|(_, matrix)| matrix)
    }

    /// Fills the cells from this one on, with so many people of the row left; whether there was time for all ways.
    fn fill(&mut self, row: usize, slot: usize, left: u64) -> bool {
        if !self.steps(1) {
            return false;
        }
        if slot == self.free.len() {
            return left > 0 || self.next_row(row + 1);
        }
        let is_allowed = self.instance.units[row].allowed.contains(slot);
        let most = if is_allowed { left.min(self.free[slot]) } else { 0 };
        for size in 0..=most {
            let at = size as usize;
            if size > 0 && self.decided.get(at - 1).is_some_and(|&cells| self.cells[at] == cells) {
                if !self.steps(1) {
                    return false;
                }
                continue;
            }
            self.matrix[row][slot] = size;
            self.cells[at] += 1;
            self.free[slot] -= size;
            let is_done = self.fill(row, slot + 1, left - size);
            self.free[slot] += size;
            self.cells[at] -= 1;
            if !is_done {
                return false;
            }
        }
        self.matrix[row][slot] = 0;
        true
    }

    /// Takes so many steps; whether there was time for them.
    fn steps(&mut self, steps: u64) -> bool {
        const BETWEEN_LOOKS: u64 = 1 << 12;
        let before = self.steps_left;
        self.steps_left = before.saturating_sub(steps);
        let is_time_to_look = before / BETWEEN_LOOKS != self.steps_left / BETWEEN_LOOKS;
        self.steps_left > 0 && !(is_time_to_look && self.patience.is_over())
    }

    fn next_row(&mut self, row: usize) -> bool {
        if let Some(unit) = self.instance.units.get(row) {
            return self.fill(row, 0, unit.count);
        }
        if !self.steps((self.cells.len() / SIZES_PER_STEP) as u64) {
            return false;
        }
        let vector = &self.cells[1..];
        let is_better = self.best.as_ref().is_none_or(|(best, _)| vector > best.as_slice());
        if vector.starts_with(self.decided) && is_better {
            self.best = Some((vector.to_vec(), self.matrix.clone()));
        }
        true
    }
}
