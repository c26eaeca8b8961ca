//! Keeps a pattern protected while it changes.
//!
//! For every demand the deviations of one attack that met it are remembered as a witness: the demand stays met as long as
//! no cell of the witness is published. One attack may witness several demands.

use tamis_solver::LiveSolver;

use super::adversary::Adversary;
use super::model::{Fate, Model};
use crate::attack::NoAnswer;
use crate::demand::Side;

/// Deviations smaller than this are noise of the solver.
const NOISE: f64 = 1e-11;

type Support = Vec<u64>;

/// A pattern and witnesses that it meets demands.
pub(crate) struct Guard<'m> {
    model: &'m Model<'m>,
    solver: &'m dyn LiveSolver,
    /// Attacks of programs that are gone.
    before: u64,
    adversaries: Vec<Adversary>,
    hidden: Vec<bool>,
    witness: Vec<Option<Support>>,
    /// Demands by attacker.
    of_attacker: Vec<Vec<usize>>,
}

impl<'m> Guard<'m> {
    pub(crate) fn new(model: &'m Model<'m>, solver: &'m dyn LiveSolver) -> Self {
        let attackers = model.rooms.len();
        let mut of_attacker = vec![Vec::new(); attackers];
        for (index, demand) in model.demands.iter().enumerate() {
            of_attacker[demand.attacker].push(index);
        }
        Self {
            model,
            solver,
            before: 0,
            adversaries: Vec::new(),
            hidden: vec![false; model.cells()],
            witness: vec![None; model.demands.len()],
            of_attacker,
        }
    }

    pub(crate) fn attacks(&self) -> u64 {
        self.before + self.adversaries.iter().map(|adversary| adversary.solved).sum::<u64>()
    }

    pub(crate) fn hidden(&self) -> &[bool] {
        &self.hidden
    }

    /// Takes another pattern; witnesses that it still hides stay.
    pub(crate) fn take(&mut self, hidden: &[bool]) {
        for witness in &mut self.witness {
            if witness.as_ref().is_some_and(|support| cells_of(support).any(|cell| !hidden[cell])) {
                *witness = None;
            }
        }
        self.hidden.copy_from_slice(hidden);
        self.before = self.attacks();
        let (model, solver) = (self.model, self.solver);
        self.adversaries = model.rooms.iter().map(|_| Adversary::new(model, solver, |cell| hidden[cell])).collect();
    }

    /// Whether a demand is known to be met.
    pub(crate) fn met(&self, demand: usize) -> bool {
        self.witness[demand].is_some()
    }

    /// How much of a demand's level is reached, at most 1 (of each side, for a width).
    pub(crate) fn reach(&mut self, demand: usize) -> Result<f64, NoAnswer> {
        let facts = self.model.demands[demand];
        let mut support = vec![0; self.hidden.len().div_ceil(64)];
        let mut reach = 0.0;
        for sign in signs(facts.side) {
            let room = &self.model.rooms[facts.attacker];
            let adversary = &mut self.adversaries[facts.attacker];
            let hidden = &self.hidden;
            reach += adversary.push(facts.cell, *sign, |cell| {
                if hidden[cell] { (room.down[cell] / facts.level, room.up[cell] / facts.level) } else { (0.0, 0.0) }
            })?;
            for &cell in &self.model.movable {
                if adversary.deviation(cell).abs() > NOISE {
                    support[cell / 64] |= 1 << (cell % 64);
                }
            }
            self.witness_others(demand);
        }
        if reach >= self.model.need[demand] {
            self.witness[demand] = Some(support);
        }
        Ok(reach)
    }

    /// Lets the last attack witness other demands that have no witness.
    fn witness_others(&mut self, demand: usize) {
        let facts = self.model.demands[demand];
        let z = |cell| self.adversaries[facts.attacker].deviation(cell);
        let mut found = Vec::new();
        for &other in &self.of_attacker[facts.attacker] {
            let its = &self.model.demands[other];
            let moved = match its.side {
                Side::Upper => z(its.cell),
                Side::Lower => -z(its.cell),
                Side::Width => continue,
            };
            if other != demand
                && self.witness[other].is_none()
                && moved * facts.level >= its.level * self.model.need[other]
            {
                found.push(other);
            }
        }
        if !found.is_empty() {
            let mut support = vec![0; self.hidden.len().div_ceil(64)];
            for &cell in &self.model.movable {
                if z(cell).abs() > NOISE {
                    support[cell / 64] |= 1 << (cell % 64);
                }
            }
            for other in found {
                self.witness[other] = Some(support.clone());
            }
        }
    }

    /// The demands that are not met, with what is reached; stops at the first if so told.
    pub(crate) fn unmet(&mut self, first: bool) -> Result<Vec<(usize, f64)>, NoAnswer> {
        let mut unmet = Vec::new();
        for demand in 0..self.witness.len() {
            if self.witness[demand].is_none() {
                let reach = self.reach(demand)?;
                if reach < self.model.need[demand] {
                    unmet.push((demand, reach));
                    if first {
                        break;
                    }
                }
            }
        }
        Ok(unmet)
    }

    /// Publishes a hidden cell unless that exposes something. The pattern must be protected before.
    pub(crate) fn publish(&mut self, cell: usize) -> Result<bool, NoAnswer> {
        self.hidden[cell] = false;
        let uses = |support: &Support| support[cell / 64] >> (cell % 64) & 1 == 1;
        let mut touched: Vec<usize> =
            (0..self.witness.len()).filter(|demand| self.witness[*demand].as_ref().is_none_or(uses)).collect();
        let old: Vec<Option<Support>> = touched.iter().map(|demand| self.witness[*demand].take()).collect();
        let mut good = true;
        for &demand in &touched {
            if self.witness[demand].is_none() && self.reach(demand)? < self.model.need[demand] {
                good = false;
                break;
            }
        }
        if !good {
            self.hidden[cell] = true;
            for (demand, support) in touched.drain(..).zip(old) {
                if self.witness[demand].is_none() {
                    self.witness[demand] = support;
                }
            }
        }
        Ok(good)
    }

    /// Publishes what can be, dearest first, until no single cell can be any more or `over` says so.
    pub(crate) fn clean(&mut self, over: &dyn Fn() -> bool) -> Result<(), NoAnswer> {
        let model = self.model;
        let mut secondaries: Vec<usize> =
            (0..self.hidden.len()).filter(|cell| self.hidden[*cell] && model.fate[*cell] == Fate::Open).collect();
        secondaries.sort_by(|a, b| model.weight(*b).total_cmp(&model.weight(*a)));
        for cell in secondaries {
            if over() {
                break;
            }
            self.publish(cell)?;
        }
        Ok(())
    }
}

/// The directions that a demand attacks in.
pub(crate) fn signs(side: Side) -> &'static [f64] {
    match side {
        Side::Upper => &[1.0],
        Side::Lower => &[-1.0],
        Side::Width => &[1.0, -1.0],
    }
}

fn cells_of(support: &Support) -> impl Iterator<Item = usize> + '_ {
    support
        .iter()
        .enumerate()
        .flat_map(|(word, &bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit))
}
