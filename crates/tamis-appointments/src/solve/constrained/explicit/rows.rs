//! One quasi-identifier value by itself: every way to spread its people over the slots, as paths of a graph.

use super::costs::{Costs, IMPOSSIBLE};
use super::model::{Kind, Model};

/// Per quasi-identifier value a layered graph: a layer per slot of the search, a state says how many people are still to come.
/// People are told apart by the slots they may go to (a class) as long as that keeps the graph small.
///
/// The cheapest path to the end is a bound on what the rest of the row costs whatever the other rows do, because a schedule is a
/// path in every row.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// For every member of every kind how far one unit moves the state of its row.
    pub(super) steps: Vec<Vec<usize>>,
}

pub(super) struct Row {
    pub(super) states: usize,
    /// The state where nobody has been placed.
    pub(super) start: usize,
    layers: Vec<Layer>,
}

/// The arcs that leave one slot's states, those of a state side by side.
struct Layer {
    first: Vec<u32>,
    arcs: Vec<Arc>,
}

/// So many people of the row come to the slot.
#[derive(Clone, Copy)]
struct Arc {
    people: u32,
    next: u32,
}

/// People of a row who may go to the same slots.
struct Class {
    people: u32,
    stride: usize,
    allowed: Vec<bool>,
    /// How many of them may come to each slot.
    most: Vec<u32>,
    /// Before each slot (and after the last) how many are left at least and at most.
    left: Vec<(u32, u32)>,
}

/// A row with more states than this forgets which of its people may go where.
const MOST_STATES: usize = 1500;

impl Rows {
    pub(super) fn new(model: &Model) -> Self {
        let mut steps: Vec<Vec<usize>> = model.kinds.iter().map(|kind| vec![0; kind.members.len()]).collect();
        let rows = (0..model.rows)
            .map(|row| {
                let members: Vec<(usize, usize)> = (0..model.kinds.len())
                    .flat_map(|kind| {
                        let position = model.kinds[kind].members.iter().position(|&(of, _)| of == row);
                        position.map(|position| (kind, position))
                    })
                    .collect();
                let (classes, class_of) = classes(model, &members);
                for (&(kind, position), class) in members.iter().zip(class_of) {
                    steps[kind][position] = model.kinds[kind].members[position].1 as usize * classes[class].stride;
                }
                Row::new(model, &classes)
            })
            .collect();
        Self { rows, steps }
    }

    /// The cheapest way on from every state of every layer, row by row; layer by layer in each.
    pub(super) fn cheapest(&self, costs: &Costs) -> Vec<Vec<i64>> {
        self.rows.iter().enumerate().map(|(number, row)| row.cheapest(|slot| costs.of_row(slot, number))).collect()
    }
}

/// The classes of a row and the class of each of its members, given as kinds and positions in them.
fn classes(model: &Model, members: &[(usize, usize)]) -> (Vec<Class>, Vec<usize>) {
    let people = |&(kind, position): &(usize, usize)| {
        let kind: &Kind = &model.kinds[kind];
        kind.count * kind.members[position].1
    };
    let mut sets: Vec<&[bool]> = members.iter().map(|&(kind, _)| model.kinds[kind].allowed.as_slice()).collect();
    sets.sort_unstable();
    sets.dedup();
    let class_of: Vec<usize> = members
        .iter()
        .map(|&(kind, _)| sets.partition_point(|&set| set < model.kinds[kind].allowed.as_slice()))
        .collect();
    let mut classes: Vec<Class> = sets.iter().map(|set| Class::new(set)).collect();
    for (member, &class) in members.iter().zip(&class_of) {
        classes[class].add(people(member), &model.kinds[member.0].allowed);
    }
    let states = classes.iter().try_fold(1_usize, |states, class| states.checked_mul(class.people as usize + 1));
    if states.is_some_and(|states| states <= MOST_STATES) || classes.len() <= 1 {
        let mut stride = 1;
        for class in &mut classes {
            class.stride = stride;
            stride *= class.people as usize + 1;
        }
        return (classes, class_of);
    }
    let any: Vec<bool> = (0..model.slots.len()).map(|slot| sets.iter().any(|set| set[slot])).collect();
    let mut merged = Class::new(&any);
    for member in members {
        merged.add(people(member), &model.kinds[member.0].allowed);
    }
    (vec![merged], vec![0; members.len()])
}

impl Class {
    fn new(allowed: &[bool]) -> Self {
        Self {
            people: 0,
            stride: 1,
            allowed: allowed.to_vec(),
            most: vec![0; allowed.len()],
            left: vec![(0, 0); allowed.len() + 1],
        }
    }

