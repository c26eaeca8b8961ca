//! Why no schedule meets the conditions, in the smallest terms found.

use super::kinds::{Kinds, most};
use super::reservation::{Crowd, Reservation};
use crate::error::Conflict;
use crate::instance::{Allowed, Instance, Limit, Unit, Who};

/// Conflicts that can be seen without a search: somebody without a slot, a family larger than its slots, people who share too few
/// places, shares and numbers of values that cannot be reached. None found does not mean that there is a schedule.
pub(super) fn evident(instance: &Instance, kinds: &Kinds) -> Option<Conflict> {
    no_slot(instance)
        .or_else(|| large_family(kinds))
        .or_else(|| crowd(kinds))
        .or_else(|| (0..kinds.rules.len()).find_map(|rule| unreachable_rule(kinds, rule)))
}

/// Units that may go nowhere.
pub(super) fn no_slot(instance: &Instance) -> Option<Conflict> {
    let slots = instance.capacities.len();
    let nowhere = |unit: &Unit| match &unit.allowed {
        Allowed::All => false,
        Allowed::Only(list) => list.first().is_none_or(|&slot| slot >= slots),
    };
    let units: Vec<usize> = (0..instance.units.len())
        .filter(|&unit| instance.units[unit].people_in_all() > 0 && nowhere(&instance.units[unit]))
        .collect();
    let people = units.iter().map(|&unit| instance.units[unit].people_in_all()).sum();
    let first = *units.first()?;
    let reason = match units.len() {
        1 => format!("unit {} ({people} people) may not go to any slot", first + 1),
        several => format!("{several} units ({people} people) may not go to any slot, the first is unit {}", first + 1),
    };
    Some(Conflict { reason, units, people, is_proved: true, ..Conflict::default() })
}

/// A unit with more members than any of its slots takes.
fn large_family(kinds: &Kinds) -> Option<Conflict> {
    let largest = |kind: usize| kinds.slots(kind).iter().map(|&slot| kinds.capacities[slot]).max().unwrap_or(0);
    let kind = (0..kinds.all.len()).find(|&kind| kinds.all[kind].size > largest(kind))?;
    let (size, places) = (kinds.all[kind].size, largest(kind));
    let unit = kinds.all[kind].units[0];
    Some(Conflict {
        reason: format!(
            "unit {} has {size} people who must stay together, but the largest slot it may go to takes {places}",
            unit + 1
        ),
        units: vec![unit],
        slots: kinds.slots(kind).to_vec(),
        people: size,
        places,
        is_proved: true,
        ..Conflict::default()
    })
}

/// People who may only go to slots that do not take them all, even if families could be split.
fn crowd(kinds: &Kinds) -> Option<Conflict> {
    let demand = demand(kinds);
    let found = Reservation::new(&kinds.classes, &demand, &kinds.capacities).err()?;
    let crowd = smallest_crowd(kinds, &demand, found);
    let slots = slots_of_crowd(kinds, &crowd);
    let units = units_where(kinds, |kind| crowd.classes.binary_search(&kinds.all[kind].class).is_ok());
    let people: u64 = crowd.classes.iter().map(|&class| demand[class]).sum();
    let places: u64 = slots.iter().map(|&slot| kinds.capacities[slot]).sum();
    let together = if slots.len() == 1 { "one slot that takes" } else { "slots that together take" };
    Some(Conflict {
        reason: format!("{people} people may only go to {together} {places}: {}", missing(people - places)),
        units,
        slots,
        people,
        places,
        is_proved: true,
        ..Conflict::default()
    })
}

fn missing(places: u64) -> String {
    if places == 1 { "1 place is missing".to_owned() } else { format!("{places} places are missing") }
}

/// How many people each class has.
fn demand(kinds: &Kinds) -> Vec<u64> {
    let mut demand = vec![0; kinds.classes.len()];
    for kind in &kinds.all {
        demand[kind.class] += kind.size * kind.count;
    }
    demand
}

