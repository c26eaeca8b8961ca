//! The rules of the sources where people may not go everywhere.
//!
//! A rule looks at the slots that most of the remaining people of a quasi-identifier may go to, and chooses among them as it does
//! without conditions. A [`Reservation`] holds a place for everybody still to be placed and gives way only as far as they can be
//! held elsewhere, so a greedy choice never leaves anybody without a place.

use super::board::Board;
use super::kinds::Kinds;
use super::reservation::Reservation;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use std::cmp::Reverse;

/// How the next slot is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule<'a> {
    /// The largest remaining capacity.
    Greatest,
    /// The paper's Algorithm 2: a capacity that fits exactly, then the largest that is enough, then the largest up to half of the
    /// people, then the smallest.
    Half,
    /// The authors' program: collect the largest capacities until they are enough, fill the smallest of them first.
    Authors,
    /// Every person, in random order, draws among the free places allowed. With conditions this is not a uniform draw of a
    /// schedule, which would be as hard as counting the schedules: who draws early has the wider choice.
    Random,
    /// As in this schedule of the problem without conditions as far as they allow (people by quasi-identifier: slot and
    /// number), the rest by the largest remaining capacity.
    After(&'a [Vec<(usize, u64)>]),
}

/// How many slots are looked at to make room for one choice; more only costs time, the places held are good in any case.
pub(super) const EFFORT: usize = 2_000;

/// Places the single people by a rule on a board where the families are; the reservation holds places for all of them.
pub(super) fn place_people(
    board: &mut Board<'_>,
    reservation: &mut Reservation<'_>,
    rule: Rule<'_>,
    rng: &mut impl Rng,
) {
    let mut singles = Singles::of(board.kinds);
    singles.place_fixed(board, reservation);
    match rule {
        Rule::Random => return singles.draw(board, reservation, rng),
        Rule::After(schedule) => singles.follow(schedule, board, reservation),
        Rule::Greatest | Rule::Half | Rule::Authors => {}
    }
    let mut order: Vec<usize> = (0..board.kinds.quasi_ids).collect();
    order.shuffle(rng);
    order.sort_by_key(|&quasi_id| Reverse(singles.people_of(quasi_id)));
    for quasi_id in order {
        singles.place_row(quasi_id, rule, board, reservation);
    }
}

/// The single people still to be placed.
struct Singles<'a> {
    kinds: &'a Kinds,
    /// The kinds of single people of each quasi-identifier, those with the fewest slots first.
    of_quasi_id: Vec<Vec<usize>>,
    left: Vec<u64>,
    /// How many people of the row in work may go to a slot, and whether it turned out to have no room for them.
    reach: Vec<u64>,
    in_work: usize,
    is_closed: Vec<bool>,
}

impl<'a> Singles<'a> {
    fn of(kinds: &'a Kinds) -> Self {
        let mut of_quasi_id = vec![Vec::new(); kinds.quasi_ids];
        for (number, kind) in kinds.kinds.iter().enumerate().filter(|(_, kind)| kind.is_single()) {
            of_quasi_id[kind.parts[0].0].push(number);
        }
        for row in &mut of_quasi_id {
            row.sort_by_key(|&kind| kinds.slots(kind).len());
        }
        let left = kinds.kinds.iter().map(|kind| if kind.is_single() { kind.count } else { 0 }).collect();
        let slots = kinds.capacities.len();
        Self { kinds, of_quasi_id, left, reach: vec![0; slots], in_work: usize::MAX, is_closed: vec![false; slots] }
    }

    fn people_of(&self, quasi_id: usize) -> u64 {
        self.of_quasi_id[quasi_id].iter().map(|&kind| self.left[kind]).sum()
    }

    /// Fixed appointments come first: the people of the same quasi-identifier should know where they are.
    fn place_fixed(&mut self, board: &mut Board<'_>, reservation: &mut Reservation<'_>) {
        for kind in 0..self.left.len() {
            if let (true, &[slot]) = (self.left[kind] > 0, self.kinds.slots(kind)) {
                self.place(kind, slot, self.left[kind], board, reservation);
            }
        }
    }

