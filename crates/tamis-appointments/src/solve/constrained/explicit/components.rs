//! Slots that share nobody are scheduled one by one.

use super::effort::Effort;
use super::relaxed::Relaxed;
use super::{Outcome, levels};
use crate::instance::{Allowed, Instance, Unit};
use crate::schedule::{Placement, Schedule};
use crate::solve::{LevelProof, Reason, Solution, SolveOptions, exact};
use crate::vector::AnonymityVector;
use std::collections::BTreeMap;

/// Slots that hang together by units that may go to several of them, and these units.
struct Component {
    slots: Vec<usize>,
    units: Vec<usize>,
    instance: Instance,
}

/// Solves every component. The order of vectors does not change when the same vector is added, so the sum of the optima is the
/// optimum and the sum of bounds is a bound.
pub(super) fn solve(
    instance: &Instance,
    incumbent: Option<&Schedule>,
    options: &SolveOptions,
    effort: &mut Effort,
) -> Outcome {
    let Some(components) = components(instance) else { return Outcome::Infeasible };
    let number = components.len() as u32;
    let mut solutions = Vec::with_capacity(components.len());
    let mut nothing_found = false;
    for (component, still_to_come) in components.into_iter().zip((1..=number).rev()) {
        let incumbent = incumbent.map(|schedule| component.restrict(schedule));
        let whole = effort.patience.clone();
        if let Some(left) = whole.left() {
            effort.patience = whole.at_most(left / still_to_come);
        }
        let outcome = component.solve(incumbent.as_ref(), options, effort);
        effort.resume(whole);
        match outcome {
            Outcome::Solution(solution) => solutions.push((component, *solution)),
            Outcome::Infeasible => return Outcome::Infeasible,
            Outcome::NothingFound => nothing_found = true,
        }
    }
    if nothing_found { Outcome::NothingFound } else { join(instance, solutions) }
}

/// The components; none if a unit has no slot.
fn components(instance: &Instance) -> Option<Vec<Component>> {
    let slots = instance.capacities.len();
    let mut leader: Vec<usize> = (0..slots).collect();
    fn find(leader: &mut [usize], mut slot: usize) -> usize {
        while leader[slot] != slot {
            leader[slot] = leader[leader[slot]];
            slot = leader[slot];
        }
        slot
    }
    let mut slots_of = Vec::with_capacity(instance.units.len());
    for unit in instance.units.iter() {
        let mut allowed = unit.allowed.slots(slots);
        allowed.retain(|&slot| unit.size() <= instance.capacities[slot]);
        if unit.count == 0 {
            allowed = vec![0];
        }
        let first = find(&mut leader, *allowed.first()?);
        for &slot in &allowed[1..] {
            let other = find(&mut leader, slot);
            leader[other] = first;
        }
        slots_of.push(allowed);
    }
    let mut components: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for slot in 0..slots {
        components.entry(find(&mut leader, slot)).or_default().0.push(slot);
    }
    for (number, allowed) in slots_of.iter().enumerate() {
        components.entry(find(&mut leader, allowed[0])).or_default().1.push(number);
    }
    let with_people = components.into_values().filter(|(_, units)| !units.is_empty());
    Some(with_people.map(|(slots, units)| Component::new(instance, slots, units, &slots_of)).collect())
}

impl Component {
    fn new(whole: &Instance, slots: Vec<usize>, units: Vec<usize>, slots_of: &[Vec<usize>]) -> Self {
        let members = units.iter().flat_map(|&unit| &whole.units[unit].members);
        let mut quasi_ids: Vec<usize> = members.map(|member| member.quasi_id).collect();
        quasi_ids.sort_unstable();
        quasi_ids.dedup();
        let unit = |&number: &usize| {
            let unit = &whole.units[number];
            let mut members = unit.members.clone();
            for member in &mut members {
                member.quasi_id = quasi_ids.partition_point(|&quasi_id| quasi_id < member.quasi_id);
            }
            let here = |slot: &usize| slots.partition_point(|of| of < slot);
            let allowed = if slots_of[number] == slots {
                Allowed::All
            } else {
                Allowed::Only(slots_of[number].iter().map(here).collect())
            };
            Unit { members, count: unit.count, allowed }
        };
        let instance = Instance {
            quasi_ids: quasi_ids.len(),
            capacities: slots.iter().map(|&slot| whole.capacities[slot]).collect(),
            units: units.iter().map(unit).collect(),
            attributes: whole.attributes.clone(),
            mixing: whole.mixing.clone(),
        };
        Self { slots, units, instance }
    }

