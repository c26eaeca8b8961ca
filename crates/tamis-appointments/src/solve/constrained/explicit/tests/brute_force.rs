//! Every schedule there is.

use crate::instance::{Instance, Unit};
use crate::schedule::{Placement, Schedule};
use crate::vector::AnonymityVector;

/// The smallest vector of all schedules that meet the conditions; none if there is no such schedule.
pub(super) fn smallest_vector(instance: &Instance) -> Option<AnonymityVector> {
    let mut best = None;
    try_all(instance, &mut Vec::new(), &mut |schedule| {
        if instance.check(schedule).is_ok() {
            let vector = schedule.vector(instance);
            if best.as_ref().is_none_or(|best| vector < *best) {
                best = Some(vector);
            }
        }
    });
    best
}

/// How many schedules there are, within conditions or not.
pub(super) fn schedules(instance: &Instance) -> usize {
    instance.units.iter().map(|unit| ways(unit, instance.capacities.len()).len()).product()
}

fn try_all(instance: &Instance, rows: &mut Vec<Vec<Placement>>, look: &mut impl FnMut(&Schedule)) {
    let Some(unit) = instance.units.get(rows.len()) else { return look(&Schedule { rows: rows.clone() }) };
    for way in ways(unit, instance.capacities.len()) {
        rows.push(way);
        try_all(instance, rows, look);
        rows.pop();
    }
}

/// Every way to spread the units of a row over their slots.
fn ways(unit: &Unit, slots: usize) -> Vec<Vec<Placement>> {
    let mut ways = vec![(unit.count, Vec::new())];
    for slot in unit.allowed.slots(slots) {
        ways = ways
            .into_iter()
            .flat_map(|(left, placements)| {
                (0..=left).map(move |units| {
                    let mut placements: Vec<Placement> = placements.clone();
                    if units > 0 {
                        placements.push(Placement { slot, units });
                    }
                    (left - units, placements)
                })
            })
            .collect();
    }
    ways.into_iter().filter(|&(left, _)| left == 0).map(|(_, placements)| placements).collect()
}