    /// Places up to so many people of a kind in a slot; how many it were.
    fn place(
        &mut self,
        kind: usize,
        slot: usize,
        wanted: u64,
        board: &mut Board<'_>,
        reservation: &mut Reservation<'_>,
    ) -> u64 {
        let class = self.kinds.kinds[kind].class;
        let people = reservation.secure(class, slot, wanted.min(self.left[kind]), EFFORT);
        reservation.commit(class, slot, people);
        board.put(kind, slot, people);
        self.left[kind] -= people;
        if self.in_work == self.kinds.kinds[kind].parts[0].0 && people > 0 {
            for &slot in self.kinds.slots(kind) {
                self.reach[slot] -= people;
            }
        }
        people
    }

    /// Places up to so many people of a quasi-identifier in a slot: those with the fewest other slots first, or, where mixing
    /// rules look at who meets, some of every kind.
    fn place_some(
        &mut self,
        quasi_id: usize,
        slot: usize,
        wanted: u64,
        board: &mut Board<'_>,
        reservation: &mut Reservation<'_>,
    ) -> u64 {
        let row = std::mem::take(&mut self.of_quasi_id[quasi_id]);
        let may_come = |kind: usize| self.left[kind] > 0 && self.kinds.allows(kind, slot);
        let coming: Vec<usize> = row.iter().copied().filter(|&kind| may_come(kind)).collect();
        let mut placed = 0;
        if !self.kinds.rules.is_empty() {
            let waiting: u64 = coming.iter().map(|&kind| self.left[kind]).sum();
            let (mut seen, mut shared) = (0, 0);
            for &kind in &coming {
                seen += self.left[kind];
                let share = (u128::from(wanted) * u128::from(seen) / u128::from(waiting)) as u64;
                placed += self.place(kind, slot, share - shared, board, reservation);
                shared = share;
            }
        }
        for &kind in &coming {
            if placed < wanted {
                placed += self.place(kind, slot, wanted - placed, board, reservation);
            }
        }
        self.of_quasi_id[quasi_id] = row;
        placed
    }

    fn place_row(&mut self, quasi_id: usize, rule: Rule<'_>, board: &mut Board<'_>, reservation: &mut Reservation<'_>) {
        let kinds = self.kinds;
        let slots = self.slots_of(quasi_id);
        for &slot in &slots {
            self.is_closed[slot] = false;
        }
        self.measure_reach(quasi_id, &slots);
        while self.people_of(quasi_id) > 0 {
            let room = |slot: usize| kinds.capacities[slot] - board.loads[slot];
            let open = slots.iter().copied().filter(|&slot| room(slot) > 0 && !self.is_closed[slot]);
            let open: Vec<usize> = open.filter(|&slot| self.reach[slot] > 0).collect();
            let people = open.iter().map(|&slot| self.reach[slot]).max().unwrap_or(0);
            let open: Vec<usize> = open.into_iter().filter(|&slot| self.reach[slot] == people).collect();
            if open.is_empty() {
                self.place_where_held(quasi_id, board, reservation);
                return;
            }
            for (slot, wanted) in choose(rule, people, &open, room) {
                if self.place_some(quasi_id, slot, wanted, board, reservation) < wanted {
                    self.is_closed[slot] = true;
                }
            }
        }
    }

