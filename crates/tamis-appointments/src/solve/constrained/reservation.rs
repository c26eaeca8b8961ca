//! Places held for people who have none yet, so that no greedy choice can leave somebody outside.
//!
//! People with the same allowed slots are one class; the network has classes on one side, slots on the other and amounts of
//! people between them, so its size does not depend on the number of people. A maximum flow is built by shortest augmenting
//! paths; the same paths move held places out of the way when a rule wants a slot for somebody.

/// Who holds how many places where.
#[derive(Debug, Clone)]
pub(super) struct Reservation<'a> {
    classes: &'a [Vec<usize>],
    /// Places held by each class in each of its slots.
    held: Vec<Vec<u64>>,
    /// (class, position in its list) of the classes that may go to a slot.
    visitors: Vec<Vec<(usize, usize)>>,
    /// Places neither held nor given away.
    free: Vec<u64>,
    walk: Walk,
}

/// Marks of a breadth-first walk; a mark counts only if it is of the current walk.
#[derive(Debug, Clone)]
struct Walk {
    number: u32,
    slot_seen: Vec<u32>,
    class_seen: Vec<u32>,
    /// The slot and the class by which a slot was reached.
    came_from: Vec<Option<(usize, usize)>>,
    queue: Vec<usize>,
}

/// Classes that may only go to slots which do not hold them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crowd {
    pub(super) classes: Vec<usize>,
}