    /// The part of a schedule that concerns this component.
    fn restrict(&self, schedule: &Schedule) -> Schedule {
        let here = |placement: &Placement| Placement {
            slot: self.slots.partition_point(|&of| of < placement.slot),
            units: placement.units,
        };
        Schedule { rows: self.units.iter().map(|&unit| schedule.rows[unit].iter().map(here).collect()).collect() }
    }

    fn solve(&self, incumbent: Option<&Schedule>, options: &SolveOptions, effort: &mut Effort) -> Outcome {
        if self.instance.people() > self.instance.capacities.iter().sum() {
            return Outcome::Infeasible;
        }
        if let Some(problem) = self.instance.as_plain() {
            let options = SolveOptions { patience: effort.patience.clone(), ..options.clone() };
            let solution = exact::exact(&problem, &options);
            let better = incumbent.filter(|best| best.vector(&self.instance) < solution.vector);
            let schedule = better.cloned().unwrap_or_else(|| spread(&self.instance, &solution.schedule));
            let vector = schedule.vector(&self.instance);
            return Outcome::Solution(Box::new(Solution { schedule, vector, ..solution }));
        }
        let relaxed = Relaxed::new(&self.instance, &effort.patience);
        levels::solve(&self.instance, incumbent, &relaxed, options, effort)
    }
}

/// A schedule of quasi-identifier values as one of units of single people.
fn spread(instance: &Instance, schedule: &Schedule) -> Schedule {
    let mut rows_left: Vec<Vec<Placement>> = schedule.rows.clone();
    let rows = instance.units.iter().map(|unit| {
        let mut left = unit.count;
        let mut row = Vec::new();
        let Some(placements) =
            unit.members.iter().find(|member| member.people > 0).map(|member| &mut rows_left[member.quasi_id])
        else {
            return row;
        };
        while let Some(placement) = placements.last_mut().filter(|_| left > 0) {
            let units = left.min(placement.units);
            row.push(Placement { slot: placement.slot, units });
            left -= units;
            placement.units -= units;
            if placement.units == 0 {
                placements.pop();
            }
        }
        row.sort_unstable();
        row
    });
    Schedule { rows: rows.collect() }
}

fn join(instance: &Instance, solutions: Vec<(Component, Solution)>) -> Outcome {
    let mut rows = vec![Vec::new(); instance.units.len()];
    let mut vector = AnonymityVector::of_sizes([]);
    let mut lower_bound = AnonymityVector::of_sizes([]);
    let mut reasons: BTreeMap<u64, Reason> = BTreeMap::new();
    let mut proved_up_to = u64::MAX;
    for (component, solution) in solutions {
        for (&unit, row) in component.units.iter().zip(&solution.schedule.rows) {
            let there =
                |placement: &Placement| Placement { slot: component.slots[placement.slot], units: placement.units };
            rows[unit] = row.iter().map(there).collect();
        }
        if !solution.is_optimal() {
            let last = solution.proofs.last().map_or(0, |proof| proof.size);
            proved_up_to = proved_up_to.min(last);
        }
        for proof in solution.proofs.iter().filter(|proof| proof.cells > 0) {
            let reason = reasons.entry(proof.size).or_insert(proof.reason);
            if strength(proof.reason) > strength(*reason) {
                *reason = proof.reason;
            }
        }
        vector = vector.plus(&solution.vector);
        lower_bound = lower_bound.plus(&solution.lower_bound);
    }
    let proofs = (1..=vector.largest().min(proved_up_to)).map(|size| {
        let cells = vector.cells_of_size(size);
        let reason = if cells == 0 { Reason::Zero } else { reasons.get(&size).copied().unwrap_or(Reason::LinearBound) };
        LevelProof { size, cells, reason }
    });
    let proofs = proofs.collect();
    Outcome::Solution(Box::new(Solution { schedule: Schedule { rows }, vector, lower_bound, proofs }))
}

/// Of two reasons for parts of a component the one that took more work is told.
fn strength(reason: Reason) -> u32 {
    match reason {
        Reason::Zero => 0,
        Reason::Remainder => 1,
        Reason::RowBound => 2,
        Reason::ColumnBound => 3,
        Reason::LinearBound => 4,
        Reason::IntegerBound => 5,
        Reason::Enumeration => 6,
    }
}
