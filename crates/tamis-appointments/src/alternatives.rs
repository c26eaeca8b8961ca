//! Other slots for somebody who cannot come.

use crate::instance::{Instance, Limit, MixingRule, Unit};
use crate::schedule::Schedule;
use crate::vector::AnonymityVector;
use std::collections::{BTreeMap, HashMap};

/// A slot that somebody could go to instead, and what that does to everybody's anonymity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The slot.
    pub slot: usize,
    /// The vector afterwards.
    pub vector: AnonymityVector,
    /// What changes in the vector: sizes with the number of cells that are added or taken away, smallest size first.
    pub change: Vec<(u64, i64)>,
    /// How many people with the same quasi-identifier the slot holds already; for a family the fewest of any member.
    pub companions: u64,
    /// How many places are left there beforehand.
    pub places_left: u64,
    /// Whether that is enough.
    pub has_room: bool,
    /// The mixing rules that the slot would break.
    pub broken_rules: Vec<usize>,
}

impl Alternative {
    /// Whether the move is possible: there is room, and no rule is broken.
    pub fn is_open(&self) -> bool {
        self.has_room && self.broken_rules.is_empty()
    }
}

/// The other slots that one party (a unit of the schedule, of which one is meant) may go to from where it is, best first: those that
/// are possible by the vector they lead to, then the others.
///
/// For one person of a cell of `x` people, a slot that holds `y` people of the same quasi-identifier changes the vector by
/// `-e_x + e_(x-1) - e_y + e_(y+1)`. A slot with `y = 0` adds somebody who stands alone and one with `y > 0` does not, so the order of
/// vectors puts the slots that hold people of the same quasi-identifier first, as the paper wants it (section 9, E1).
///
/// Rules are asked of the slot the party goes to. The one it leaves is left whatever is chosen.
///
/// Linear in the placements of the schedule, plus the number of different sizes for every slot.
///
/// ```
/// use tamis_appointments::{Instance, Placement, Schedule, Unit, alternatives};
///
/// // Four men in slots of 2 and 2, and two women in a third slot; everywhere is one more place.
/// let instance = Instance::plain(&[4, 2], &[3, 3, 3])?;
/// let rows = vec![vec![Placement { slot: 0, units: 2 }, Placement { slot: 1, units: 2 }], vec![Placement { slot: 2, units: 2 }]];
/// let others = alternatives(&instance, &Schedule { rows }, &Unit::people(0, 1), 0);
/// assert_eq!((others[0].slot, others[0].vector.to_dense()), (1, vec![1, 1, 1]));
/// assert_eq!((others[1].slot, others[1].vector.to_dense()), (2, vec![2, 2]));
/// # Ok::<(), tamis_appointments::AppointmentError>(())
/// ```
pub fn alternatives(instance: &Instance, schedule: &Schedule, party: &Unit, from: usize) -> Vec<Alternative> {
    let movers = people_by_quasi_id(party);
    let crowds = crowds(instance, schedule, &movers);
    let loads = schedule.loads(instance);
    let vector = schedule.vector(instance);
    let mixes: Vec<Mix<'_>> = instance.mixing.iter().map(|rule| Mix::new(rule, instance, schedule)).collect();
    let size = party.size();
    let slots = party.allowed.slots(instance.capacities.len()).into_iter().filter(|&slot| slot != from);
    let mut found: Vec<Alternative> = slots
        .map(|slot| {
            let crowd = |quasi_id, slot| crowds.get(&(quasi_id, slot)).copied().unwrap_or(0);
            let mut change = BTreeMap::new();
            for (&quasi_id, &people) in &movers {
                let (left, joined) = (crowd(quasi_id, from), crowd(quasi_id, slot));
                let changes = [(left, -1), (left.saturating_sub(people), 1), (joined, -1), (joined + people, 1)];
                for (size, cells) in changes.into_iter().filter(|&(size, _)| size > 0) {
                    *change.entry(size).or_insert(0_i64) += cells;
                }
            }
            change.retain(|_, cells| *cells != 0);
            let places_left = instance.capacities[slot].saturating_sub(loads[slot]);
            let broken = mixes.iter().enumerate().filter(|(_, mix)| mix.is_broken_by(party, slot));
            Alternative {
                slot,
                vector: changed(&vector, &change),
                change: change.into_iter().collect(),
                companions: movers.keys().map(|&quasi_id| crowd(quasi_id, slot)).min().unwrap_or(0),
                places_left,
                has_room: places_left >= size,
                broken_rules: broken.map(|(rule, _)| rule).collect(),
            }
        })
        .collect();
    found.sort_by(|a, b| {
        (!a.is_open()).cmp(&!b.is_open()).then_with(|| a.vector.cmp(&b.vector)).then(a.slot.cmp(&b.slot))
    });
    found
}

