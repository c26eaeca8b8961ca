//! The slots by themselves: every way to fill them within their places, whoever comes.

use super::costs::{Costs, IMPOSSIBLE};
use super::model::Model;

/// In which order the cells of a slot are settled, and how many people can be left before it.
pub(super) struct Columns {
    pub(super) slots: Vec<Column>,
    people: u32,
}

pub(super) struct Column {
    free: u32,
    /// The rows that somebody may still come from, in the order in which the search is done with them.
    pub(super) rows: Vec<usize>,
    /// Before this slot at least so many people are left, and so many at most.
    pub(super) left: (u32, u32),
}

/// The cheapest way to fill what is left of a slot and all slots after it, for the search.
pub(super) struct Fillings {
    slots: Vec<Filling>,
}

struct Filling {
    free: usize,
    least_left: u32,
    spread: usize,
    costs: Vec<i64>,
}

/// Tables over more entries than this are not made.
const MOST_ENTRIES: usize = 1 << 24;

impl Columns {
    pub(super) fn new(model: &Model) -> Self {
        let mut after: u32 = model.slots.iter().map(|slot| slot.free).sum();
        let mut before = 0;
        let slots = model.slots.iter().map(|slot| {
            let left = (model.people.saturating_sub(before), model.people.min(after));
            before += slot.free;
            after -= slot.free;
            let mut rows: Vec<usize> = Vec::new();
            for &(row, _) in slot.kinds.iter().rev().flat_map(|&kind| model.kinds[kind].members.iter().rev()) {
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
            rows.reverse();
            Column { free: slot.free, rows, left }
        });
        Self { slots: slots.collect(), people: model.people }
    }

    /// The least that all columns together cost, and how many people come to each cell then.
    pub(super) fn cheapest(&self, costs: &Costs, rows: usize) -> (i64, Vec<Vec<u32>>) {
        let loads: Vec<Loads> = (0..self.slots.len()).map(|slot| Loads::new(&self.slots[slot], costs, slot)).collect();
        let people = self.people as usize;
        let mut rest = vec![IMPOSSIBLE; people + 1];
        rest[0] = 0;
        let mut chosen = vec![Vec::new(); self.slots.len()];
        for (slot, column) in self.slots.iter().enumerate().rev() {
            let mut here = vec![IMPOSSIBLE; people + 1];
            let mut choice = vec![0; people + 1];
            for left in column.left.0 as usize..=column.left.1 as usize {
                for load in 0..=left.min(column.free as usize) {
                    let cost = loads[slot].cost(load) + rest[left - load];
                    if cost < here[left] {
                        (here[left], choice[left]) = (cost, load);
                    }
                }
            }
            (rest, chosen[slot]) = (here, choice);
        }
        let mut left = people;
        let filling = (0..self.slots.len()).map(|slot| {
            let load = chosen[slot][left];
            left -= load;
            loads[slot].filling(&self.slots[slot], load, rows)
        });
        let filling = filling.collect();
        (rest[people], filling)
    }

    /// How many entries the tables for the search have.
    fn entries(&self) -> usize {
        let entries = |column: &Column| {
            let spread = column.left.1.saturating_sub(column.left.0) as usize + 1;
            (column.rows.len() + 1).saturating_mul((column.free as usize + 1).saturating_mul(spread))
        };
        self.slots.iter().map(entries).fold(0, usize::saturating_add)
    }

    /// Whether the tables for the search are small enough to be made.
    pub(super) fn fit(&self) -> bool {
        self.entries() <= MOST_ENTRIES
    }

    /// The tables for the search.
    pub(super) fn fillings(&self, costs: &Costs) -> Fillings {
        let mut slots: Vec<Filling> = Vec::with_capacity(self.slots.len());
        for (slot, column) in self.slots.iter().enumerate().rev() {
            let filling = Filling::new(column, costs, slot, slots.last());
            slots.push(filling);
        }
        slots.reverse();
        Fillings { slots }
    }
}

/// The cheapest way to bring each number of people into one slot, after each of its rows.
struct Loads {
    width: usize,
    costs: Vec<i64>,
    choices: Vec<u32>,
}

impl Loads {
    fn new(column: &Column, costs: &Costs, slot: usize) -> Self {
        let width = column.free as usize + 1;
        let mut table = vec![IMPOSSIBLE; width * (column.rows.len() + 1)];
        let mut choices = vec![0; table.len()];
        table[0] = 0;
        for (place, &row) in column.rows.iter().enumerate() {
            let (before, after) = table[place * width..].split_at_mut(width);
            let choices = &mut choices[(place + 1) * width..];
            for (people, &cost) in costs.of_column(slot, row).iter().enumerate() {
                for load in people..width {
                    let sum = cost + before[load - people];
                    if sum < after[load] {
                        (after[load], choices[load]) = (sum, people as u32);
                    }
                }
            }
        }
        Self { width, costs: table, choices }
    }

