//! Who goes where.

use crate::instance::Instance;
use crate::vector::AnonymityVector;
use std::collections::BTreeMap;

/// So many units of a row of the instance go to one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The number of the slot.
    pub slot: usize,
    /// How many units.
    pub units: u64,
}

/// For every unit of an instance the slots its people go to. For plain instances, rows are the quasi-identifier values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// The placements of each unit, by slot, without zeros.
    pub rows: Vec<Vec<Placement>>,
}

impl Schedule {
    /// How many people of each (quasi-identifier value, slot) there are, zeros left out.
    pub fn cells(&self, instance: &Instance) -> BTreeMap<(usize, usize), u64> {
        let mut cells = BTreeMap::new();
        for (unit, row) in instance.units.iter().zip(&self.rows) {
            for placement in row.iter().filter(|placement| placement.units > 0) {
                for member in &unit.members {
                    *cells.entry((member.quasi_id, placement.slot)).or_insert(0) += member.people * placement.units;
                }
            }
        }
        cells
    }

    /// The anonymity vector once slots join the quasi-identifier.
    pub fn vector(&self, instance: &Instance) -> AnonymityVector {
        AnonymityVector::of_sizes(self.cells(instance).into_values())
    }

    /// The vector of a schedule of a plain problem, where every placement is a cell.
    pub fn plain_vector(&self) -> AnonymityVector {
        AnonymityVector::of_sizes(self.rows.iter().flatten().map(|placement| placement.units))
    }

    /// How many people go to each slot.
    pub fn loads(&self, instance: &Instance) -> Vec<u64> {
        let mut loads = vec![0; instance.capacities.len()];
        for (unit, row) in instance.units.iter().zip(&self.rows) {
            for placement in row {
                loads[placement.slot] += unit.size() * placement.units;
            }
        }
        loads
    }

    /// People by quasi-identifier value (rows) and slot (columns), as the sources print schedules.
    pub fn matrix(&self, instance: &Instance) -> Vec<Vec<u64>> {
        let mut matrix = vec![vec![0; instance.capacities.len()]; instance.quasi_ids];
        for ((quasi_id, slot), people) in self.cells(instance) {
            matrix[quasi_id][slot] = people;
        }
        matrix
    }
}
