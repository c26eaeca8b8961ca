//! Filling one slot with families that tie rows together.

use super::columns::{Column, Columns, Loads};
use super::costs::{Costs, IMPOSSIBLE};
use super::model::Model;

/// For every number of people the cheapest way to fill a slot, and the families that come then.
pub(super) struct Pick {
    pub(super) costs: Vec<i64>,
    /// The kinds, one entry per unit.
    pub(super) picked: Vec<Vec<usize>>,
}

/// Looks at sets of families from the best paid on.
struct Picking<'a> {
    model: &'a Model,
    column: &'a Column,
    costs: &'a Costs,
    slot: usize,
    /// The families worth taking, those paid best per person first.
    families: Vec<usize>,
    best: Pick,
    need: Vec<u32>,
    picked: Vec<usize>,
    looks_left: u32,
}

/// After so many sets of families the rest is bounded instead of looked at.
const MOST_LOOKS: u32 = 3_000;

impl Pick {
    pub(super) fn cheapest(model: &Model, columns: &Columns, costs: &Costs, slot: usize) -> Self {
        let column = &columns.slots[slot];
        let free = model.slots[slot].free;
        let mut families: Vec<usize> =
            column.families.iter().copied().filter(|&kind| costs.price_of(kind) > 0).collect();
        families.sort_by(|&left, &right| {
            let per_person = |kind: usize, other: usize| costs.price_of(kind) * i64::from(model.kinds[other].size);
            per_person(right, left).cmp(&per_person(left, right)).then(left.cmp(&right))
        });
        let loads = free as usize + 1;
        let best = Self { costs: vec![IMPOSSIBLE; loads], picked: vec![Vec::new(); loads] };
        let need = vec![0; model.rows];
        let mut picking =
            Picking { model, column, costs, slot, families, best, need, picked: Vec::new(), looks_left: MOST_LOOKS };
        picking.look(0, free, 0);
        picking.best
    }
}

impl Picking<'_> {
    /// Takes note of the families picked, and adds others from a place in the order on.
    fn look(&mut self, from: usize, places: u32, paid: i64) {
        self.looks_left = self.looks_left.saturating_sub(1);
        let loads = Loads::new(self.column, self.costs, self.slot, &self.need);
        let value = |load: usize| (loads.cost(load) - paid).min(IMPOSSIBLE);
        for load in 0..self.best.costs.len() {
            if value(load) < self.best.costs[load] {
                self.best.costs[load] = value(load);
                self.best.picked[load].clone_from(&self.picked);
            }
        }
        for at in from..self.families.len() {
            let kind = &self.model.kinds[self.families[at]];
            let price = self.costs.price_of(self.families[at]);
            // Everybody who can still come is paid no better than this family.
            let most = price * i64::from(places) / i64::from(kind.size) + 1;
            if (0..self.best.costs.len()).all(|load| value(load) - most >= self.best.costs[load]) {
                break;
            }
            if self.looks_left == 0 {
                for load in 0..self.best.costs.len() {
                    self.best.costs[load] = self.best.costs[load].min(value(load) - most);
                }
                break;
            }
            let taken = self.picked.iter().filter(|&&picked| picked == self.families[at]).count();
            if kind.size > places || taken >= kind.count as usize {
                continue;
            }
            self.picked.push(self.families[at]);
            for &(row, people) in &kind.members {
                self.need[row] += people;
            }
            self.look(at, places - kind.size, paid + price);
            for &(row, people) in &kind.members {
                self.need[row] -= people;
            }
            self.picked.pop();
        }
    }
}
