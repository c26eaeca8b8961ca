//! A component in the form the searches work on: kinds of units, lists of allowed slots, rules over tallies.

use crate::instance::{Allowed, Instance, Limit, Share, Who};
use crate::schedule::{Placement, Schedule};
use std::collections::HashMap;
use std::ops::Range;

/// Units that are alike in everything: whoever they are, a schedule may exchange them.
#[derive(Debug)]
pub(super) struct Kind {
    /// (quasi-identifier, people of it) of one unit.
    pub(super) parts: Vec<(usize, u64)>,
    /// (tally, people in it) of one unit; see [`Kinds::tallies`].
    pub(super) values: Vec<(usize, u64)>,
    /// How many people one unit has.
    pub(super) size: u64,
    /// How many units there are.
    pub(super) count: u64,
    /// The number of their list of allowed slots.
    pub(super) class: usize,
    /// The units of the instance that are of this kind.
    pub(super) units: Vec<usize>,
}

impl Kind {
    /// Whether a unit is one person.
    pub(super) fn is_single(&self) -> bool {
        self.size == 1
    }
}

/// A component with its units put together by kind.
#[derive(Debug)]
pub(super) struct Kinds {
    pub(super) kinds: Vec<Kind>,
    /// The distinct lists of allowed slots.
    pub(super) classes: Vec<Vec<usize>>,
    pub(super) capacities: Vec<u64>,
    pub(super) quasi_ids: usize,
    pub(super) rules: Vec<TallyRule>,
    pub(super) has_families: bool,
    /// Whether a class may go to a slot, a bit for each pair by class; empty where that would be too many.
    allowed: Vec<u64>,
    /// How many tallies a slot has: one for every value of every attribute that a rule speaks of.
    pub(super) tallies: usize,
    /// How many units the instance has.
    units: usize,
}

/// A mixing rule over the tallies of a slot.
#[derive(Debug, Clone)]
pub(super) struct TallyRule {
    /// The tallies of the attribute's values.
    pub(super) values: Range<usize>,
    pub(super) who: Who,
    pub(super) limit: Limit,
}

impl Kinds {
    /// The kinds of an instance. Linear in its size but for the hashing of lists.
    pub(super) fn of(instance: &Instance) -> Self {
        let (rules, tallies, first_tally) = tally_rules(instance);
        let mut classes = Vec::new();
        let mut class_of = HashMap::new();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut kind_of = HashMap::new();
        for (number, unit) in instance.units.iter().enumerate().filter(|(_, unit)| unit.people_in_all() > 0) {
            let class = *class_of.entry(unit.allowed.clone()).or_insert_with(|| {
                classes.push(slots_of(&unit.allowed, instance.capacities.len()));
                classes.len() - 1
            });
            let parts = added(unit.members.iter().map(|member| (member.quasi_id, member.people)));
            let values = added(unit.members.iter().flat_map(|member| {
                first_tally
                    .iter()
                    .map(|(&attribute, &first)| (first + member.values[attribute] as usize, member.people))
            }));
            let at = *kind_of.entry((class, parts.clone(), values.clone())).or_insert_with(|| {
                kinds.push(Kind { parts, values, size: unit.size(), count: 0, class, units: Vec::new() });
                kinds.len() - 1
            });
            kinds[at].count += unit.count;
            kinds[at].units.push(number);
        }
        Self {
            has_families: kinds.iter().any(|kind| !kind.is_single()),
            allowed: bits_of(&classes, instance.capacities.len()),
            kinds,
            classes,
            capacities: instance.capacities.clone(),
            quasi_ids: instance.quasi_ids,
            rules,
            tallies,
            units: instance.units.len(),
        }
    }

    /// The slots a kind may go to, in ascending order.
    pub(super) fn slots(&self, kind: usize) -> &[usize] {
        &self.classes[self.kinds[kind].class]
    }