    /// The slots somebody of the quasi-identifier who is still to be placed may go to.
    fn slots_of(&self, quasi_id: usize) -> Vec<usize> {
        let kinds = self.of_quasi_id[quasi_id].iter().filter(|&&kind| self.left[kind] > 0);
        let mut slots: Vec<usize> = kinds.flat_map(|&kind| self.kinds.slots(kind).iter().copied()).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn measure_reach(&mut self, quasi_id: usize, slots: &[usize]) {
        self.in_work = quasi_id;
        for &slot in slots {
            self.reach[slot] = 0;
        }
        for &kind in &self.of_quasi_id[quasi_id] {
            for &slot in self.kinds.slots(kind).iter().filter(|_| self.left[kind] > 0) {
                self.reach[slot] += self.left[kind];
            }
        }
    }

    /// People whose slots could not be cleared by shifting others go to the places held for them.
    fn place_where_held(&mut self, quasi_id: usize, board: &mut Board<'_>, reservation: &mut Reservation<'_>) {
        for at in 0..self.of_quasi_id[quasi_id].len() {
            let kind = self.of_quasi_id[quasi_id][at];
            let held: Vec<(usize, u64)> = reservation.held(self.kinds.kinds[kind].class).collect();
            for (slot, places) in held {
                self.place(kind, slot, places, board, reservation);
            }
        }
    }

    fn follow(&mut self, schedule: &[Vec<(usize, u64)>], board: &mut Board<'_>, reservation: &mut Reservation<'_>) {
        let cells = schedule.iter().enumerate().flat_map(|(row, cells)| cells.iter().map(move |cell| (row, *cell)));
        let mut cells: Vec<_> = cells.collect();
        cells.sort_by_key(|&(_, (_, people))| Reverse(people));
        for (quasi_id, (slot, people)) in cells {
            self.place_some(quasi_id, slot, people, board, reservation);
        }
    }

    fn draw(&mut self, board: &mut Board<'_>, reservation: &mut Reservation<'_>, rng: &mut impl Rng) {
        let people = self.left.iter().enumerate();
        let mut people: Vec<usize> = people.flat_map(|(kind, &left)| (0..left).map(move |_| kind)).collect();
        people.shuffle(rng);
        let places: Vec<Vec<u64>> = self.kinds.classes.iter().map(|slots| self.cumulated(slots)).collect();
        for kind in people {
            let slots = self.kinds.slots(kind);
            let places = &places[self.kinds.kinds[kind].class];
            let all = places.last().copied().unwrap_or(1);
            // A place drawn among all of them counts if it is still free.
            let drawn = (0..DRAWS).find_map(|_| {
                let place = rng.random_range(0..all);
                let slot = slots[places.partition_point(|&end| end <= place)];
                let is_free = rng.random_range(0..self.kinds.capacities[slot]) >= board.loads[slot];
                (is_free && self.place(kind, slot, 1, board, reservation) == 1).then_some(())
            });
            if drawn.is_none() {
                let held = reservation.held(self.kinds.kinds[kind].class).next();
                if let Some((slot, _)) = held {
                    self.place(kind, slot, 1, board, reservation);
                }
            }
        }
    }

    fn cumulated(&self, slots: &[usize]) -> Vec<u64> {
        let ends = slots.iter().scan(0, |sum, &slot| {
            *sum += self.kinds.capacities[slot];
            Some(*sum)
        });
        ends.collect()
    }
}

/// How often a person draws before taking a place that is held for people like them.
const DRAWS: usize = 64;

/// The slots a rule takes next for people who may go to any of these, with how many go there.
fn choose(rule: Rule<'_>, people: u64, open: &[usize], room: impl Fn(usize) -> u64) -> Vec<(usize, u64)> {
    let largest = open.iter().copied().max_by_key(|&slot| (room(slot), Reverse(slot)));
    let Some(largest) = largest else { return Vec::new() };
    match rule {
        Rule::Half => {
            let exact = open.iter().copied().find(|&slot| room(slot) == people);
            let up_to_half = open.iter().copied().filter(|&slot| 2 * room(slot) <= people);
            let slot = exact
                .or_else(|| (room(largest) > people).then_some(largest))
                .or_else(|| up_to_half.max_by_key(|&slot| (room(slot), Reverse(slot))))
                .or_else(|| open.iter().copied().min_by_key(|&slot| (room(slot), slot)));
            slot.map(|slot| (slot, people.min(room(slot)))).into_iter().collect()
        }
        Rule::Authors => {
            let mut descending = open.to_vec();
            descending.sort_by_key(|&slot| Reverse(room(slot)));
            let mut collected = 0;
            let enough = descending.iter().position(|&slot| {
                collected += room(slot);
                collected >= people
            });
            let taken = &descending[..enough.map_or(descending.len(), |last| last + 1)];
            let mut left = people;
            let filled = taken.iter().rev().map(|&slot| {
                let wanted = left.min(room(slot));
                left -= wanted;
                (slot, wanted)
            });
            filled.filter(|&(_, wanted)| wanted > 0).collect()
        }
        Rule::Greatest | Rule::Random | Rule::After(_) => vec![(largest, people.min(room(largest)))],
    }
}