    /// More people, who may go to these of the slots.
    fn add(&mut self, people: u32, allowed: &[bool]) {
        self.people += people;
        for (most, _) in self.most.iter_mut().zip(allowed).filter(|(_, allowed)| **allowed) {
            *most += people;
        }
        for (before, left) in self.left.iter_mut().enumerate() {
            if !allowed[..before].contains(&true) {
                left.0 += people;
            }
            if allowed[before..].contains(&true) {
                left.1 += people;
            }
        }
    }

    fn of_state(&self, state: usize) -> u32 {
        (state / self.stride % (self.people as usize + 1)) as u32
    }

    /// Whether a state can be met before this slot.
    fn can_be(&self, state: usize, before: usize) -> bool {
        (self.left[before].0..=self.left[before].1).contains(&self.of_state(state))
    }

    /// Whether people of this class should be used before those of the other: they have no slot left that the others lack, so
    /// exchanging two of them changes no cell.
    fn goes_before(&self, other: &Self, slot: usize) -> bool {
        self.allowed[slot + 1..].iter().zip(&other.allowed[slot + 1..]).all(|(&ours, &theirs)| theirs || !ours)
    }
}

impl Row {
    fn new(model: &Model, classes: &[Class]) -> Self {
        let states: usize = classes.iter().map(|class| class.people as usize + 1).product();
        let layers =
            (0..model.slots.len()).map(|slot| Layer::new(classes, states, slot, model.slots[slot].free)).collect();
        Self { states, start: states - 1, layers }
    }

    /// The cheapest way on from every state, by layer; after the last slot nobody may be left.
    fn cheapest<'c>(&self, cost: impl Fn(usize) -> &'c [i64]) -> Vec<i64> {
        let mut table = vec![IMPOSSIBLE; self.states * (self.layers.len() + 1)];
        table[self.states * self.layers.len()] = 0;
        for (slot, layer) in self.layers.iter().enumerate().rev() {
            let (here, next) = table[slot * self.states..].split_at_mut(self.states);
            let cost = cost(slot);
            for (state, best) in here.iter_mut().enumerate() {
                for arc in layer.arcs_of(state) {
                    *best = (*best).min(cost[arc.people as usize] + next[arc.next as usize]);
                }
            }
        }
        table
    }

    /// How many people come to each slot on the cheapest path from the start.
    pub(super) fn path<'c>(&self, table: &[i64], cost: impl Fn(usize) -> &'c [i64]) -> Vec<u32> {
        let mut state = self.start;
        let mut path = Vec::with_capacity(self.layers.len());
        for (slot, layer) in self.layers.iter().enumerate() {
            let next = &table[(slot + 1) * self.states..];
            let cost = cost(slot);
            let price = |arc: &&Arc| cost[arc.people as usize] + next[arc.next as usize];
            let Some(arc) = layer.arcs_of(state).iter().min_by_key(price) else { break };
            path.push(arc.people);
            state = arc.next as usize;
        }
        path
    }
}

impl Layer {
    fn new(classes: &[Class], states: usize, slot: usize, free: u32) -> Self {
        let mut order: Vec<usize> = (0..classes.len()).filter(|&class| classes[class].most[slot] > 0).collect();
        order.sort_by_key(|&class| classes[class].allowed[slot + 1..].iter().filter(|&&allowed| allowed).count());
        let mut layer = Self { first: vec![0], arcs: Vec::new() };
        for state in 0..states {
            if classes.iter().all(|class| class.can_be(state, slot)) {
                layer.add_arcs(classes, &order, slot, Arc { people: 0, next: state as u32 }, free, 0);
            }
            layer.first.push(layer.arcs.len() as u32);
        }
        layer
    }

    /// The arcs where the classes from a place in the order on add to what comes already.
    fn add_arcs(&mut self, classes: &[Class], order: &[usize], slot: usize, so_far: Arc, free: u32, from: usize) {
        let Some(&number) = order.get(from) else {
            if classes.iter().all(|class| class.can_be(so_far.next as usize, slot + 1)) {
                self.arcs.push(so_far);
            }
            return;
        };
        let class = &classes[number];
        let is_kept_back = order[..from].iter().any(|&before| {
            classes[before].of_state(so_far.next as usize) > 0 && classes[before].goes_before(class, slot)
        });
        let most = class.of_state(so_far.next as usize).min(class.most[slot]).min(free - so_far.people);
        for people in 0..=(if is_kept_back { 0 } else { most }) {
            let next = so_far.next - people * class.stride as u32;
            let so_far = Arc { people: so_far.people + people, next };
            self.add_arcs(classes, order, slot, so_far, free, from + 1);
        }
    }

    fn arcs_of(&self, state: usize) -> &[Arc] {
        &self.arcs[self.first[state] as usize..self.first[state + 1] as usize]
    }
}
