//! Mixing rules as counters of a slot.

use crate::instance::{Instance, Limit, Unit, Who};
use std::collections::{BTreeMap, BTreeSet};

/// The mixing rules, said of counters: every slot counts the people of some values, and the rules compare these numbers with each
/// other and with the people of the slot. People whom no counter tells apart are alike.
#[derive(Debug, Default)]
pub(super) struct Rules {
    counters: BTreeMap<(usize, Counted), usize>,
    /// A counter is at most this fraction of the people in a slot.
    pub(super) shares: Vec<Share>,
    /// So many of these counters are above zero, or none.
    distinct: Vec<(Vec<usize>, usize)>,
}

/// A counter that must not exceed a fraction of the slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) counter: usize,
    numerator: u64,
    denominator: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Counted {
    Value(u32),
    AllBut(u32),
}

impl Share {
    /// How many of so many people may be counted.
    pub(super) fn of(self, people: u32) -> u32 {
        (u128::from(people) * u128::from(self.numerator) / u128::from(self.denominator)) as u32
    }
}

impl Rules {
    pub(super) fn new(instance: &Instance) -> Self {
        let mut rules = Self::default();
        for rule in &instance.mixing {
            let members = instance.units.iter().flat_map(|unit| &unit.members);
            let values: BTreeSet<u32> =
                members.map(|member| member.values[rule.attribute]).filter(|&value| rule.counts(value)).collect();
            match (rule.limit, rule.who) {
                (Limit::MaximumShare(share), who) => {
                    let (numerator, denominator) = share.fraction();
                    let counted: Vec<Counted> = match who {
                        Who::Each => values.into_iter().map(Counted::Value).collect(),
                        Who::Only(value) => vec![Counted::Value(value)],
                        Who::AllBut(value) => vec![Counted::AllBut(value)],
                    };
                    for counted in counted {
                        let counter = rules.counter(rule.attribute, counted);
                        rules.shares.push(Share { counter, numerator, denominator });
                    }
                }
                (Limit::MinimumDistinct(least), _) => {
                    let counters =
                        values.into_iter().map(|value| rules.counter(rule.attribute, Counted::Value(value))).collect();
                    rules.distinct.push((counters, least as usize));
                }
            }
        }
        rules
    }

    fn counter(&mut self, attribute: usize, counted: Counted) -> usize {
        let next = self.counters.len();
        *self.counters.entry((attribute, counted)).or_insert(next)
    }

    /// How many counters there are.
    pub(super) fn counters(&self) -> usize {
        self.counters.len()
    }

    /// How much one unit adds to each counter it touches.
    pub(super) fn tally(&self, unit: &Unit) -> Vec<(usize, u32)> {
        let mut tally = BTreeMap::new();
        for (&(attribute, counted), &counter) in &self.counters {
            for member in unit.members.iter().filter(|member| member.people > 0) {
                let value = member.values[attribute];
                let is_counted = match counted {
                    Counted::Value(only) => value == only,
                    Counted::AllBut(but) => value != but,
                };
                if is_counted {
                    *tally.entry(counter).or_insert(0) += member.people as u32;
                }
            }
        }
        tally.into_iter().collect()
    }

    /// Whether a slot with so many people and these counters may stay as it is.
    pub(super) fn hold(&self, tally: &[u32], people: u32) -> bool {
        self.could_hold(tally, people)
            && self.distinct.iter().all(|(counters, least)| {
                let present = counters.iter().filter(|&&counter| tally[counter] > 0).count();
                present == 0 || present >= *least
            })
    }

    /// Whether a slot with these counters may still come to hold the rules, if it can have so many people in the end.
    pub(super) fn could_hold(&self, tally: &[u32], most_people: u32) -> bool {
        self.shares.iter().all(|share| tally[share.counter] <= share.of(most_people))
    }
}
