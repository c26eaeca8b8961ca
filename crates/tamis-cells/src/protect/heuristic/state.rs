//! A pattern under work and why it protects: for each demand the cells of a deviation that meets it.

use std::rc::Rc;

use super::certify::{Certifier, Ranks};
use crate::attack::Deviation;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Why a demand is met.
#[derive(Clone)]
pub(super) struct Witness {
    /// The deviations that meet it: one, or two for a width.
    deviations: Rc<[Deviation]>,
    /// The free cells that they need hidden, ascending; must-be-hidden cells are left out.
    needed: Rc<[usize]>,
    /// The attackers who know more than the public of a cell that moves, ascending.
    informed: Rc<[usize]>,
}

impl Witness {
    pub(super) fn new(table: &CellTable, deviations: Vec<Deviation>, informed: Vec<usize>) -> Self {
        let cells = deviations.iter().flatten().map(|(cell, _)| *cell);
        let mut needed: Vec<usize> = cells.filter(|cell| table.cells()[*cell].status == Status::Free).collect();
        needed.sort_unstable();
        needed.dedup();
        Self { deviations: deviations.into(), needed: needed.into(), informed: informed.into() }
    }
}

/// A pattern, the witness of every demand, and who needs which cell.
///
/// Everything can be undone back to the last [`State::mark`], in time proportional to what was done.
#[derive(Clone)]
pub(super) struct State {
    hidden: Vec<bool>,
    witness: Vec<Option<Witness>>,
    users: Vec<Vec<usize>>,
    ranks: Rc<Ranks>,
    cost: f64,
    journal: Vec<Step>,
}

#[derive(Clone)]
enum Step {
    Witness(usize, Option<Witness>),
    Hidden(usize, bool, f64),
}

impl State {
    /// A pattern without any witness.
    pub(super) fn new(table: &CellTable, pattern: &Pattern, certifier: &Certifier) -> Self {
        Self {
            hidden: pattern.flags().to_vec(),
            witness: vec![None; certifier.demands.len()],
            ranks: Rc::clone(&certifier.ranks),
            users: vec![Vec::new(); table.cells().len()],
            cost: pattern.cost(table),
            journal: Vec::new(),
        }
    }

    pub(super) fn hides(&self, cell: usize) -> bool {
        self.hidden[cell]
    }

    /// The weight of all hidden cells.
    pub(super) fn cost(&self) -> f64 {
        self.cost
    }

    pub(super) fn pattern(&self) -> Pattern {
        Pattern::new(self.hidden.clone())
    }

    /// Whether a demand has a witness of its own, or that of the demand that it follows.
    pub(super) fn is_met(&self, demand: usize) -> bool {
        let follows = |(leader, attacker): (usize, usize)| {
            let witness = self.witness[leader].as_ref();
            witness.is_some_and(|witness| witness.informed.binary_search(&attacker).is_err())
        };
        self.witness[demand].is_some() || self.ranks.leader(demand).is_some_and(follows)
    }

    /// What follows a demand that is met and is not met with it.
    pub(super) fn strays(&self, leader: usize) -> Vec<usize> {
        let informed = self.witness[leader].iter().flat_map(|witness| witness.informed.iter());
        let followers = informed.filter_map(|attacker| self.ranks.follower(leader, *attacker));
        followers.filter(|number| self.witness[*number].is_none()).collect()
    }

    /// The free cells that the witness of a demand needs.
    pub(super) fn witness(&self, demand: usize) -> &[usize] {
        needed(self.witness[demand].as_ref())
    }

    /// The deviations of all witnesses.
    pub(super) fn deviations(&self) -> Vec<Deviation> {
        let mut all: Vec<&Rc<[Deviation]>> = self.witness.iter().flatten().map(|witness| &witness.deviations).collect();
        // One deviation may be the witness of many.
        all.sort_unstable_by_key(|deviations| deviations.as_ptr());
        all.dedup_by_key(|deviations| deviations.as_ptr());
        all.into_iter().flat_map(|deviations| deviations.iter().cloned()).collect()
    }

    /// The demands whose witness needs a cell.
    pub(super) fn users(&self, cell: usize) -> &[usize] {
        &self.users[cell]
    }

    /// The hidden cells that could be published.
    pub(super) fn secondaries<'a>(&'a self, table: &'a CellTable) -> impl Iterator<Item = usize> + 'a {
        let cells = table.cells();
        (0..cells.len()).filter(move |cell| self.hidden[*cell] && cells[*cell].status == Status::Free)
    }

    /// Forgets how to undo.
    pub(super) fn mark(&mut self) {
        self.journal.clear();
    }

    /// Back to the last mark.
    pub(super) fn undo(&mut self) {
        while let Some(step) = self.journal.pop() {
            match step {
                Step::Witness(demand, before) => {
                    self.exchange(demand, before);
                }
                Step::Hidden(cell, before, cost) => {
                    self.hidden[cell] = before;
                    self.cost = cost;
                }
            }
        }
    }

    pub(super) fn hide(&mut self, table: &CellTable, cell: usize, hidden: bool) {
        if self.hidden[cell] != hidden {
            self.journal.push(Step::Hidden(cell, self.hidden[cell], self.cost));
            self.hidden[cell] = hidden;
            let weight = table.cells()[cell].weight;
            self.cost += if hidden { weight } else { -weight };
        }
    }

    /// Gives a demand a witness, or takes it away; hides what it needs. What follows the demand needs no witness of its own then,
    /// except where the witness does not do for it.
    pub(super) fn set_witness(&mut self, table: &CellTable, demand: usize, witness: Option<Witness>) {
        for cell in needed(witness.as_ref()) {
            self.hide(table, *cell, true);
        }
        if let Some(witness) = &witness {
            let ranks = Rc::clone(&self.ranks);
            let own = ranks.followers(demand).filter(|follower| self.witness[*follower].is_some());
            let follows = |follower: &usize| {
                let attacker = ranks.leader(*follower).map(|(_, attacker)| attacker);
                attacker.is_some_and(|attacker| witness.informed.binary_search(&attacker).is_err())
            };
            for follower in own.filter(follows).collect::<Vec<_>>() {
                self.replace(follower, None);
            }
        }
        self.replace(demand, witness);
    }

    fn replace(&mut self, demand: usize, witness: Option<Witness>) {
        let before = self.exchange(demand, witness);
        self.journal.push(Step::Witness(demand, before));
    }

    fn exchange(&mut self, demand: usize, witness: Option<Witness>) -> Option<Witness> {
        for cell in needed(witness.as_ref()) {
            self.users[*cell].push(demand);
        }
        let before = std::mem::replace(&mut self.witness[demand], witness);
        for cell in needed(before.as_ref()) {
            let users = &mut self.users[*cell];
            // The newest entry stays if the witness before needed the cell too: one of the two goes, whichever.
            if let Some(place) = users.iter().position(|user| *user == demand) {
                users.swap_remove(place);
            }
        }
        before
    }

    /// Publishes those of the given cells that nobody needs, and tells which.
    pub(super) fn drop_unused(&mut self, table: &CellTable, cells: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut dropped = Vec::new();
        for cell in cells {
            if self.hidden[cell] && self.users[cell].is_empty() && table.cells()[cell].status == Status::Free {
                self.hide(table, cell, false);
                dropped.push(cell);
            }
        }
        dropped
    }
}

fn needed(witness: Option<&Witness>) -> &[usize] {
    witness.map_or(&[], |witness| &witness.needed)
}