fn slots_of_crowd(kinds: &Kinds, crowd: &Crowd) -> Vec<usize> {
    let mut slots: Vec<usize> = crowd.classes.iter().flat_map(|&class| kinds.classes[class].iter().copied()).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The positions in the instance of all units of some kinds.
pub(super) fn units_where(kinds: &Kinds, is_in: impl Fn(usize) -> bool) -> Vec<usize> {
    let of_kind = (0..kinds.all.len()).filter(|&kind| is_in(kind)).flat_map(|kind| kinds.all[kind].units.iter());
    let mut units: Vec<usize> = of_kind.copied().collect();
    units.sort_unstable();
    units
}

/// More classes than this are only thinned out by counting, not by a flow for each of them.
const MOST_FLOWS: usize = 400;

/// A crowd from which no class can be left out.
fn smallest_crowd(kinds: &Kinds, demand: &[u64], found: Crowd) -> Crowd {
    let mut crowd = thinned(kinds, demand, found);
    if crowd.classes.len() > MOST_FLOWS {
        return crowd;
    }
    let mut needed = 0;
    while needed < crowd.classes.len() {
        let without: Vec<u64> = (0..demand.len())
            .map(|class| {
                let is_in = crowd.classes.binary_search(&class).is_ok() && class != crowd.classes[needed];
                if is_in { demand[class] } else { 0 }
            })
            .collect();
        // Who was needed before is needed in a smaller crowd too, so the first ones stay where they are.
        match Reservation::new(&kinds.classes, &without, &kinds.capacities) {
            Err(smaller) => crowd.classes = smaller.classes.into_iter().filter(|&class| without[class] > 0).collect(),
            Ok(_) => needed += 1,
        }
    }
    crowd
}

/// Leaves classes out as long as the rest still has more people than places.
fn thinned(kinds: &Kinds, demand: &[u64], crowd: Crowd) -> Crowd {
    let mut classes = crowd.classes;
    let mut visitors = vec![0_usize; kinds.capacities.len()];
    for &class in &classes {
        for &slot in &kinds.classes[class] {
            visitors[slot] += 1;
        }
    }
    let mut people: u64 = classes.iter().map(|&class| demand[class]).sum();
    let mut places: u64 =
        visitors.iter().zip(&kinds.capacities).filter(|&(&visitors, _)| visitors > 0).map(|(_, &places)| places).sum();
    loop {
        let before = classes.len();
        classes.retain(|&class| {
            let alone = kinds.classes[class].iter().filter(|&&slot| visitors[slot] == 1);
            let freed: u64 = alone.map(|&slot| kinds.capacities[slot]).sum();
            let is_needed = people - demand[class] <= places - freed;
            if !is_needed {
                people -= demand[class];
                places -= freed;
                for &slot in &kinds.classes[class] {
                    visitors[slot] -= 1;
                }
            }
            is_needed
        });
        if classes.len() == before {
            return Crowd { classes };
        }
    }
}

/// A rule that no schedule can keep, whatever it does, seen by counting.
fn unreachable_rule(kinds: &Kinds, rule: usize) -> Option<Conflict> {
    match kinds.rules[rule].limit {
        Limit::MaximumShare(_) => {
            let values = kinds.rules[rule].values.clone();
            match kinds.rules[rule].who {
                Who::Each => values.into_iter().find_map(|tally| share_conflict(kinds, rule, |other| other == tally)),
                _ => share_conflict(kinds, rule, |tally| kinds.rules[rule].counts(tally)),
            }
        }
        Limit::MinimumDistinct(least) => distinct_conflict(kinds, rule, u64::from(least)),
    }
}

/// The people counted are more than the share allows over the slots they may go to.
fn share_conflict(kinds: &Kinds, rule: usize, counts: impl Fn(usize) -> bool) -> Option<Conflict> {
    let Limit::MaximumShare(share) = kinds.rules[rule].limit else { return None };
    let counted = |kind: usize| -> u64 {
        kinds.all[kind].values.iter().filter(|&&(tally, _)| counts(tally)).map(|&(_, people)| people).sum()
    };
    let mut counted_of = vec![0_u64; kinds.classes.len()];
    for (number, kind) in kinds.all.iter().enumerate() {
        counted_of[kind.class] += counted(number) * kind.count;
    }
    let people_of = demand(kinds);
    let listed: usize = kinds.classes.iter().map(Vec::len).sum();
    let mut regions: Vec<Vec<usize>> = (0..kinds.classes.len())
        .filter(|&class| counted_of[class] > 0)
        .map(|class| kinds.classes[class].clone())
        .take(MOST_LOOKUPS / listed.max(1))
        .collect();
    regions.sort_by_key(Vec::len);
    regions.push((0..kinds.capacities.len()).collect());
    regions.into_iter().find_map(|region| {
        let is_in = |slot: &usize| region.binary_search(slot).is_ok();
        let is_confined = |class: usize| counted_of[class] > 0 && kinds.classes[class].iter().all(is_in);
        let may_come = |class: usize| kinds.classes[class].iter().any(is_in);
        let all = 0..kinds.classes.len();
        let people: u64 = all.clone().filter(|&class| is_confined(class)).map(|class| counted_of[class]).sum();
        let company: u64 = all.filter(|&class| may_come(class)).map(|class| people_of[class]).sum();
        let by_company = most(share, company);
        let by_capacity: u64 = region.iter().map(|&slot| most(share, kinds.capacities[slot])).sum();
        let places = by_company.min(by_capacity);
        (people > places).then(|| {
            let among = if by_company <= by_capacity {
                format!("the {company} people who may go to their slots")
            } else {
                "the places of their slots".to_owned()
            };
            Conflict {
                reason: format!(
                    "rule {} counts {people} people, but its share of {among} is {places}: {} too many",
                    rule + 1,
                    people - places
                ),
                units: units_where(kinds, |kind| counted(kind) > 0 && is_confined(kinds.all[kind].class)),
                slots: region.clone(),
                rules: vec![rule],
                people,
                places,
                is_proved: true,
            }
        })
    })
}

/// How often slots are looked up in lists before the search for too large a share is content with the whole component.
const MOST_LOOKUPS: usize = 20_000_000;

/// People counted who cannot meet enough different values in any slot they may go to.
fn distinct_conflict(kinds: &Kinds, rule: usize, least: u64) -> Option<Conflict> {
    let counted = |kind: usize| {
        let tallies = kinds.all[kind].values.iter().map(|&(tally, _)| tally);
        tallies.filter(|&tally| kinds.rules[rule].counts(tally))
    };
    let mut may_be_there = vec![false; kinds.capacities.len() * kinds.tallies];
    for kind in 0..kinds.all.len() {
        for tally in counted(kind) {
            for &slot in kinds.slots(kind) {
                may_be_there[slot * kinds.tallies + tally] = true;
            }
        }
    }
    let values = may_be_there.chunks(kinds.tallies).map(|tallies| tallies.iter().filter(|&&is| is).count() as u64);
    let values: Vec<u64> = values.collect();
    let most_values = |kind: usize| kinds.slots(kind).iter().map(|&slot| values[slot]).max().unwrap_or(0);
    let stuck: Vec<usize> =
        (0..kinds.all.len()).filter(|&kind| counted(kind).next().is_some() && most_values(kind) < least).collect();
    let found = stuck.iter().map(|&kind| most_values(kind)).max()?;
    let people = stuck.iter().map(|&kind| kinds.all[kind].size * kinds.all[kind].count).sum();
    let mut slots: Vec<usize> = stuck.iter().flat_map(|&kind| kinds.slots(kind).iter().copied()).collect();
    slots.sort_unstable();
    slots.dedup();
    Some(Conflict {
        reason: format!(
            "rule {} asks for {least} different values in a slot, but at most {found} can meet where these {people} people go",
            rule + 1
        ),
        units: units_where(kinds, |kind| stuck.binary_search(&kind).is_ok()),
        slots,
        rules: vec![rule],
        people,
        places: 0,
        is_proved: true,
    })
}