    fn cost(&self, load: usize) -> i64 {
        self.costs[self.costs.len() - self.width + load]
    }

    /// The people of each row in the cheapest filling with this load.
    fn filling(&self, column: &Column, mut load: usize, rows: usize) -> Vec<u32> {
        let mut filling = vec![0; rows];
        for (place, &row) in column.rows.iter().enumerate().rev() {
            filling[row] = self.choices[(place + 1) * self.width + load];
            load -= filling[row] as usize;
        }
        filling
    }
}

impl Filling {
    fn new(column: &Column, costs: &Costs, slot: usize, next: Option<&Self>) -> Self {
        let spread = (column.left.1.saturating_sub(column.left.0)) as usize + 1;
        let free = column.free as usize;
        let layer = (free + 1) * spread;
        let mut filling =
            Self { free, least_left: column.left.0, spread, costs: vec![IMPOSSIBLE; layer * (column.rows.len() + 1)] };
        for places in 0..=free {
            for above in 0..spread {
                let left = column.left.0 as usize + above + places;
                if let Some(left) = left.checked_sub(free) {
                    let cost = match next {
                        Some(next) => next.at_start(left as u32),
                        None => {
                            if left == 0 {
                                0
                            } else {
                                IMPOSSIBLE
                            }
                        }
                    };
                    let at = column.rows.len() * layer + places * spread + above;
                    filling.costs[at] = cost;
                }
            }
        }
        for (place, &row) in column.rows.iter().enumerate().rev() {
            let (here, after) = filling.costs[place * layer..].split_at_mut(layer);
            for (people, &cost) in costs.of_column(slot, row).iter().enumerate() {
                for places in people..=free {
                    let from = &after[(places - people) * spread..][..spread];
                    for (best, &rest) in here[places * spread..][..spread].iter_mut().zip(from) {
                        *best = (*best).min(cost + rest);
                    }
                }
            }
        }
        filling
    }

    fn at_start(&self, left: u32) -> i64 {
        self.get(0, self.free as u32, left)
    }

    fn get(&self, settled: usize, places: u32, left: u32) -> i64 {
        match left.checked_sub(self.least_left) {
            Some(above) if (above as usize) < self.spread => {
                self.costs[(settled * (self.free + 1) + places as usize) * self.spread + above as usize]
            }
            _ => IMPOSSIBLE,
        }
    }
}

impl Fillings {
    /// The least that the unsettled rows of a slot and all slots after it cost: so many rows are settled, so many places are
    /// left, and so many people were left before the slot. Nothing is left to pay after the last slot.
    pub(super) fn rest(&self, slot: usize, settled: usize, places: u32, left: u32) -> i64 {
        self.slots
            .get(slot)
            .map_or(if left == 0 { 0 } else { IMPOSSIBLE }, |filling| filling.get(settled, places, left))
    }
}
