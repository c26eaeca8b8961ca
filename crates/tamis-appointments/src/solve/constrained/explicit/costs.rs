//! What a cell costs, and how rows and columns share it.

use super::model::Model;

/// One cell of the size that is being minimised. Costs are whole numbers, so that bounds are exact.
pub(super) const UNIT: i64 = 1 << 20;

/// More than anything that can be: the cost of a cell that may not be. Sums that contain it stay above half of it.
pub(super) const IMPOSSIBLE: i64 = 1 << 52;

/// The largest weight or price of a cell in either direction; with at most 2^15 cells no sum comes near [`IMPOSSIBLE`].
pub(super) const DEAREST: i64 = 1 << 33;

/// Which vectors are looked for: these cells of sizes below the level's, and at most so many of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The cells of size 1, 2, ... below the level: proved to be the lexicographically smallest there is.
    pub(super) proved: Vec<u32>,
    /// How many cells of the next size there may be; none if any schedule will do.
    pub(super) most: Option<u32>,
}

impl Target {
    /// Any schedule.
    pub(super) fn any() -> Self {
        Self { proved: Vec::new(), most: None }
    }

    /// How many cells of this size there may be; any number if none is said.
    pub(super) fn most_of(&self, size: usize) -> Option<u32> {
        match size.checked_sub(1)? {
            below if below < self.proved.len() => Some(self.proved[below]),
            level if level == self.proved.len() => self.most,
            _ => None,
        }
    }

    /// The largest size with a limit, 0 without any.
    pub(super) fn largest_limited(&self) -> usize {
        self.proved.len() + usize::from(self.most.is_some())
    }
}

/// The cost of every number of people that can come to every cell, split between its row and its column.
///
/// A cell of size s weighs `weights[s]`. Whatever a row pays for it, the column pays the rest, so that rows and columns may be
/// minimised apart and the sum of both minima is a bound on the whole.
#[derive(Clone)]
pub(super) struct Costs {
    weights: Vec<i64>,
    rows: usize,
    cells: Vec<Cell>,
    row_costs: Vec<i64>,
    column_costs: Vec<i64>,
}

/// Where the costs of a cell begin, for how many numbers of people, and how many people it has in any case.
#[derive(Clone, Copy)]
struct Cell {
    first: usize,
    width: usize,
    fixed: usize,
}

impl Costs {
    /// Costs for a target, shared alike.
    pub(super) fn new(model: &Model, target: &Target) -> Self {
        let mut cells = Vec::with_capacity(model.rows * model.slots.len());
        let mut first = 0;
        for (at, slot) in model.slots.iter().enumerate() {
            let mut most = vec![0; model.rows];
            for kind in model.kinds.iter().filter(|kind| kind.allowed[at]) {
                for &(row, people) in &kind.members {
                    most[row] += people * kind.count;
                }
            }
            for (most, &fixed) in most.into_iter().zip(&slot.fixed) {
                let width = most.min(slot.free) as usize + 1;
                cells.push(Cell { first, width, fixed: fixed as usize });
                first += width;
            }
        }
        let largest = cells.iter().map(|cell| cell.fixed + cell.width).max().unwrap_or(0);
        let weight = |size: usize| match target.most_of(size) {
            Some(0) => IMPOSSIBLE,
            Some(_) => UNIT,
            None => 0,
        };
        let mut costs = Self {
            weights: (0..=largest).map(weight).collect(),
            rows: model.rows,
            cells,
            row_costs: vec![0; first],
            column_costs: vec![0; first],
        };
        for number in 0..costs.cells.len() {
            let cell = costs.cells[number];
            for people in 0..cell.width {
                let weight = costs.weights[cell.fixed + people];
                let half = if weight < IMPOSSIBLE && cell.width > 1 { weight / 2 } else { weight };
                costs.row_costs[cell.first + people] = half;
                costs.column_costs[cell.first + people] = if cell.width > 1 { weight - half } else { 0 };
                if weight == IMPOSSIBLE && cell.width > 1 {
                    costs.column_costs[cell.first + people] = IMPOSSIBLE;
                }
            }
        }
        costs
    }

    fn cell(&self, slot: usize, row: usize) -> Cell {
        self.cells[slot * self.rows + row]
    }

    /// What the row pays for each number of people that come to the cell.
    pub(super) fn of_row(&self, slot: usize, row: usize) -> &[i64] {
        let cell = self.cell(slot, row);
        &self.row_costs[cell.first..cell.first + cell.width]
    }

    /// What the column pays.
    pub(super) fn of_column(&self, slot: usize, row: usize) -> &[i64] {
        let cell = self.cell(slot, row);
        &self.column_costs[cell.first..cell.first + cell.width]
    }

    /// The size of a cell to which so many people come.
    pub(super) fn size(&self, slot: usize, row: usize, people: u32) -> usize {
        self.cell(slot, row).fixed + people as usize
    }

    /// What a cell of this size costs row and column together.
    pub(super) fn weight(&self, size: usize) -> i64 {
        self.weights[size]
    }

    /// The cost that no vector of the target exceeds.
    pub(super) fn limit(&self, target: &Target) -> i64 {
        let sizes = 1..=target.largest_limited().min(self.weights.len() - 1);
        sizes.map(|size| i64::from(target.most_of(size).unwrap_or(0)) * (self.weights[size] % IMPOSSIBLE)).sum()
    }

    /// Lets the row pay more for a number of people and the column less, or the other way round.
    pub(super) fn shift(&mut self, slot: usize, row: usize, people: u32, by: i64) {
        let at = self.cell(slot, row).first + people as usize;
        let (row_cost, column_cost) = (self.row_costs[at] + by, self.column_costs[at] - by);
        if row_cost.abs() <= DEAREST && column_cost.abs() <= DEAREST {
            self.row_costs[at] = row_cost;
            self.column_costs[at] = column_cost;
        }
    }

    /// Makes cells of a size weigh more or less; the columns pay, or the row where nothing can be decided.
    pub(super) fn weigh(&mut self, size: usize, by: i64) {
        let weight = self.weights[size] + by;
        if weight.abs() > DEAREST {
            return;
        }
        self.weights[size] = weight;
        for cell in &self.cells {
            if let Some(people) = size.checked_sub(cell.fixed).filter(|&people| people < cell.width) {
                let costs = if cell.width > 1 { &mut self.column_costs } else { &mut self.row_costs };
                costs[cell.first + people] += by;
            }
        }
    }
}
