//! Construct, improve, clean, check.

use std::time::{Duration, Instant};

use tamis_solver::LiveSolver;

use super::state::State;
use super::{Clock, Dice, Halt, Heuristic, Prices, bound, check};
use crate::attack::NoAnswer;
use crate::pattern::Pattern;
use crate::protect::{Options, Progress, ProtectError, Protected, gap};
use crate::table::CellTable;

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
        let prices = Prices { factor: None, avoid: &[] };
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
        if std::env::var("TRACE").is_ok() {
            eprintln!("first {} attacks {}", state.cost(), self.heuristic.attacks);
        }
        match self.swaps(&mut state) {
            Ok(()) | Err(Halt::Over) => {}
            Err(_) => return Err(NoAnswer),
        }
        let mut pattern = state.pattern();
        if std::env::var("TRACE").is_ok() {
            eprintln!("swapped {} attacks {}", state.cost(), self.heuristic.attacks);
        }
        let _ = self.heuristic.strip(&mut state, &self.clock);
        pattern = state.pattern();
        if std::env::var("TRACE").is_ok() {
            eprintln!("clean {} attacks {}", state.cost(), self.heuristic.attacks);
        }
        Ok(pattern)
    }

    /// Tries to do without each secondary.
    fn swaps(&mut self, state: &mut State) -> Result<(), Halt> {
        let table = self.heuristic.table;
        let mut improved = true;
        while improved {
            improved = false;
            let mut cells: Vec<usize> = state.secondaries(table).collect();
            cells.sort_by(|a, b| table.cells()[*b].weight.total_cmp(&table.cells()[*a].weight));
            for cell in cells {
                if !state.hides(cell) {
                    continue;
                }
                let mut demands = state.users(cell).to_vec();
                self.dice.shuffle(&mut demands);
                improved |= self.recreate(state, &demands, &[cell])?;
            }
        }
        Ok(())
    }

    /// Takes the witnesses of some demands away and finds others; keeps them if the pattern is cheaper.
    fn recreate(&mut self, state: &mut State, demands: &[usize], avoid: &[usize]) -> Result<bool, Halt> {
        let table = self.heuristic.table;
        let before = state.cost();
        state.mark();
        let mut touched = Vec::new();
        for demand in demands {
            touched.extend_from_slice(state.witness(*demand));
            state.set_witness(table, *demand, None);
        }
        state.drop_unused(table, touched.into_iter());
        let prices = Prices { factor: None, avoid };
        let limit = before - 1e-9 * before;
        match self.heuristic.fulfil(state, demands, &prices, limit, &self.clock) {
            Ok(true) if state.cost() < limit => Ok(true),
            Ok(_) => {
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