    /// Whether a kind may go to a slot.
    pub(super) fn allows(&self, kind: usize, slot: usize) -> bool {
        if self.allowed.is_empty() {
            return self.slots(kind).binary_search(&slot).is_ok();
        }
        let bit = self.kinds[kind].class * self.capacities.len() + slot;
        self.allowed[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// How many people there are.
    pub(super) fn people(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.size * kind.count).sum()
    }

    /// How many units each kind sends to its slots in a schedule of the instance.
    pub(super) fn placed(&self, schedule: &Schedule) -> Vec<Vec<(usize, u64)>> {
        let placements = |unit: &usize| schedule.rows[*unit].iter().map(|placement| (placement.slot, placement.units));
        self.kinds.iter().map(|kind| added(kind.units.iter().flat_map(placements))).collect()
    }

    /// The schedule of the instance: what each kind sends to its slots goes to its units in their order.
    pub(super) fn schedule(&self, instance: &Instance, placed: &[Vec<(usize, u64)>]) -> Schedule {
        let mut rows = vec![Vec::new(); self.units];
        for (kind, placements) in self.kinds.iter().zip(placed) {
            let mut rest = placements.iter().copied().filter(|&(_, units)| units > 0);
            let mut current = rest.next();
            for &unit in &kind.units {
                let mut missing = instance.units[unit].count;
                while let Some((slot, left)) = current.filter(|_| missing > 0) {
                    let units = left.min(missing);
                    rows[unit].push(Placement { slot, units });
                    missing -= units;
                    current = if left > units { Some((slot, left - units)) } else { rest.next() };
                }
                rows[unit].sort_unstable();
            }
        }
        Schedule { rows }
    }

    /// How much is wrong with what a slot holds: the people over its capacity, those over a share, the values that miss. Zero
    /// exactly when the slot keeps everything.
    pub(super) fn trouble(&self, slot: usize, load: u64, tallies: &[u64]) -> u64 {
        let overload = load.saturating_sub(self.capacities[slot]);
        let broken: u64 = self.rules.iter().map(|rule| rule.trouble(load, tallies)).sum();
        overload + broken
    }
}

impl TallyRule {
    /// How far a slot is from keeping the rule, in people or values.
    pub(super) fn trouble(&self, load: u64, tallies: &[u64]) -> u64 {
        let values = &tallies[self.values.clone()];
        let of = |value: u32| values.get(value as usize).copied().unwrap_or(0);
        match (self.limit, self.who) {
            (Limit::MaximumShare(share), Who::Each) => {
                values.iter().map(|&people| people.saturating_sub(most(share, load))).sum()
            }
            (Limit::MaximumShare(share), Who::Only(value)) => of(value).saturating_sub(most(share, load)),
            (Limit::MaximumShare(share), Who::AllBut(value)) => (load - of(value)).saturating_sub(most(share, load)),
            (Limit::MinimumDistinct(least), who) => {
                let counted = |value: usize| match who {
                    Who::Each => true,
                    Who::Only(only) => value == only as usize,
                    Who::AllBut(but) => value != but as usize,
                };
                let present = values.iter().enumerate().filter(|&(value, &people)| people > 0 && counted(value));
                let (distinct, people) = present.fold((0_u64, 0_u64), |sum, (_, &people)| (sum.0 + 1, sum.1 + people));
                if distinct == 0 { 0 } else { u64::from(least).saturating_sub(distinct).min(people) }
            }
        }
    }

    /// Whether the rule counts people of this tally.
    pub(super) fn counts(&self, tally: usize) -> bool {
        self.values.contains(&tally)
            && match self.who {
                Who::Each => true,
                Who::Only(only) => tally - self.values.start == only as usize,
                Who::AllBut(but) => tally - self.values.start != but as usize,
            }
    }
}

/// The most people of a whole that a share allows.
pub(super) fn most(share: Share, whole: u64) -> u64 {
    let (numerator, denominator) = share.fraction();
    (u128::from(whole) * u128::from(numerator) / u128::from(denominator)) as u64
}

/// The rules, how many tallies they need, and the first tally of every attribute they speak of.
fn tally_rules(instance: &Instance) -> (Vec<TallyRule>, usize, std::collections::BTreeMap<usize, usize>) {
    let mut first_tally = std::collections::BTreeMap::new();
    let mut end_of = HashMap::new();
    let mut tallies = 0;
    for rule in &instance.mixing {
        first_tally.entry(rule.attribute).or_insert_with(|| {
            let codes =
                instance.units.iter().flat_map(|unit| &unit.members).map(|member| member.values[rule.attribute]);
            let first = tallies;
            tallies += codes.max().map_or(0, |code| code as usize + 1);
            end_of.insert(rule.attribute, tallies);
            first
        });
    }
    let rules = instance.mixing.iter().map(|rule| TallyRule {
        values: first_tally[&rule.attribute]..end_of[&rule.attribute],
        who: rule.who,
        limit: rule.limit,
    });
    (rules.collect(), tallies, first_tally)
}

/// The most pairs of classes and slots that are kept as bits.
const MOST_PAIRS: usize = 1 << 28;

fn bits_of(classes: &[Vec<usize>], slots: usize) -> Vec<u64> {
    let pairs = classes.len().saturating_mul(slots);
    if pairs > MOST_PAIRS {
        return Vec::new();
    }
    let mut bits = vec![0_u64; pairs.div_ceil(64)];
    for (class, list) in classes.iter().enumerate() {
        for &slot in list {
            let bit = class * slots + slot;
            bits[bit / 64] |= 1 << (bit % 64);
        }
    }
    bits
}

fn slots_of(allowed: &Allowed, slots_in_all: usize) -> Vec<usize> {
    let mut slots = allowed.slots(slots_in_all);
    slots.retain(|&slot| slot < slots_in_all);
    slots
}

/// The numbers with their people, equal numbers added up, in ascending order.
fn added(people: impl Iterator<Item = (usize, u64)>) -> Vec<(usize, u64)> {
    let mut sums: Vec<(usize, u64)> = Vec::new();
    let mut sorted: Vec<_> = people.filter(|&(_, people)| people > 0).collect();
    sorted.sort_unstable();
    for (number, people) in sorted {
        match sums.last_mut().filter(|last| last.0 == number) {
            Some(last) => last.1 += people,
            None => sums.push((number, people)),
        }
    }
    sums
}
