//! Taking witnesses away and finding others, as long as that makes a pattern cheaper.

use std::time::Duration;

use super::state::State;
use super::{Clock, Dice, Draft, FEW, Halt, Heuristic, Prices};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::proof::same_cost;

/// How much dearer than before a pattern may become at first, in mean weights of a secondary.
const TEMPERATURE: f64 = 1.0;

/// The budget of the search in seconds of work: for any table, for each cell, and at most.
const LEAST_WORK: f64 = 0.2;
const WORK_A_CELL: f64 = 0.0025;
const MOST_WORK: f64 = 15.0;

/// The share of the time that wandering may take.
const WANDERING: f64 = 0.4;

/// What a round takes beside linear programs.
const ROUND: Duration = Duration::from_micros(20);

impl Heuristic<'_> {
    /// Looks for something cheaper than a draft until the budget or the time is spent, and cleans the best met. `tell` is told
    /// the cost of the best now and then; nothing costs less than `bound`.
    pub(crate) fn improve(
        &mut self,
        Draft(state): Draft,
        bound: f64,
        clock: &Clock<'_>,
        tell: &dyn Fn(f64),
    ) -> Result<Draft, NoAnswer> {
        let must = Pattern::least(self.table).cost(self.table);
        let mut search = Search { heuristic: self, clock, tell, bound, must, dice: Dice::new(1) };
        search.improve(state).map(Draft)
    }
}

/// What a round of the search takes away and how it looks for something else.
struct Ruin {
    /// These lose their witnesses and get others in this order.
    demands: Vec<usize>,
    /// Cells that are not to come back.
    avoid: Vec<usize>,
    /// By which share costs vary.
    noise: f64,
    /// See [`Prices::few`].
    few: usize,
    /// How much dearer the pattern may become.
    allowance: f64,
}

struct Search<'h, 't> {
    heuristic: &'h mut Heuristic<'t>,
    clock: &'h Clock<'h>,
    tell: &'h dyn Fn(f64),
    bound: f64,
    /// The cost of what must be hidden.
    must: f64,
    dice: Dice,
}

impl Search<'_, '_> {
    /// Wanders, then cleans the best pattern met.
    fn improve(&mut self, state: State) -> Result<State, NoAnswer> {
        let mut best = state.clone();
        // Publishing what is not needed gains more than wandering where time is short: most of it is kept for that.
        let clock = self.clock.at_most(Duration::MAX, WANDERING);
        match self.wander(state, &mut best, &clock) {
            Ok(()) | Err(Halt::Over) => {}
            Err(_) => return Err(NoAnswer),
        }
        match self.heuristic.strip(&mut best, self.clock) {
            Ok(()) | Err(Halt::Over) => Ok(best),
            Err(_) => Err(NoAnswer),
        }
    }

    /// Ruins and recreates until the budget is spent, and keeps the best.
    ///
    /// The pattern wandered from is not cleaned: that was tried, and led into dead ends that cost 3 to 10% more. Copies of it
    /// are, ten times in all where that is quick.
    fn wander(&mut self, mut state: State, best: &mut State, clock: &Clock<'_>) -> Result<(), Halt> {
        let table = self.heuristic.table;
        let begun = clock.work();
        let budget = f64::min(LEAST_WORK + WORK_A_CELL * table.cells().len() as f64, MOST_WORK);
        let mut told = 0.0;
        loop {
            let spent = clock.work().saturating_sub(begun).as_secs_f64() / budget;
            let secondaries: Vec<usize> = state.secondaries(table).collect();
            if spent >= 1.0 || same_cost(best.cost(), self.bound) || secondaries.is_empty() {
                return Ok(());
            }
            if spent >= told {
                told = spent + 0.1;
                if !self.heuristic.is_large() {
                    for mut copy in [state.clone(), best.clone()] {
                        self.heuristic.strip(&mut copy, clock)?;
                        keep_cheaper(best, &copy);
                    }
                }
                (self.tell)(best.cost());
            }
            // A round costs something even if no program is solved.
            clock.budget().spend(ROUND);
            let seed = secondaries[self.dice.below(secondaries.len())];
            let mean = (state.cost() - self.must) / secondaries.len() as f64;
            let ruin = self.ruin(&state, seed, TEMPERATURE * (1.0 - spent) * mean);
            if self.recreate(&mut state, &ruin, clock)? {
                keep_cheaper(best, &state);
            }
        }
    }

    /// What to take away around a secondary: the demands that need it, or a dozen that share cells with them.
    fn ruin(&mut self, state: &State, seed: usize, allowance: f64) -> Ruin {
        let mut demands = state.users(seed).to_vec();
        let wide = self.dice.below(3) > 0;
        if wide {
            let most = 2 + self.dice.below(10);
            let mut next = 0;
            while demands.len() < most && next < demands.len() {
                for near in state.witness(demands[next]) {
                    for user in state.users(*near) {
                        if demands.len() < most && !demands.contains(user) {
                            demands.push(*user);
                        }
                    }
                }
                next += 1;
            }
        }
        self.dice.shuffle(&mut demands);
        Ruin {
            demands,
            avoid: if self.dice.below(3) > 0 { vec![seed] } else { Vec::new() },
            noise: if wide { 0.6 * self.dice.share() } else { 0.0 },
            few: 3 + self.dice.below(FEW),
            allowance: allowance * self.dice.share(),
        }
    }

    /// Takes the witnesses of some demands away and finds others; keeps them if the pattern is dearer by no more than the
    /// allowance.
    fn recreate(&mut self, state: &mut State, ruin: &Ruin, clock: &Clock<'_>) -> Result<bool, Halt> {
        let table = self.heuristic.table;
        let before = state.cost();
        state.mark();
        let mut touched = Vec::new();
        for demand in &ruin.demands {
            touched.extend_from_slice(state.witness(*demand));
            state.set_witness(table, *demand, None);
        }
        state.drop_unused(table, touched.into_iter());
        let salt = self.dice.below(usize::MAX) as u64;
        let factor = |cell: usize| 1.0 + ruin.noise * (2.0 * scatter(cell as u64 ^ salt) - 1.0);
        let prices = Prices { factor: &factor, avoid: &ruin.avoid, shunned: &[], few: ruin.few };
        let limit = before + ruin.allowance + 1e-12 * before;
        match self.heuristic.fulfil(state, &ruin.demands, &prices, limit, clock) {
            Ok(true) => Ok(true),
            Ok(false) => {
                state.undo();
                Ok(false)
            }
            Err(halt) => {
                state.undo();
                Err(halt)
            }
        }
    }
}

fn keep_cheaper(best: &mut State, other: &State) {
    if other.cost() < best.cost() - 1e-12 * best.cost() {
        *best = other.clone();
    }
}

/// A number from 0 to 1 that looks random (the finalizer of SplitMix64).
fn scatter(of: u64) -> f64 {
    let mut mixed = of.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