/// How many people of each quasi-identifier value go.
fn people_by_quasi_id(party: &Unit) -> BTreeMap<usize, u64> {
    let mut people = BTreeMap::new();
    for member in &party.members {
        *people.entry(member.quasi_id).or_insert(0) += member.people;
    }
    people
}

/// The cells of these quasi-identifier values.
fn crowds(instance: &Instance, schedule: &Schedule, of: &BTreeMap<usize, u64>) -> HashMap<(usize, usize), u64> {
    let mut crowds = HashMap::new();
    for (unit, row) in instance.units.iter().zip(&schedule.rows) {
        for member in unit.members.iter().filter(|member| of.contains_key(&member.quasi_id)) {
            for placement in row {
                *crowds.entry((member.quasi_id, placement.slot)).or_insert(0) += member.people * placement.units;
            }
        }
    }
    crowds
}

fn changed(vector: &AnonymityVector, change: &BTreeMap<u64, i64>) -> AnonymityVector {
    let kept = vector.counts().iter().map(|&(size, cells)| {
        let added = change.get(&size).copied().unwrap_or(0);
        (size, cells.saturating_add_signed(added))
    });
    let is_new = |size: u64| vector.cells_of_size(size) == 0;
    let new =
        change.iter().filter(|&(&size, _)| is_new(size)).map(|(&size, &cells)| (size, cells.max(0).unsigned_abs()));
    AnonymityVector::of_counts(kept.chain(new))
}

/// What a rule sees in every slot.
struct Mix<'a> {
    rule: &'a MixingRule,
    people_of_value: HashMap<usize, BTreeMap<u32, u64>>,
}

impl<'a> Mix<'a> {
    fn new(rule: &'a MixingRule, instance: &Instance, schedule: &Schedule) -> Self {
        let mut people_of_value: HashMap<usize, BTreeMap<u32, u64>> = HashMap::new();
        for (unit, row) in instance.units.iter().zip(&schedule.rows) {
            for placement in row {
                let people = people_of_value.entry(placement.slot).or_default();
                for member in &unit.members {
                    *people.entry(member.values[rule.attribute]).or_insert(0) += member.people * placement.units;
                }
            }
        }
        Self { rule, people_of_value }
    }

    /// Whether the rule holds no more once the party is there. A smallest number of values that is not reached before either is not
    /// held against somebody who brings it nearer.
    fn is_broken_by(&self, party: &Unit, slot: usize) -> bool {
        let before = self.people_of_value.get(&slot).cloned().unwrap_or_default();
        let mut after = before.clone();
        for member in &party.members {
            *after.entry(member.values[self.rule.attribute]).or_insert(0) += member.people;
        }
        let adds_value = after.len() > before.len();
        let brings_nearer =
            matches!(self.rule.limit, Limit::MinimumDistinct(_)) && adds_value && !self.rule.holds(&before);
        !self.rule.holds(&after) && !brings_nearer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Allowed, Attribute, Member, Share, Who};
    use crate::schedule::Placement;
    use proptest::prelude::*;

    /// People of each quasi-identifier value (rows) in each slot (columns), with this much room beyond.
    fn scheduled(matrix: &[Vec<u64>], room: &[u64]) -> (Instance, Schedule) {
        let capacities = (0..room.len()).map(|slot| room[slot] + matrix.iter().map(|row| row[slot]).sum::<u64>());
        let instance = Instance {
            quasi_ids: matrix.len(),
            capacities: capacities.collect(),
            units: matrix.iter().enumerate().map(|(row, cells)| Unit::people(row, cells.iter().sum())).collect(),
            attributes: Vec::new(),
            mixing: Vec::new(),
        };
        let placed = |cells: &Vec<u64>| {
            let placements = cells.iter().enumerate().map(|(slot, &units)| Placement { slot, units });
            placements.filter(|placement| placement.units > 0).collect()
        };
        (instance, Schedule { rows: matrix.iter().map(placed).collect() })
    }

    fn vector_of(matrix: &[Vec<u64>]) -> AnonymityVector {
        AnonymityVector::of_sizes(matrix.iter().flatten().copied())
    }