impl<'a> Reservation<'a> {
    /// A place for everybody, or a set of classes with fewer places than people.
    pub(super) fn new(classes: &'a [Vec<usize>], demand: &[u64], capacities: &[u64]) -> Result<Self, Crowd> {
        let mut visitors = vec![Vec::new(); capacities.len()];
        for (class, slots) in classes.iter().enumerate().filter(|&(class, _)| demand[class] > 0) {
            for (at, &slot) in slots.iter().enumerate() {
                visitors[slot].push((class, at));
            }
        }
        let walk = Walk {
            number: 0,
            slot_seen: vec![0; capacities.len()],
            class_seen: vec![0; classes.len()],
            came_from: vec![None; capacities.len()],
            queue: Vec::new(),
        };
        let held = classes.iter().map(|slots| vec![0; slots.len()]).collect();
        let mut reservation = Self { classes, held, visitors, free: capacities.to_vec(), walk };
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|&class| classes[class].len());
        let mut missing = demand.to_vec();
        for &class in &order {
            missing[class] -= reservation.fill(class, missing[class]);
        }
        for &class in &order {
            while missing[class] > 0 {
                let Some(end) = reservation.walk_from(&classes[class], Some(class), None, usize::MAX) else {
                    let seen = |&other: &usize| reservation.walk.class_seen[other] == reservation.walk.number;
                    return Err(Crowd { classes: (0..classes.len()).filter(seen).collect() });
                };
                let moved = reservation.shift(end, missing[class].min(reservation.free[end]));
                let root = reservation.root(end);
                reservation.free[end] -= moved;
                *reservation.held_mut(class, root) += moved;
                missing[class] -= moved;
            }
        }
        Ok(reservation)
    }

    /// Holds what is free in the slots of a class.
    fn fill(&mut self, class: usize, wanted: u64) -> u64 {
        let mut taken = 0;
        for (at, &slot) in self.classes[class].iter().enumerate() {
            let amount = self.free[slot].min(wanted - taken);
            self.free[slot] -= amount;
            self.held[class][at] += amount;
            taken += amount;
            if taken == wanted {
                break;
            }
        }
        taken
    }

    /// Tries to hold so many places for a class in one of its slots; how many it then holds there, at most that many.
    /// `effort` limits the number of slots looked at.
    pub(super) fn secure(&mut self, class: usize, slot: usize, wanted: u64, effort: usize) -> u64 {
        let Some(at) = self.position(class, slot) else { return 0 };
        loop {
            let missing = wanted.saturating_sub(self.held[class][at]);
            let elsewhere = self.held[class].iter().enumerate().position(|(other, &held)| other != at && held > 0);
            let Some(elsewhere) = elsewhere.filter(|_| missing > 0) else { break };
            let leaves = self.classes[class][elsewhere];
            if self.free[slot] > 0 {
                let amount = missing.min(self.free[slot]).min(self.held[class][elsewhere]);
                self.free[slot] -= amount;
                self.held[class][at] += amount;
                self.held[class][elsewhere] -= amount;
                self.free[leaves] += amount;
                continue;
            }
            let Some(end) = self.walk_from(&[slot], None, Some(class), effort) else { break };
            if self.free[end] > 0 {
                let amount = self.shift(end, missing.min(self.free[end]));
                self.free[end] -= amount;
                self.free[slot] += amount;
            } else {
                let own = *self.held_mut(class, end);
                let amount = self.shift(end, missing.min(own));
                *self.held_mut(class, end) -= amount;
                self.held[class][at] += amount;
            }
        }
        self.held[class][at].min(wanted)
    }

    /// Gives held places away for good.
    pub(super) fn commit(&mut self, class: usize, slot: usize, amount: u64) {
        *self.held_mut(class, slot) -= amount;
    }

    /// Takes places in a slot for people the reservation does not know, if those it knows can make room.
    pub(super) fn take(&mut self, slot: usize, wanted: u64, effort: usize) -> bool {
        while self.free[slot] < wanted {
            let Some(end) = self.walk_from(&[slot], None, None, effort) else { return false };
            let amount = self.shift(end, (wanted - self.free[slot]).min(self.free[end]));
            self.free[end] -= amount;
            self.free[slot] += amount;
        }
        self.free[slot] -= wanted;
        true
    }

    /// The places a class holds, by slot.
    pub(super) fn held(&self, class: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.classes[class].iter().copied().zip(self.held[class].iter().copied()).filter(|&(_, held)| held > 0)
    }

    fn position(&self, class: usize, slot: usize) -> Option<usize> {
        self.classes[class].binary_search(&slot).ok()
    }

    fn held_mut(&mut self, class: usize, slot: usize) -> &mut u64 {
        let at = self.classes[class].partition_point(|&other| other < slot);
        &mut self.held[class][at]
    }

    /// A slot reached from the given ones by moving held places of one class after the other, which has free places or, if
    /// `own` is given, places held by that class.
    fn walk_from(
        &mut self,
        roots: &[usize],
        root_class: Option<usize>,
        own: Option<usize>,
        effort: usize,
    ) -> Option<usize> {
        self.walk.number += 1;
        let number = self.walk.number;
        self.walk.queue.clear();
        for &slot in roots {
            self.walk.slot_seen[slot] = number;
            self.walk.came_from[slot] = None;
            self.walk.queue.push(slot);
        }
        for class in root_class.into_iter().chain(own) {
            self.walk.class_seen[class] = number;
        }
        let mut next = 0;
        while let Some(&slot) = self.walk.queue.get(next).filter(|_| next < effort) {
            next += 1;
            for visitor in 0..self.visitors[slot].len() {
                let (class, at) = self.visitors[slot][visitor];
                if self.held[class][at] == 0 || self.walk.class_seen[class] == number {
                    continue;
                }
                self.walk.class_seen[class] = number;
                for &to in &self.classes[class] {
                    if self.walk.slot_seen[to] == number {
                        continue;
                    }
                    self.walk.slot_seen[to] = number;
                    self.walk.came_from[to] = Some((slot, class));
                    let holds_own =
                        own.is_some_and(|own| self.position(own, to).is_some_and(|at| self.held[own][at] > 0));
                    if self.free[to] > 0 || holds_own {
                        return Some(to);
                    }
                    self.walk.queue.push(to);
                }
            }
        }
        None
    }

    /// Moves held places along the walk that ended in a slot, as many as everybody on the way holds, at most so many.
    /// The places needed at the end and gained at the root are left to the caller.
    fn shift(&mut self, end: usize, most: u64) -> u64 {
        let mut amount = most;
        let mut slot = end;
        while let Some((from, class)) = self.walk.came_from[slot] {
            amount = amount.min(*self.held_mut(class, from));
            slot = from;
        }
        slot = end;
        while let Some((from, class)) = self.walk.came_from[slot] {
            *self.held_mut(class, from) -= amount;
            *self.held_mut(class, slot) += amount;
            slot = from;
        }
        amount
    }

    fn root(&self, end: usize) -> usize {
        let mut slot = end;
        while let Some((from, _)) = self.walk.came_from[slot] {
            slot = from;
        }
        slot
    }
}
