//! A schedule as a matrix that exchanges of people can be tried on.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// People by quasi-identifier value (rows) and slot (columns), every column filled to its capacity: places that stay empty are
/// those of a last row, whose cells nobody minds.
#[derive(Clone)]
pub(super) struct Board {
    columns: usize,
    /// the row of empty places
    empty_row: usize,
    people: Vec<u64>,
    /// the cells that are not zero, in no order
    cells: Vec<Cell>,
    /// where in `cells` a position is
    place_of: Vec<u32>,
}

/// Where a cell is; kept apart because dividing positions would be most of the work of an exchange.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: u32,
    column: u32,
}

/// `amount` people of two rows exchange their columns: those of the first cell go to the second one's column and the other way
/// round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exchange {
    /// the two cells that lose people, then the two that get them
    pub(super) positions: [usize; 4],
    pub(super) amount: u64,
}

impl Board {
    pub(super) fn new(problem: &Plain, schedule: &Schedule) -> Self {
        let columns = problem.capacities.len();
        let rows = problem.frequencies.len();
        let mut people = vec![0; (rows + 1) * columns];
        people[rows * columns..].copy_from_slice(&problem.capacities);
        for (row, placements) in schedule.rows.iter().enumerate() {
            for placement in placements {
                people[row * columns + placement.slot] += placement.units;
                people[rows * columns + placement.slot] -= placement.units;
            }
        }
        let mut board = Self { columns, empty_row: rows, place_of: vec![0; people.len()], people, cells: Vec::new() };
        for position in 0..board.people.len() {
            if board.people[position] > 0 {
                board.remember(position);
            }
        }
        board
    }

    pub(super) fn schedule(&self) -> Schedule {
        let placements = |row: usize| {
            let cells = self.people[row * self.columns..(row + 1) * self.columns].iter().enumerate();
            cells.filter(|&(_, &units)| units > 0).map(|(slot, &units)| Placement { slot, units }).collect()
        };
        Schedule { rows: (0..self.empty_row).map(placements).collect() }
    }

    /// How many cells hold people or empty places.
    pub(super) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Whether people are in this cell, not empty places.
    pub(super) fn is_real(&self, position: usize) -> bool {
        position < self.empty_row * self.columns
    }

    /// The largest exchange between two of the cells, by their number; none if they share a row or a column.
    pub(super) fn exchange(&self, first: usize, second: usize) -> Option<Exchange> {
        let (one, other) = (self.cells[first], self.cells[second]);
        (one.row != other.row && one.column != other.column).then(|| {
            let position = |row: u32, column: u32| row as usize * self.columns + column as usize;
            let (first, second) = (position(one.row, one.column), position(other.row, other.column));
            Exchange {
                positions: [first, second, position(one.row, other.column), position(other.row, one.column)],
                amount: self.people[first].min(self.people[second]),
            }
        })
    }

    /// How many people the four cells hold before and after an exchange.
    pub(super) fn outcome(&self, exchange: &Exchange) -> [(u64, u64); 4] {
        let [first, second, third, fourth] = exchange.positions.map(|position| self.people[position]);
        let amount = exchange.amount;
        [(first, first - amount), (second, second - amount), (third, third + amount), (fourth, fourth + amount)]
    }

    pub(super) fn perform(&mut self, exchange: &Exchange) {
        for (position, (before, after)) in exchange.positions.into_iter().zip(self.outcome(exchange)) {
            self.people[position] = after;
            if before == 0 {
                self.remember(position);
            } else if after == 0 {
                self.forget(position);
            }
        }
    }

    fn remember(&mut self, position: usize) {
        self.place_of[position] = self.cells.len() as u32;
        let (row, column) = (position / self.columns, position % self.columns);
        self.cells.push(Cell { row: row as u32, column: column as u32 });
    }

    fn forget(&mut self, position: usize) {
        let place = self.place_of[position];
        self.cells.swap_remove(place as usize);
        if let Some(moved) = self.cells.get(place as usize) {
            self.place_of[moved.row as usize * self.columns + moved.column as usize] = place;
        }
    }
}