    proptest! {
        /// A family of some people of each value moves, and the vector is counted anew.
        #[test]
        fn every_alternative_leads_where_counting_anew_leads(
            mut matrix in prop::collection::vec(prop::collection::vec(0_u64..5, 4), 1..4),
            family in prop::collection::vec(0_u64..3, 3),
            room in prop::collection::vec(0_u64..3, 4),
            allowed in prop::collection::btree_set(0_usize..4, 1..5),
        ) {
            let family = &family[..matrix.len()];
            prop_assume!(family.iter().sum::<u64>() > 0);
            for (cells, people) in matrix.iter_mut().zip(family) {
                cells[0] += people;
            }
            let (instance, schedule) = scheduled(&matrix, &room);
            let members = family.iter().enumerate().filter(|&(_, &people)| people > 0);
            let members = members.map(|(quasi_id, &people)| Member { quasi_id, values: Vec::new(), people }).collect();
            let allowed: Vec<usize> = allowed.into_iter().collect();
            let party = Unit { members, count: 1, allowed: Allowed::Only(allowed.as_slice().into()) };
            let found = alternatives(&instance, &schedule, &party, 0);
            let mut slots: Vec<usize> = found.iter().map(|one| one.slot).collect();
            slots.sort_unstable();
            prop_assert_eq!(slots, allowed.into_iter().filter(|&slot| slot != 0).collect::<Vec<_>>());
            for one in &found {
                let mut after = matrix.clone();
                for (cells, people) in after.iter_mut().zip(family) {
                    cells[0] -= people;
                    cells[one.slot] += people;
                }
                prop_assert_eq!(&one.vector, &vector_of(&after));
                prop_assert_eq!(one.places_left, room[one.slot]);
                prop_assert_eq!(one.has_room, room[one.slot] >= family.iter().sum());
                let sizes = 1..=one.vector.largest().max(vector_of(&matrix).largest());
                let difference = sizes.map(|size| {
                    let cells = |vector: &AnonymityVector| vector.cells_of_size(size).cast_signed();
                    (size, cells(&one.vector) - cells(&vector_of(&matrix)))
                });
                prop_assert_eq!(&one.change, &difference.filter(|&(_, cells)| cells != 0).collect::<Vec<_>>());
            }
            prop_assert!(found.is_sorted_by_key(|one| (!one.is_open(), one.vector.clone())));
        }

        #[test]
        fn slots_with_people_alike_come_first(
            matrix in prop::collection::vec(prop::collection::vec(0_u64..4, 5), 1..4),
            from in 0_usize..5,
        ) {
            prop_assume!(matrix[0][from] > 0);
            let (instance, schedule) = scheduled(&matrix, &[1; 5]);
            let found = alternatives(&instance, &schedule, &Unit::people(0, 1), from);
            prop_assert!(found.is_sorted_by_key(|one| one.companions == 0));
        }
    }

    #[test]
    fn a_slot_that_a_rule_closes_comes_last_and_says_which() -> Result<(), String> {
        // Slot 1 has one foreigner of nine people, slot 2 none of two: a second of ten is less than a first of three.
        let people = |value: u32, count: u64| Unit {
            members: vec![Member { quasi_id: 0, values: vec![value], people: 1 }],
            count,
            allowed: Allowed::All,
        };
        let limit = |text: &str| Ok::<_, String>(Limit::MaximumShare(text.parse::<Share>()?));
        let mut instance = Instance {
            quasi_ids: 1,
            capacities: vec![12, 12, 12],
            units: vec![people(0, 10), people(1, 2)],
            attributes: vec![Attribute {
                name: "from".to_owned(),
                values: vec!["here".to_owned(), "there".to_owned()],
            }],
            mixing: vec![MixingRule { attribute: 0, who: Who::AllBut(0), limit: limit("0.25")? }],
        };
        let placed = |slot, units| Placement { slot, units };
        let schedule = Schedule { rows: vec![vec![placed(1, 8), placed(2, 2)], vec![placed(0, 1), placed(1, 1)]] };
        let broken = |instance: &Instance| {
            let found = alternatives(instance, &schedule, &people(1, 1), 0);
            found.into_iter().map(|one| (one.slot, one.broken_rules)).collect::<Vec<_>>()
        };
        assert_eq!(broken(&instance), [(1, vec![]), (2, vec![0])]);
        instance.mixing[0].limit = limit("0.5")?;
        assert_eq!(broken(&instance), [(2, vec![]), (1, vec![])], "three and nine are better than two and ten");
        Ok(())
    }
}
