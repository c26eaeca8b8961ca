//! The problem as the search sees it: slots in the order they are filled, and kinds of units that are alike.

use super::rules::Rules;
use crate::instance::{Instance, Unit};
use crate::schedule::{Placement, Schedule};
use std::collections::BTreeMap;

/// Slots, kinds of units and rules. Units that can go to one slot only are placed already.
#[derive(Debug)]
pub(super) struct Model {
    /// In the order of the search.
    pub(super) slots: Vec<Slot>,
    pub(super) kinds: Vec<Kind>,
    /// How many quasi-identifier values there are.
    pub(super) rows: usize,
    pub(super) rules: Rules,
    /// The people of all kinds: those who are not placed already.
    pub(super) people: u32,
    placed: Vec<(usize, Placement)>,
}

/// A slot and the people it holds in any case.
#[derive(Debug)]
pub(super) struct Slot {
    /// Its number in the instance.
    number: usize,
    pub(super) capacity: u32,
    /// The places left for kinds.
    pub(super) free: u32,
    /// The people of each row placed already.
    pub(super) fixed: Vec<u32>,
    /// The counters of the people placed already.
    pub(super) tally: Vec<u32>,
    /// The kinds that may come here, in the order in which the search decides about them.
    pub(super) kinds: Vec<usize>,
}

/// Units that are alike: the same members, counters and slots.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) count: u32,
    /// The people of one unit.
    pub(super) size: u32,
    /// The rows of one unit's members, and how many people of each.
    pub(super) members: Vec<(usize, u32)>,
    /// What one unit adds to the counters.
    pub(super) tally: Vec<(usize, u32)>,
    /// For every slot of the search whether it is allowed.
    pub(super) allowed: Vec<bool>,
    /// Kinds with the same number differ in their slots only.
    pub(super) makeup: usize,
    units: Vec<usize>,
}

/// What came of reading an instance.
pub(super) enum Reading {
    Model(Box<Model>),
    /// Somebody has no slot, or placed people overflow theirs.
    Infeasible,
    /// Tables over this problem would not fit.
    TooLarge,
}

/// Beyond these the search has no chance, its tables no room, and making them would take longer than anybody waits.
const MOST_SLOTS: usize = 1 << 11;
const MOST_CELLS: usize = 1 << 15;
const MOST_KINDS_TIMES_SLOTS: usize = 1 << 14;
/// With more people even one bound takes seconds, and none was ever proved.
const MOST_PEOPLE: u64 = 500;
const MOST_SEATS: u64 = (1 << 18) - 1;

type Makeup = (Vec<(usize, u32)>, Vec<(usize, u32)>);

impl Model {
    pub(super) fn read(instance: &Instance) -> Reading {
        let slots = instance.capacities.len();
        let seats = instance.capacities.iter().sum::<u64>();
        let is_large = slots > MOST_SLOTS || instance.quasi_ids.saturating_mul(slots) > MOST_CELLS;
        if is_large || instance.people() > MOST_PEOPLE || seats > MOST_SEATS {
            return Reading::TooLarge;
        }
        let rules = Rules::new(instance);
        let Some((settled, loose)) = place_those_without_choice(instance) else { return Reading::Infeasible };

        let mut makeups: BTreeMap<Makeup, usize> = BTreeMap::new();
        let mut kinds: BTreeMap<(usize, Vec<usize>), Kind> = BTreeMap::new();
        for (number, slots) in loose {
            let unit = &instance.units[number];
            let (members, tally) = (members(unit), rules.tally(unit));
            let next = makeups.len();
            let makeup = *makeups.entry((members.clone(), tally.clone())).or_insert(next);
            let kind = kinds.entry((makeup, slots)).or_insert_with(|| Kind {
                count: 0,
                size: unit.size() as u32,
                members,
                tally,
                allowed: Vec::new(),
                makeup,
                units: Vec::new(),
            });
            kind.count += unit.count as u32;
            kind.units.push(number);
        }
        let (allowed, kinds): (Vec<Vec<usize>>, Vec<Kind>) =
            kinds.into_iter().map(|((_, slots), kind)| (slots, kind)).unzip();
        if kinds.len() * slots > MOST_KINDS_TIMES_SLOTS {
            return Reading::TooLarge;
        }
        let people = kinds.iter().map(|kind| kind.count * kind.size).sum();
        let mut model = Self { slots: Vec::new(), kinds, rows: instance.quasi_ids, rules, people, placed: settled };
        model.fill_slots(instance, &allowed);
        Reading::Model(Box::new(model))
    }

    /// Puts the slots in order, with who is there already and who may come.
    fn fill_slots(&mut self, instance: &Instance, allowed: &[Vec<usize>]) {
        let order = order_of_slots(instance, allowed);
        for &number in &order {
            let mut slot = Slot {
                number,
                capacity: instance.capacities[number] as u32,
                free: instance.capacities[number] as u32,
                fixed: vec![0; self.rows],
                tally: vec![0; self.rules.counters()],
                kinds: Vec::new(),
            };
            for (unit, placement) in self.placed.iter().filter(|(_, placement)| placement.slot == number) {
                let unit = &instance.units[*unit];
                let units = placement.units as u32;
                slot.free -= unit.size() as u32 * units;
                for (row, people) in members(unit) {
                    slot.fixed[row] += people * units;
                }
                for (counter, people) in self.rules.tally(unit) {
                    slot.tally[counter] += people * units;
                }
            }
            self.slots.push(slot);
        }
        for (kind, slots) in self.kinds.iter_mut().zip(allowed) {
            kind.allowed = order.iter().map(|number| slots.contains(number)).collect();
        }
        self.order_kinds();
    }

