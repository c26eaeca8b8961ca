//! The slots by themselves: every way to fill them within their places, whoever comes.

use super::costs::{Costs, IMPOSSIBLE};
use super::families::Pick;
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
    /// The kinds that tie several rows together.
    pub(super) families: Vec<usize>,
}

/// The columns filled as cheaply as can be.
pub(super) struct Filled {
    pub(super) cost: i64,
    /// The people of each row in each slot.
    pub(super) people: Vec<Vec<u32>>,
    /// How many units of each kind that ties rows together all slots took.
    pub(super) units: Vec<u32>,
    /// What the slots from each on cost, for every number of people left.
    from: Vec<Vec<i64>>,
}

/// The cheapest way to fill what is left of a slot and all slots after it, for the search.
pub(super) struct Fillings {
    slots: Vec<Filling>,
    from: Vec<Vec<i64>>,
}

struct Filling {
    free: usize,
    least_left: u32,
    spread: usize,
    costs: Vec<i64>,
}

/// Tables over more entries than this are not made.
const MOST_ENTRIES: usize = 1 << 23;

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
            let families = slot.kinds.iter().copied().filter(|&kind| model.kinds[kind].members.len() > 1).collect();
            Column { free: slot.free, rows, left, families }
        });
        Self { slots: slots.collect(), people: model.people }
    }

    /// The least that all columns together cost, and how they are filled then.
    pub(super) fn cheapest(&self, model: &Model, costs: &Costs) -> Filled {
        let picks: Vec<Pick> = (0..self.slots.len()).map(|slot| Pick::cheapest(model, self, costs, slot)).collect();
        let people = self.people as usize;
        let mut rest = vec![IMPOSSIBLE; people + 1];
        rest[0] = 0;
        let mut chosen = vec![Vec::new(); self.slots.len()];
        let mut from = vec![rest];
        for (slot, column) in self.slots.iter().enumerate().rev() {
            let rest = &from[from.len() - 1];
            let mut here = vec![IMPOSSIBLE; people + 1];
            let mut choice = vec![0; people + 1];
            for left in column.left.0 as usize..=column.left.1 as usize {
                for load in 0..=left.min(column.free as usize) {
                    let cost = picks[slot].costs[load] + rest[left - load];
                    if cost < here[left] {
                        (here[left], choice[left]) = (cost, load);
                    }
                }
            }
            chosen[slot] = choice;
            from.push(here);
        }
        from.reverse();
        let mut left = people;
        let mut units = vec![0; model.kinds.len()];
        let fillings = (0..self.slots.len()).map(|slot| {
            let load = chosen[slot][left];
            left -= load;
            let picked = &picks[slot].picked[load];
            let mut need = vec![0; model.rows];
            for &kind in picked {
                units[kind] += 1;
                for &(row, people) in &model.kinds[kind].members {
                    need[row] += people;
                }
            }
            Loads::new(&self.slots[slot], costs, slot, &need).filling(&self.slots[slot], load, model.rows)
        });
        let fillings = fillings.collect();
        Filled { cost: from[0][people], people: fillings, units, from }
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
        let steps = |column: &Column| column.rows.len().saturating_mul((column.free as usize + 1).saturating_pow(2));
        let steps_of_a_round = self.slots.iter().map(steps).fold(0, usize::saturating_add);
        let per_slot = (self.slots.len() + 1).saturating_mul(self.people as usize + 1);
        self.entries() <= MOST_ENTRIES && steps_of_a_round <= MOST_ENTRIES && per_slot <= MOST_ENTRIES / 4
    }

    /// The tables for the search.
    pub(super) fn fillings(&self, model: &Model, costs: &Costs) -> Fillings {
        let Filled { from, .. } = self.cheapest(model, costs);
        let slots = self.slots.iter().enumerate();
        Fillings {
            slots: slots.map(|(slot, column)| Filling::new(column, costs, slot, &from[slot + 1])).collect(),
            from,
        }
    }
}

/// The cheapest way to bring each number of people into one slot, after each of its rows.
pub(super) struct Loads {
    width: usize,
    costs: Vec<i64>,
    choices: Vec<u32>,
}

impl Loads {
    /// At least so many people of each row come.
    pub(super) fn new(column: &Column, costs: &Costs, slot: usize, need: &[u32]) -> Self {
        let width = column.free as usize + 1;
        let mut table = vec![IMPOSSIBLE; width * (column.rows.len() + 1)];
        let mut choices = vec![0; table.len()];
        table[0] = 0;
        for (place, &row) in column.rows.iter().enumerate() {
            let (before, after) = table[place * width..].split_at_mut(width);
            let choices = &mut choices[(place + 1) * width..];
            for (people, &cost) in costs.of_column(slot, row).iter().enumerate().skip(need[row] as usize) {
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

    pub(super) fn cost(&self, load: usize) -> i64 {
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
    fn new(column: &Column, costs: &Costs, slot: usize, next: &[i64]) -> Self {
        let spread = (column.left.1.saturating_sub(column.left.0)) as usize + 1;
        let free = column.free as usize;
        let layer = (free + 1) * spread;
        let mut filling =
            Self { free, least_left: column.left.0, spread, costs: vec![IMPOSSIBLE; layer * (column.rows.len() + 1)] };
        for places in 0..=free {
            for above in 0..spread {
                let left = column.left.0 as usize + above + places;
                if let Some(left) = left.checked_sub(free) {
                    let cost = next.get(left).copied().unwrap_or(IMPOSSIBLE);
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
    /// The least that the slots from one on cost with so many people left. It counts what the slots are paid for families.
    pub(super) fn from(&self, slot: usize, left: u32) -> i64 {
        self.from[slot][left as usize]
    }

    /// The least that the unsettled rows of a slot and all slots after it cost, once it is decided which families come: so many
    /// rows are settled, so many places are left, and so many people were left before the slot.
    pub(super) fn rest(&self, slot: usize, settled: usize, places: u32, left: u32) -> i64 {
        self.slots[slot].get(settled, places, left)
    }
}
