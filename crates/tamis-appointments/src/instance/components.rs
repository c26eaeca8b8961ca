//! The parts of a problem that have nothing to do with each other.

use super::{Allowed, Instance, Limit, MixingRule, Unit};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Units and slots that are connected by where the units may go, and to nothing else.
///
/// Cells are people of one quasi-identifier in one slot, so no cell spans two components: their vectors add. The order of
/// vectors does not change when the same vector is added to both sides, so every component can be solved by itself. The
/// paper's regions, where people go to the centres of their own region only, are components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The units, as positions in the instance.
    pub units: Vec<usize>,
    /// The slots they may go to, in ascending order.
    pub slots: Vec<usize>,
    /// The mixing rules that can be broken here.
    pub rules: Vec<usize>,
}

impl Instance {
    /// The components, by their first slot. Slots nobody may go to and units without people or without slots are in none.
    ///
    /// Takes time nearly linear in the lengths of the distinct lists of allowed slots and the number of units.
    pub fn components(&self) -> Vec<Component> {
        let mut forest = Forest::new(self.capacities.len());
        let mut seen = SeenLists::new();
        for unit in self.units.iter().filter(|unit| unit.people_in_all() > 0) {
            forest.join(&unit.allowed, &mut seen);
        }
        let mut component_of_root = vec![None; self.capacities.len()];
        let mut components: Vec<Component> = Vec::new();
        let mut slots_of_root = vec![Vec::new(); self.capacities.len()];
        for slot in 0..self.capacities.len() {
            slots_of_root[forest.root(slot)].push(slot);
        }
        let mut first_units: Vec<(usize, usize)> = Vec::new();
        for (number, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.people_in_all() > 0) {
            let first = match &unit.allowed {
                Allowed::All => Some(0),
                Allowed::Only(slots) => slots.first().copied(),
            };
            if let Some(slot) = first.filter(|&slot| slot < self.capacities.len()) {
                first_units.push((number, forest.root(slot)));
            }
        }
        for (number, root) in first_units {
            let at = *component_of_root[root].get_or_insert_with(|| {
                let slots = std::mem::take(&mut slots_of_root[root]);
                components.push(Component { units: Vec::new(), slots, rules: Vec::new() });
                components.len() - 1
            });
            components[at].units.push(number);
        }
        components.sort_by_key(|component| component.slots[0]);
        for component in &mut components {
            component.rules = (0..self.mixing.len()).filter(|&rule| self.can_break(component, rule)).collect();
        }
        components
    }

    /// Whether some schedule of the component could break a rule: one that asks nothing, or counts nobody here, cannot be.
    fn can_break(&self, component: &Component, rule: usize) -> bool {
        let rule: &MixingRule = &self.mixing[rule];
        let asks_nothing = match rule.limit {
            Limit::MaximumShare(share) => share.allows(1, 1),
            Limit::MinimumDistinct(least) => least <= 1,
        };
        let members = || component.units.iter().flat_map(|&unit| &self.units[unit].members);
        !asks_nothing && members().any(|member| member.people > 0 && rule.counts(member.values[rule.attribute]))
    }

    /// The component as a problem of its own: units and slots in the order of the component, quasi-identifiers numbered anew,
    /// slots renamed, and [`Allowed::All`] for units that may go to every slot of it.
    #[must_use]
    pub fn restricted_to(&self, component: &Component) -> Self {
        let mut allowed = Renaming { component, known: HashMap::new() };
        let mut quasi_ids = HashMap::new();
        let units = component.units.iter().map(|&number| {
            let unit = &self.units[number];
            let members = unit.members.iter().filter(|member| member.people > 0).map(|member| {
                let mut member = member.clone();
                let next = quasi_ids.len();
                member.quasi_id = *quasi_ids.entry(member.quasi_id).or_insert(next);
                if component.rules.is_empty() {
                    member.values.clear();
                }
                member
            });
            Unit { members: members.collect(), count: unit.count, allowed: allowed.rename(&unit.allowed) }
        });
        let units = units.collect();
        Self {
            quasi_ids: quasi_ids.len(),
            capacities: component.slots.iter().map(|&slot| self.capacities[slot]).collect(),
            units,
            attributes: if component.rules.is_empty() { Vec::new() } else { self.attributes.clone() },
            mixing: component.rules.iter().map(|&rule| self.mixing[rule].clone()).collect(),
        }
    }
}

