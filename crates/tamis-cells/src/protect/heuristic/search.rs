//! Construct, improve, clean, check.

use std::time::{Duration, Instant};

use tamis_solver::LiveSolver;

use super::state::State;
use super::{Clock, Dice, FEW, Halt, Heuristic, Prices, bound, check};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::{Options, Progress, ProtectError, Protected, gap};
use crate::table::CellTable;

/// How much dearer than before a pattern may become at first, in mean weights of a secondary.
const TEMPERATURE: f64 = 0.5;

/// How much longer than asked the first pattern may take: before it is there, nothing is known.
const GRACE: Duration = Duration::from_secs(10);

pub(super) fn run(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
) -> Result<Protected, ProtectError> {
    let begun = Instant::now();
    let clock = Clock { deadline: options.time_limit.and_then(|limit| begun.checked_add(limit)), stop: options.stop };
    let mut heuristic = Heuristic::new(table, solver);
    let bound = bound::of_company(table);
    let mut search = Search { heuristic: &mut heuristic, options, clock, bound, dice: Dice::new(1) };
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

struct Search<'h, 't, 'o> {
    heuristic: &'h mut Heuristic<'t>,
    options: &'o Options<'o>,
    clock: Clock<'o>,
    bound: f64,
    dice: Dice,
}

impl Search<'_, '_, '_> {
    fn first(&mut self) -> Result<State, Halt> {
        let never = std::sync::atomic::AtomicBool::new(false);
        let late = self.clock.deadline.and_then(|deadline| deadline.checked_add(GRACE));
        let clock = Clock { deadline: late, stop: &never };
        let table = self.heuristic.table;
        let mut state = State::new(table, &Pattern::least(table), self.heuristic.certifier.demands.len());
        let order = self.heuristic.order.clone();
        let prices = Prices { factor: &|_| 1.0, avoid: &[], few: FEW };
        self.heuristic.fulfil(&mut state, &order, &prices, f64::INFINITY, &clock)?;
        Ok(state)
    }

    fn tell(&self, cost: f64) {
        let primaries = Pattern::least(self.heuristic.table).cost(self.heuristic.table);
        (self.options.progress)(&Progress {
            bound: self.bound,
            cost,
            gap: gap(cost, self.bound, primaries),
            attacks: self.heuristic.attacks,
            ..Progress::default()
        });
    }

    fn improve(&mut self, mut state: State) -> Result<Pattern, NoAnswer> {
        self.tell(state.cost());
        let mut best = state.pattern();
        match self.wander(&mut state, &mut best) {
            Ok(()) | Err(Halt::Over) => {}
            Err(_) => return Err(NoAnswer),
        }
        self.trace("searched", best.cost(self.heuristic.table));
        match self.heuristic.clean(&mut best, &self.clock) {
            Err(Halt::NoAnswer) => return Err(NoAnswer),
            _ => {}
        }
        self.trace("cleaned", best.cost(self.heuristic.table));
        Ok(best)
    }

    fn trace(&self, what: &str, cost: f64) {
        if std::env::var("TRACE").is_ok() {
            let primaries = Pattern::least(self.heuristic.table).cost(self.heuristic.table);
            eprintln!("{what} {} attacks {} work {}", cost - primaries, self.heuristic.attacks, self.heuristic.work as f64 * 1e-9);
        }
    }

    fn wander(&mut self, state: &mut State, best: &mut Pattern) -> Result<(), Halt> {
        let table = self.heuristic.table;
        let primaries = Pattern::least(table).cost(table);
        let mut least = state.cost();
        self.trace("first", least);
        let begun = self.heuristic.work;
        let budget = f64::min(2e8 + 2.5e6 * table.cells().len() as f64, 2.5e10);
        let mut told = 0.0;
        let mut moves = 0;
        loop {
            let spent = (self.heuristic.work - begun) as f64 / budget;
            let secondaries: Vec<usize> = state.secondaries(table).collect();
            if spent >= 1.0 || least <= self.bound || secondaries.is_empty() {
                self.trace(&format!("moves {moves}"), least);
                return Ok(());
            }
            if spent > told + 0.1 {
                told = spent;
                self.trace("  at", least);
                self.tell(least);
            }
            moves += 1;
            // A round costs something even if no program is solved.
            self.heuristic.work += 20_000;
            let cell = secondaries[self.dice.below(secondaries.len())];
            let mut demands = state.users(cell).to_vec();
            let wide = self.dice.below(3) > 0;
            if wide {
                let most = 2 + self.dice.below(10);
                let mut next = 0;
                while demands.len() < most && next < demands.len() {
                    for near in state.witness(demands[next]).to_vec() {
                        for user in state.users(near) {
                            if demands.len() < most && !demands.contains(user) {
                                demands.push(*user);
                            }
                        }
                    }
                    next += 1;
                }
            }
            self.dice.shuffle(&mut demands);
            let avoid: &[usize] = if self.dice.below(3) > 0 { &[cell] } else { &[] };
            let noise = if wide { 0.6 * self.dice.share() } else { 0.0 };
            let few = 3 + self.dice.below(FEW);
            let allowance = TEMPERATURE * (1.0 - spent) * self.dice.share() * (least - primaries) / (secondaries.len() as f64).max(1.0);
            if self.recreate(state, &demands, avoid, noise, few, allowance)? && state.cost() < least - 1e-12 * least {
                least = state.cost();
                *best = state.pattern();
            }
        }
    }

    /// Takes the witnesses of some demands away and finds others; keeps them if the pattern is dearer by no more than the
    /// allowance.
    fn recreate(
        &mut self,
        state: &mut State,
        demands: &[usize],
        avoid: &[usize],
        noise: f64,
        few: usize,
        allowance: f64,
    ) -> Result<bool, Halt> {
        let table = self.heuristic.table;
        let before = state.cost();
        state.mark();
        let mut touched = Vec::new();
        for demand in demands {
            touched.extend_from_slice(state.witness(*demand));
            state.set_witness(table, *demand, None);
        }
        state.drop_unused(table, touched.into_iter());
        let salt = self.dice.below(usize::MAX) as u64;
        let factor = |cell: usize| 1.0 + noise * (2.0 * scatter(cell as u64 ^ salt) - 1.0);
        let prices = Prices { factor: &factor, avoid, few };
        let limit = before + allowance + 1e-12 * before;
        match self.heuristic.fulfil(state, demands, &prices, limit, &self.clock) {
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

    fn finish(&mut self, mut pattern: Pattern) -> Result<Protected, ProtectError> {
        let table = self.heuristic.table;
        loop {
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
            pattern = most;
        }
        let cost = pattern.cost(table);
        let primaries = Pattern::least(table).cost(table);
        let bound = f64::min(self.bound, cost);
        let gap = gap(cost, bound, primaries);
        let effort = Progress { bound, cost, gap, attacks: self.heuristic.attacks, ..Progress::default() };
        Ok(Protected { pattern, cost, bound, optimal: cost <= bound, gap, effort })
    }
}

/// A number from 0 to 1 that looks random (the finalizer of SplitMix64).
fn scatter(of: u64) -> f64 {
    let mut mixed = of.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
