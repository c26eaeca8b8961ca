//! Construct, improve, clean, check.

use tamis_solver::LiveSolver;

use super::state::State;
use super::{Clock, Dice, FEW, Halt, Heuristic, Prices, check, of_company};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::proof::same_cost;
use crate::protect::{Options, Progress, ProtectError, Protected, gap};
use crate::table::CellTable;

/// How much dearer than before a pattern may become at first, in mean weights of a secondary.
const TEMPERATURE: f64 = 1.0;

/// The budget of the search in nanoseconds of work: for any table, for each cell, and at most.
const LEAST_WORK: f64 = 2e8;
const WORK_A_CELL: f64 = 2.5e6;
const MOST_WORK: f64 = 1.5e10;
/// How often a pattern that falls short by a rounding is mended.
const MENDS: usize = 3;

/// What a round takes beside linear programs.
const ROUND: u64 = 20_000;

pub(super) fn run(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
) -> Result<Protected, ProtectError> {
    let clock = Clock::new(options);
    let mut heuristic = Heuristic::new(table, solver);
    let bound = of_company(table);
    let primaries = Pattern::least(table).cost(table);
    let mut search = Search { heuristic: &mut heuristic, options, clock, bound, must: primaries, dice: Dice::new(1) };
    let found = match search.first() {
        Ok(state) => search.improve(state)?,
        Err(Halt::Over) => return Err(ProtectError::TimeRanOut),
        Err(Halt::NoAnswer) => return Err(NoAnswer.into()),
        Err(Halt::OutOfReach) => {
            let most = Pattern::most(table);
            let (exposed, _) = check::exposed(table, solver, &search.heuristic.certifier, &most)?;
            if !exposed.is_empty() {
                return Err(ProtectError::CannotBeProtected(exposed));
            }
            most
        }
    };
    search.finish(found)
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

struct Search<'h, 't, 'o> {
    heuristic: &'h mut Heuristic<'t>,
    options: &'o Options<'o>,
    clock: Clock<'o>,
    bound: f64,
    /// The cost of what must be hidden.
    must: f64,
    dice: Dice,
}

impl Search<'_, '_, '_> {
    fn first(&mut self) -> Result<State, Halt> {
        let clock = self.clock.patient();
        let table = self.heuristic.table;
        let mut state = State::new(table, &Pattern::least(table), self.heuristic.certifier.demands.len());
        let order = self.heuristic.order.clone();
        let prices = Prices { factor: &|_| 1.0, avoid: &[], few: FEW };
        self.heuristic.fulfil(&mut state, &order, &prices, f64::INFINITY, &clock)?;
        Ok(state)
    }

    fn tell(&self, cost: f64) {
        (self.options.progress)(&Progress {
            bound: self.bound,
            cost,
            gap: gap(cost, self.bound, self.must),
            attacks: self.heuristic.attacks,
            ..Progress::default()
        });
    }

    /// Wanders, then cleans the best pattern met.
    fn improve(&mut self, state: State) -> Result<Pattern, NoAnswer> {
        let mut best = state.clone();
        match self.wander(state, &mut best) {
            Ok(()) | Err(Halt::Over) => {}
            Err(_) => return Err(NoAnswer),
        }
        if self.heuristic.strip(&mut best, &self.clock) == Err(Halt::NoAnswer) {
            return Err(NoAnswer);
        }
        Ok(best.pattern())
    }

    /// Ruins and recreates until the budget is spent, and keeps the best.
    ///
    /// The pattern wandered from is not cleaned: that was tried, and led into dead ends that cost 3 to 10% more. Copies of it
    /// are, ten times in all where that is quick.
    fn wander(&mut self, mut state: State, best: &mut State) -> Result<(), Halt> {
        let table = self.heuristic.table;
        let begun = self.heuristic.work;
        let budget = f64::min(LEAST_WORK + WORK_A_CELL * table.cells().len() as f64, MOST_WORK);
        let mut told = 0.0;
        loop {
            let spent = (self.heuristic.work - begun) as f64 / budget;
            let secondaries: Vec<usize> = state.secondaries(table).collect();
            if spent >= 1.0 || same_cost(best.cost(), self.bound) || secondaries.is_empty() {
                return Ok(());
            }
            if spent >= told {
                told = spent + 0.1;
                if !self.heuristic.is_large() {
                    for mut copy in [state.clone(), best.clone()] {
                        self.heuristic.strip(&mut copy, &self.clock)?;
                        keep_cheaper(best, &copy);
                    }
                }
                self.tell(best.cost());
            }
            // A round costs something even if no program is solved.
            self.heuristic.work += ROUND;
            let seed = secondaries[self.dice.below(secondaries.len())];
            let mean = (state.cost() - self.must) / secondaries.len() as f64;
            let ruin = self.ruin(&state, seed, TEMPERATURE * (1.0 - spent) * mean);
            if self.recreate(&mut state, &ruin)? {
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
    fn recreate(&mut self, state: &mut State, ruin: &Ruin) -> Result<bool, Halt> {
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
        let prices = Prices { factor: &factor, avoid: &ruin.avoid, few: ruin.few };
        let limit = before + ruin.allowance + 1e-12 * before;
        match self.heuristic.fulfil(state, &ruin.demands, &prices, limit, &self.clock) {
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

    /// Checks with fresh programs. What falls short by a rounding of the search gets a little more; if that does not help,
    /// everything is hidden.
    fn finish(&mut self, mut pattern: Pattern) -> Result<Protected, ProtectError> {
        let table = self.heuristic.table;
        for mends in 0.. {
            let certifier = &self.heuristic.certifier;
            let (exposed, attacks) = check::exposed(table, self.heuristic.solver, certifier, &pattern)?;
            self.heuristic.attacks += attacks;
            if exposed.is_empty() {
                break;
            }
            let most = Pattern::most(table);
            if pattern == most {
                return Err(ProtectError::CannotBeProtected(exposed));
            }
            if mends == MENDS || !self.heuristic.mend(&mut pattern, &exposed)? {
                pattern = most;
            }
        }
        let cost = pattern.cost(table);
        let optimal = same_cost(cost, self.bound);
        let bound = if optimal { cost } else { self.bound };
        let gap = gap(cost, bound, self.must);
        let effort = Progress { bound, cost, gap, attacks: self.heuristic.attacks, ..Progress::default() };
        Ok(Protected { pattern, cost, bound, optimal, gap, effort })
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
