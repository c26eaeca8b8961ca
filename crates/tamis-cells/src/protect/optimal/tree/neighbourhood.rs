//! Better patterns by exact search in small parts of the best one.
//!
//! Some secondaries that lie close together are taken back, all others stay hidden, and the cheapest way to protect the table
//! from there is sought by branch and cut. Most levels are met by what stays, so that this is a small problem however
//! large the table is. Parts grow while they are solved with ease and shrink while they are not.

use std::collections::VecDeque;
use std::time::Duration;

use rand::{Rng, RngExt};

use super::super::nested;
use super::Tree;
use crate::pattern::Pattern;
use crate::protect::Options;
use crate::protect::clock::Clock;
use crate::table::{Cell, CellTable, Status};

/// A part is given up after so much work.
const PATIENCE: Duration = Duration::from_millis(1500);

impl Tree<'_> {
    /// Searches parts of the best pattern until the clock says so; `true` if it became cheaper.
    pub(super) fn neighbourhoods(&mut self, clock: &Clock<'_>) -> bool {
        let before = self.incumbent.cost();
        let equations_of = self.model.table.equations_of_cells();
        while !clock.over() {
            self.tell();
            let table = self.model.table;
            let pattern = Pattern::new(self.incumbent.hidden().to_vec());
            let free = |cell: &usize| table.cells()[*cell].status == Status::Free;
            let secondaries: Vec<usize> = pattern.cells().filter(free).collect();
            if secondaries.is_empty() {
                break;
            }
            let count = ((secondaries.len() as f64 * self.part).ceil() as usize).min(secondaries.len());
            let first = secondaries[self.random.random_range(0..secondaries.len())];
            let part = near(table, &equations_of, &pattern, first, count, &mut self.random);
            let mut cells: Vec<Cell> = table.cells().to_vec();
            for &cell in secondaries.iter().filter(|cell| !part.contains(cell)) {
                cells[cell].status = Status::Hidden;
            }
            let Ok(table) = CellTable::new(cells, table.equations().to_vec(), table.attackers().to_vec()) else {
                break;
            };
            let options = Options { gap: 0.0, progress: &|_| {}, ..*self.options };
            let found = nested(&table, self.solver, &options, &self.clock.at_most(PATIENCE, 1.0), &pattern, usize::MAX);
            self.attacks += found.effort.attacks;
            self.part = (self.part * if found.optimal { 1.1 } else { 0.8 }).clamp(0.02, 1.0);
            if found.cost < self.incumbent.cost() {
                self.incumbent.offer(found.pattern.flags(), &self.clock);
            }
            if found.optimal && count == secondaries.len() {
                break;
            }
        }
        self.incumbent.cost() < before
    }
}

/// About `count` hidden free cells around `first`: those that share equations with it, those that share equations with these, ...
fn near(
    table: &CellTable,
    equations_of: &[Vec<usize>],
    pattern: &Pattern,
    first: usize,
    count: usize,
    random: &mut impl Rng,
) -> Vec<usize> {
    let mut seen = vec![false; table.cells().len()];
    let mut part = Vec::new();
    let mut queue = VecDeque::from([first]);
    seen[first] = true;
    while let Some(cell) = queue.pop_front() {
        if table.cells()[cell].status == Status::Free {
            part.push(cell);
            if part.len() == count {
                break;
            }
        }
        let mut next: Vec<usize> = equations_of[cell]
            .iter()
            .flat_map(|number| table.equations()[*number].terms.iter().map(|(cell, _)| *cell))
            .filter(|cell| pattern.hides(*cell) && !seen[*cell])
            .collect();
        next.sort_unstable();
        next.dedup();
        while !next.is_empty() {
            let cell = next.swap_remove(random.random_range(0..next.len()));
            seen[cell] = true;
            queue.push_back(cell);
        }
    }
    part
}