/// Lists of slots that units share are looked at once; they are told apart by where they lie in memory, which decides
/// nothing but the time.
type SeenLists = HashSet<*const usize>;

/// Disjoint sets of slots.
struct Forest {
    parent: Vec<usize>,
    all_joined: bool,
}

impl Forest {
    fn new(slots: usize) -> Self {
        Self { parent: (0..slots).collect(), all_joined: false }
    }

    fn root(&mut self, slot: usize) -> usize {
        let mut root = slot;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    fn unite(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        let (low, high) = (left.min(right), left.max(right));
        self.parent[high] = low;
    }

    fn join(&mut self, allowed: &Allowed, seen: &mut SeenLists) {
        match allowed {
            Allowed::All if !self.all_joined => {
                self.parent.fill(0);
                self.all_joined = true;
            }
            Allowed::Only(slots) if !self.all_joined && seen.insert(slots.as_ptr()) => {
                let slots_in_all = self.parent.len();
                for pair in slots.windows(2).filter(|pair| pair[1] < slots_in_all) {
                    self.unite(pair[0], pair[1]);
                }
            }
            _ => {}
        }
    }
}

/// Lists of allowed slots in the numbers of a component.
struct Renaming<'a> {
    component: &'a Component,
    known: HashMap<*const usize, Allowed>,
}

impl Renaming<'_> {
    fn rename(&mut self, allowed: &Allowed) -> Allowed {
        let Allowed::Only(slots) = allowed else { return Allowed::All };
        let component = self.component;
        let rename = || {
            let local = slots.iter().filter_map(|slot| component.slots.binary_search(slot).ok());
            let local: Arc<[usize]> = local.collect();
            if local.len() == component.slots.len() { Allowed::All } else { Allowed::Only(local) }
        };
        self.known.entry(slots.as_ptr()).or_insert_with(rename).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn instance(slots: usize, lists: &[Vec<usize>]) -> Instance {
        let units = lists
            .iter()
            .enumerate()
            .map(|(quasi_id, list)| Unit { allowed: Allowed::Only(list.clone().into()), ..Unit::people(quasi_id, 1) });
        Instance {
            quasi_ids: lists.len(),
            capacities: vec![9; slots],
            units: units.collect(),
            attributes: Vec::new(),
            mixing: Vec::new(),
        }
    }

    #[test]
    fn the_regions_of_the_paper_are_components() {
        let regions = [vec![0, 3], vec![1, 2], vec![0, 3], vec![4]];
        let instance = instance(6, &regions);
        let components = instance.components();
        let units_and_slots: Vec<_> = components.iter().map(|part| (part.units.clone(), part.slots.clone())).collect();
        assert_eq!(units_and_slots, [(vec![0, 2], vec![0, 3]), (vec![1], vec![1, 2]), (vec![3], vec![4])]);
        let region = instance.restricted_to(&components[0]);
        assert_eq!(
            region.as_plain().map(|plain| (plain.frequencies, plain.capacities)),
            Some((vec![1, 1], vec![9, 9]))
        );
    }

    proptest! {
        #[test]
        fn two_slots_are_together_when_a_walk_over_units_connects_them(
            lists in prop::collection::vec(prop::collection::btree_set(0_usize..8, 0..4), 1..7),
        ) {
            let lists: Vec<Vec<usize>> = lists.into_iter().map(|list| list.into_iter().collect()).collect();
            let components = instance(8, &lists).components();
            let mut reach = [[false; 8]; 8];
            for list in &lists {
                for &from in list {
                    for &to in list {
                        reach[from][to] = true;
                    }
                }
            }
            for middle in 0..8 {
                for from in 0..8 {
                    for to in 0..8 {
                        reach[from][to] |= reach[from][middle] && reach[middle][to];
                    }
                }
            }
            let part_of = |slot: usize| components.iter().position(|part| part.slots.contains(&slot));
            for (from, reached) in reach.iter().enumerate() {
                for (to, &is_reached) in reached.iter().enumerate() {
                    prop_assert_eq!(is_reached, part_of(from).is_some() && part_of(from) == part_of(to));
                }
            }
            for (number, list) in lists.iter().enumerate() {
                let part = components.iter().position(|part| part.units.contains(&number));
                prop_assert_eq!(part, list.first().and_then(|&slot| part_of(slot)));
            }
        }
    }
}
