//! Every way to place the units, for small problems and for proofs that there is none.

use super::kinds::Kinds;
use super::reservation::Reservation;
use std::cmp::Reverse;

/// What looking at every schedule found.
#[derive(Debug)]
pub(super) enum Enumerated {
    /// How many units each kind sends to its slots.
    Found(Vec<Vec<(usize, u64)>>),
    /// There is no schedule.
    Nothing,
    /// The search was given up.
    GivenUp,
}

/// What is asked of a schedule.
#[derive(Debug, Clone)]
pub(super) struct Demands {
    /// Whether all units of a kind must be placed; otherwise some or all may stay away.
    pub(super) is_required: Vec<bool>,
    /// Whether a rule must be kept.
    pub(super) is_in_force: Vec<bool>,
}

impl Demands {
    /// Everything.
    pub(super) fn all(kinds: &Kinds) -> Self {
        Self { is_required: vec![true; kinds.all.len()], is_in_force: vec![true; kinds.rules.len()] }
    }
}

/// More choices in a row than this are not tried: they would neither end nor fit the stack.
const DEEPEST: usize = 2_000;

/// Looks for a schedule, at most so many steps long. Without rules only families are enumerated and a flow places the others.
pub(super) fn enumerate(kinds: &Kinds, demands: &Demands, steps: u64) -> Enumerated {
    let by_flow = !demands.is_in_force.contains(&true);
    let is_enumerated = |kind: &usize| {
        let is_family = !kinds.all[*kind].is_single();
        if by_flow { is_family && demands.is_required[*kind] } else { true }
    };
    let mut order: Vec<usize> = (0..kinds.all.len()).filter(is_enumerated).collect();
    if order.iter().map(|&kind| kinds.slots(kind).len() + 1).sum::<usize>() > DEEPEST {
        return Enumerated::GivenUp;
    }
    order.sort_by_key(|&kind| {
        (Reverse(demands.is_required[kind]), Reverse(kinds.all[kind].size), kinds.slots(kind).len())
    });
    let mut search = Search {
        kinds,
        demands,
        order,
        by_flow,
        loads: vec![0; kinds.capacities.len()],
        tallies: vec![0; kinds.capacities.len() * kinds.tallies],
        placed: vec![Vec::new(); kinds.all.len()],
        steps,
    };
    match search.place_kind(0) {
        Some(true) => Enumerated::Found(search.placed),
        Some(false) => Enumerated::Nothing,
        None => Enumerated::GivenUp,
    }
}

struct Search<'a> {
    kinds: &'a Kinds,
    demands: &'a Demands,
    order: Vec<usize>,
    by_flow: bool,
    loads: Vec<u64>,
    tallies: Vec<u64>,
    placed: Vec<Vec<(usize, u64)>>,
    steps: u64,
}

impl Search<'_> {
    /// Whether the kinds from a position on can be placed; none when the steps are used up.
    fn place_kind(&mut self, at: usize) -> Option<bool> {
        let Some(&kind) = self.order.get(at) else { return Some(self.complete()) };
        self.place_units(at, kind, 0, self.kinds.all[kind].count)
    }

    /// Whether so many units of a kind can go to its slots from a position on, and the other kinds after them.
    fn place_units(&mut self, at: usize, kind: usize, position: usize, left: u64) -> Option<bool> {
        self.steps = self.steps.checked_sub(1)?;
        let kinds = self.kinds;
        let slots = kinds.slots(kind);
        let Some(&slot) = slots.get(position) else {
            return if left == 0 || !self.demands.is_required[kind] { self.place_kind(at + 1) } else { Some(false) };
        };
        if left == 0 {
            return self.place_kind(at + 1);
        }
        let room = (kinds.capacities[slot] - self.loads[slot]) / kinds.all[kind].size;
        let is_last = position + 1 == slots.len() && self.demands.is_required[kind];
        if is_last && room < left {
            return Some(false);
        }
        let least = if is_last { left } else { 0 };
        for units in (least..=room.min(left)).rev() {
            self.change(kind, slot, units, true);
            let found = self.place_units(at, kind, position + 1, left - units);
            if found == Some(true) {
                if units > 0 {
                    self.placed[kind].push((slot, units));
                }
                return found;
            }
            self.change(kind, slot, units, false);
            found?;
        }
        Some(false)
    }

    fn change(&mut self, kind: usize, slot: usize, units: u64, is_coming: bool) {
        let unit = &self.kinds.all[kind];
        let add = |sum: &mut u64, people: u64| if is_coming { *sum += people } else { *sum -= people };
        add(&mut self.loads[slot], unit.size * units);
        for &(tally, people) in &unit.values {
            add(&mut self.tallies[slot * self.kinds.tallies + tally], people * units);
        }
    }

    /// Whether what is placed keeps the rules and leaves room for the people not enumerated.
    fn complete(&mut self) -> bool {
        if !self.by_flow {
            let keeps = |slot: usize| {
                let tallies = &self.tallies[slot * self.kinds.tallies..(slot + 1) * self.kinds.tallies];
                let rules = self.kinds.rules.iter().zip(&self.demands.is_in_force).filter(|&(_, &is)| is);
                rules.map(|(rule, _)| rule.trouble(self.loads[slot], tallies)).sum::<u64>() == 0
            };
            return (0..self.loads.len()).all(keeps);
        }
        let singles = || {
            let all = self.kinds.all.iter().enumerate();
            all.filter(|&(number, kind)| kind.is_single() && self.demands.is_required[number])
        };
        let mut demand = vec![0; self.kinds.classes.len()];
        for (_, kind) in singles() {
            demand[kind.class] += kind.count;
        }
        let room: Vec<u64> =
            self.kinds.capacities.iter().zip(&self.loads).map(|(places, load)| places - load).collect();
        self.steps = self.steps.saturating_sub((demand.len() + room.len()) as u64);
        let Ok(reservation) = Reservation::new(&self.kinds.classes, &demand, &room) else { return false };
        let mut held: Vec<Vec<(usize, u64)>> =
            (0..demand.len()).map(|class| reservation.held(class).collect()).collect();
        let mut placed: Vec<(usize, usize, u64)> = Vec::new();
        for (number, kind) in singles() {
            let mut left = kind.count;
            for (slot, places) in &mut held[kind.class] {
                let people = left.min(*places);
                *places -= people;
                left -= people;
                if people > 0 {
                    placed.push((number, *slot, people));
                }
            }
        }
        for (kind, slot, people) in placed {
            self.placed[kind].push((slot, people));
        }
        true
    }
}