    /// In every slot: families across rows first, then row by row, large units before small ones, and of units that differ in
    /// their slots only those with the fewest slots left to come first.
    fn order_kinds(&mut self) {
        let mut people = vec![0; self.rows];
        for kind in &self.kinds {
            for &(row, members) in &kind.members {
                people[row] += members * kind.count;
            }
        }
        for at in 0..self.slots.len() {
            let mut here: Vec<usize> = (0..self.kinds.len()).filter(|&kind| self.kinds[kind].allowed[at]).collect();
            here.sort_by_key(|&number| {
                let kind = &self.kinds[number];
                let row = kind.members[0].0;
                let is_in_one_row = kind.members.len() == 1;
                let row_key = if is_in_one_row { (u32::MAX - people[row], row) } else { (0, 0) };
                (is_in_one_row, row_key, u32::MAX - kind.size, kind.makeup, kind.left_after(at), number)
            });
            self.slots[at].kinds = here;
        }
    }

    /// A schedule of the instance, from the units of each kind in each slot of the search.
    pub(super) fn schedule(&self, instance: &Instance, units: &[Vec<u32>]) -> Schedule {
        let mut rows = vec![Vec::new(); instance.units.len()];
        for &(unit, placement) in &self.placed {
            rows[unit].push(placement);
        }
        for (number, kind) in self.kinds.iter().enumerate() {
            let mut sources = kind.units.iter().map(|&unit| (unit, instance.units[unit].count));
            let mut source = sources.next();
            for (slot, units) in self.slots.iter().zip(units) {
                let mut left = u64::from(units[number]);
                while let Some((unit, available)) = source.as_mut().filter(|_| left > 0) {
                    let units = left.min(*available);
                    if units > 0 {
                        rows[*unit].push(Placement { slot: slot.number, units });
                    }
                    left -= units;
                    *available -= units;
                    if *available == 0 {
                        source = sources.next();
                    }
                }
            }
        }
        for row in &mut rows {
            row.sort_unstable();
        }
        Schedule { rows }
    }
}

impl Kind {
    /// How many allowed slots come after this one.
    pub(super) fn left_after(&self, slot: usize) -> usize {
        self.allowed[slot + 1..].iter().filter(|&&allowed| allowed).count()
    }

    /// Whether every allowed slot after this one is allowed to the other kind as well.
    pub(super) fn is_left_within(&self, other: &Self, slot: usize) -> bool {
        self.allowed[slot + 1..].iter().zip(&other.allowed[slot + 1..]).all(|(&ours, &theirs)| theirs || !ours)
    }
}

fn members(unit: &Unit) -> Vec<(usize, u32)> {
    let mut members = BTreeMap::new();
    for member in unit.members.iter().filter(|member| member.people > 0) {
        *members.entry(member.quasi_id).or_insert(0) += member.people as u32;
    }
    members.into_iter().collect()
}

type Placed = Vec<(usize, Placement)>;
type Loose = Vec<(usize, Vec<usize>)>;

/// Places units that have one slot, which takes room from others and may leave them one slot, and so on. None if somebody has no
/// slot or a slot overflows.
fn place_those_without_choice(instance: &Instance) -> Option<(Placed, Loose)> {
    let mut free = instance.capacities.clone();
    let mut placed = Vec::new();
    let with_people = instance.units.iter().enumerate().filter(|(_, unit)| unit.count > 0);
    let mut loose: Loose = with_people.map(|(number, unit)| (number, unit.allowed.slots(free.len()))).collect();
    loop {
        let before = loose.len();
        let mut still_loose = Vec::new();
        for (number, mut slots) in loose {
            let unit = &instance.units[number];
            slots.retain(|&slot| unit.size() <= free[slot]);
            let slot = *slots.first()?;
            if slots.len() == 1 || unit.size() == 0 {
                free[slot] = free[slot].checked_sub(unit.people_in_all())?;
                placed.push((number, Placement { slot, units: unit.count }));
            } else {
                still_loose.push((number, slots));
            }
        }
        loose = still_loose;
        if loose.len() == before {
            return Some((placed, loose));
        }
    }
}

/// The slots such that few kinds are open at a time: a kind is open between the first and the last of its slots. Slots that the
/// same kinds may go to stand together, large ones first.
fn order_of_slots(instance: &Instance, allowed: &[Vec<usize>]) -> Vec<usize> {
    let slots = instance.capacities.len();
    let mut kinds_of = vec![Vec::new(); slots];
    for (kind, slots) in allowed.iter().enumerate() {
        for &slot in slots {
            kinds_of[slot].push(kind);
        }
    }
    let mut different = kinds_of.clone();
    different.sort_unstable();
    different.dedup();
    let rank_of: Vec<usize> = kinds_of.iter().map(|kinds| different.partition_point(|other| other < kinds)).collect();
    let mut left: Vec<usize> = allowed.iter().map(Vec::len).collect();
    let mut is_open = vec![false; allowed.len()];
    let mut rest: Vec<usize> = (0..slots).collect();
    let mut order = Vec::with_capacity(slots);
    while !rest.is_empty() {
        let key = |&slot: &usize| {
            let opened = kinds_of[slot].iter().filter(|&&kind| !is_open[kind] && left[kind] > 1).count();
            let closed = kinds_of[slot].iter().filter(|&&kind| is_open[kind] && left[kind] == 1).count();
            (opened + allowed.len() - closed, rank_of[slot], u64::MAX - instance.capacities[slot], slot)
        };
        let Some(next) = rest.iter().copied().min_by_key(key) else { break };
        rest.retain(|&slot| slot != next);
        for &kind in &kinds_of[next] {
            is_open[kind] = true;
            left[kind] -= 1;
        }
        order.push(next);
    }
    order
}
