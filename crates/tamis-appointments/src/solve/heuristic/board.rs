//! A schedule as a matrix that exchanges of people can be tried on.

use crate::instance::Plain;
use crate::schedule::{Placement, Schedule};

/// People by quasi-identifier value (rows) and slot (columns), every column filled to its capacity: places that stay
/// empty are those of a last row, whose cells nobody minds.
#[derive(Clone)]
pub(super) struct Board {
    columns: usize,
    /// the row of empty places
    empty_row: usize,
    people: Vec<u64>,
    /// the cells that are not zero, in no order
    cells: Vec<Cell>,
    /// the columns of the cells of each row that are not zero, and the rows of those of each column
    columns_of: Vec<Vec<u32>>,
    rows_of: Vec<Vec<u32>>,
    /// where a position is in `cells`, in its row's columns and in its column's rows
    place_of: Vec<[u32; 3]>,
}

/// Where a cell is; kept apart because dividing positions would be most of the work of an exchange.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: u32,
    column: u32,
}

/// `amount` people of two rows exchange their columns: those of the first cell go to the second one's column and the
/// other way round.
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
        let mut board = Self {
            columns,
            empty_row: rows,
            cells: Vec::new(),
            columns_of: vec![Vec::new(); rows + 1],
            rows_of: vec![Vec::new(); columns],
            place_of: vec![[0; 3]; people.len()],
            people,
        };
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
        self.exchange_between(self.cells[first], self.cells[second])
    }

    /// The largest exchange that moves people of a cell, by its number, into another cell of its row, which `choose`
    /// picks among so many, against people of a cell picked in the same way in that one's column. Two cells become one
    /// more often by such exchanges than by those between any two cells.
    pub(super) fn exchange_within_row(&self, first: usize, mut choose: impl FnMut(u64) -> u64) -> Option<Exchange> {
        let first = self.cells[first];
        let columns = &self.columns_of[first.row as usize];
        let column = columns[choose(columns.len() as u64) as usize];
        let rows = &self.rows_of[column as usize];
        let row = rows[choose(rows.len() as u64) as usize];
        self.exchange_between(first, Cell { row, column })
    }

    fn exchange_between(&self, one: Cell, other: Cell) -> Option<Exchange> {
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
        let (row, column) = (position / self.columns, position % self.columns);
        let (columns, rows) = (&mut self.columns_of[row], &mut self.rows_of[column]);
        self.place_of[position] = [self.cells.len(), columns.len(), rows.len()].map(|place| place as u32);
        self.cells.push(Cell { row: row as u32, column: column as u32 });
        columns.push(column as u32);
        rows.push(row as u32);
    }

    fn forget(&mut self, position: usize) {
        let (row, column) = (position / self.columns, position % self.columns);
        let [place, in_row, in_column] = self.place_of[position].map(|place| place as usize);
        self.cells.swap_remove(place);
        if let Some(moved) = self.cells.get(place) {
            self.place_of[moved.row as usize * self.columns + moved.column as usize][0] = place as u32;
        }
        self.columns_of[row].swap_remove(in_row);
        if let Some(&moved) = self.columns_of[row].get(in_row) {
            self.place_of[row * self.columns + moved as usize][1] = in_row as u32;
        }
        self.rows_of[column].swap_remove(in_column);
        if let Some(&moved) = self.rows_of[column].get(in_column) {
            self.place_of[moved as usize * self.columns + column][2] = in_column as u32;
        }
    }
}
