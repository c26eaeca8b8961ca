//! A protected pattern fast, without a proof that nothing is cheaper.
//!
//! Every demand gets a witness: a deviation of hidden cells that meets it, found as the cheapest one by a linear program in
//! which hidden cells cost next to nothing (see [`Router`]). Cells that no witness needs are published. A search then takes
//! witnesses away and finds others, and keeps what is cheaper. What is returned has been cleaned (no single secondary can
//! be published, see [`clean`] for very large tables); whether it protects is for the audit to say.

mod bound;
mod certify;
mod clean;
mod dice;
mod nearby;
mod search;
mod state;

use std::rc::Rc;
use std::time::Duration;

use tamis_solver::LiveSolver;

pub(crate) use self::bound::of_company;
use self::certify::Certifier;
use self::dice::Dice;
use self::nearby::Nearby;
use self::state::State;
use super::clock::Clock;
use crate::attack::{Deviation, NoAnswer, Part, Router};
use crate::demand::{Demand, Side};
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Tables with more cells than this are searched part by part.
const LARGE: usize = 600;
/// The same where no cell stands in more than two equations: programs there are easy.
const LARGE_FLAT: usize = 2000;

/// What making a small program takes.
const BUILD: Duration = Duration::from_micros(200);

/// How many cells of each equation of a primary make the first part.
const FEW: usize = 6;

/// What the use of a cell that an attacker knows costs on top, in mean weights: about that of a hidden one.
const KNOWN: f64 = 1e-3;
/// The same where one of the attackers asks for whom a deviation is sought: less than that of a further cell.
const SHUNNED: f64 = 0.03;

/// Why a pattern was not completed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Halt {
    /// The clock ran out.
    Over,
    /// A level cannot be met by any pattern.
    OutOfReach,
    /// The solver failed.
    NoAnswer,
}

impl From<NoAnswer> for Halt {
    fn from(_: NoAnswer) -> Self {
        Self::NoAnswer
    }
}

/// The heuristic on one table, with its live programs.
pub(crate) struct Heuristic<'t> {
    table: &'t CellTable,
    solver: &'t dyn LiveSolver,
    certifier: Certifier,
    /// The demands that follow no other, by falling level.
    order: Vec<usize>,
    /// The programs over the whole table: for single deviations, and for the pairs of widths.
    routers: [Option<Router>; 2],
    /// Cells that have room to deviate and may be hidden.
    open: Vec<usize>,
    nearby: Nearby,
    /// The mean weight of cells that may be hidden: costs in the programs are shares of it.
    unit: f64,
    attacks: u64,
    /// A pattern for which the time was short, and what it started from.
    unfinished: Option<(Pattern, State)>,
}

/// What the use of cells is worth in one construction.
pub(super) struct Prices<'a> {
    /// A factor for each cell, for noise or guidance.
    pub(super) factor: &'a dyn Fn(usize) -> f64,
    /// Cells that are to be avoided.
    pub(super) avoid: &'a [usize],
    /// By cell, whether it should move only where that hides nothing; none if empty.
    pub(super) shunned: &'a [bool],
    /// How many cells of each equation of a primary make the first part of a large table.
    pub(super) few: usize,
}

impl<'t> Heuristic<'t> {
    /// Prepares the programs. Time: that of reading the table.
    pub(crate) fn new(table: &'t CellTable, solver: &'t dyn LiveSolver) -> Self {
        let certifier = Certifier::new(table);
        let (demands, public) = (&certifier.demands, &certifier.public);
        let leads = |number: &usize| certifier.ranks.leader(*number).is_none();
        let mut order: Vec<usize> = (0..demands.len()).filter(leads).collect();
        order.sort_by(|a, b| demands[*b].level.total_cmp(&demands[*a].level));
        let cells = table.cells();
        let open: Vec<usize> = (0..cells.len())
            .filter(|cell| cells[*cell].status != Status::Fixed)
            .filter(|cell| public.down[*cell] > 0.0 || public.up[*cell] > 0.0)
            .collect();
        let free: Vec<f64> = cells.iter().filter(|cell| cell.status == Status::Free).map(|cell| cell.weight).collect();
        let unit = free.iter().sum::<f64>() / f64::max(free.len() as f64, 1.0);
        Self {
            table,
            solver,
            certifier,
            order,
            routers: [None, None],
            nearby: Nearby::new(table, &open),
            open,
            unit: if unit > 0.0 { unit } else { 1.0 },
            attacks: 0,
            unfinished: None,
        }
    }

    /// Linear programs solved so far.
    pub(crate) fn attacks(&self) -> u64 {
        self.attacks
    }

    /// Extends a pattern until every demand holds; cells of the start that turn out needless are published. Cells with a
    /// high `guide` (a fractional pattern) are cheap. Time: at most one linear program a demand.
    pub(crate) fn complete(
        &mut self,
        start: &Pattern,
        guide: Option<&[f64]>,
        clock: &Clock<'_>,
    ) -> Result<Draft, Halt> {
        let factor = |cell: usize| guide.map_or(1.0, |guide| 1.0 - 0.99 * guide[cell].clamp(0.0, 1.0));
        let begun = self.unfinished.take().filter(|(of, _)| of == start && guide.is_none());
        let mut state = begun.map_or_else(|| State::new(self.table, start, &self.certifier), |(_, state)| state);
        let prices = Prices { factor: &factor, avoid: &[], shunned: &[], few: FEW };
        let order = self.order.clone();
        match self.fulfil(&mut state, &order, &prices, f64::INFINITY, clock) {
            Ok(_) => Ok(Draft(state)),
            Err(halt) => {
                // Whoever asks again with more time goes on from here.
                self.unfinished = (halt == Halt::Over).then(|| (start.clone(), state));
                Err(halt)
            }
        }
    }

    /// Gives every demand of `order` that has none a witness, and all that follows them. `Ok(false)` if the cost reached the limit
    /// before.
    fn fulfil(
        &mut self,
        state: &mut State,
        order: &[usize],
        prices: &Prices<'_>,
        limit: f64,
        clock: &Clock<'_>,
    ) -> Result<bool, Halt> {
        let leaders = self.certifier.ranks.leaders(order);
        for &leader in &leaders {
            if !state.is_met(leader) && !self.settle(leader, state, prices, limit, clock)? {
                return Ok(false);
            }
        }
        for &leader in &leaders {
            while let strays = state.strays(leader)
                && let Some(&first) = strays.first()
            {
                // What does for one of them may do for the others.
                let shunned = self.certifier.known_to(&strays);
                let factor = |cell: usize| (prices.factor)(cell);
                let prices = Prices { shunned: &shunned, factor: &factor, ..*prices };
                if !self.settle(first, state, &prices, limit, clock)? {
                    return Ok(false);
                }
            }
        }
        let all = 0..self.table.cells().len();
        state.drop_unused(self.table, all);
        Ok(true)
    }

    /// Finds a witness. `Ok(false)` if that costs more than the limit.
    fn settle(
        &mut self,
        number: usize,
        state: &mut State,
        prices: &Prices<'_>,
        limit: f64,
        clock: &Clock<'_>,
    ) -> Result<bool, Halt> {
        if clock.over() {
            return Err(Halt::Over);
        }
        let deviations = self.route(number, state, prices, clock)?.ok_or(Halt::OutOfReach)?;
        self.adopt(state, number, &deviations);
        Ok(state.cost() <= limit)
    }

    /// Whether the table is searched part by part.
    fn is_large(&self) -> bool {
        self.open.len() > if self.nearby.is_flat { LARGE_FLAT } else { LARGE }
    }

    /// The cheapest deviations for a demand beside what is hidden already.
    fn route(
        &mut self,
        number: usize,
        state: &State,
        prices: &Prices<'_>,
        clock: &Clock<'_>,
    ) -> Result<Option<Vec<Deviation>>, NoAnswer> {
        let demand = self.certifier.demands[number];
        let (cells, unit) = (self.table.cells(), self.unit);
        // A deviation of cells of which nobody knows more does for all attackers.
        let is_known = Rc::clone(&self.certifier.is_known);
        let worth = |cell: usize| {
            let weight = cells[cell].weight / unit;
            let known = match prices.shunned.get(cell) {
                Some(true) => SHUNNED,
                _ if is_known[cell] => KNOWN,
                _ => 0.0,
            };
            if cells[cell].status != Status::Free {
                1e-6 + known
            } else if state.hides(cell) {
                1e-5 + 3e-3 * weight
            } else if prices.avoid.contains(&cell) {
                1e3 + 10.0 * weight
            } else {
                1e-4 + weight * (prices.factor)(cell)
            }
        };
        let table = self.table;
        if self.is_large() {
            for few in [prices.few, 3 * prices.few] {
                let Some(part) = self.nearby.around(table, state, demand.cell, few, &worth) else { continue };
                self.attacks += 1;
                let mut router = self.new_router(demand.side == Side::Width, part);
                clock.budget().spend(BUILD);
                let found = router.route(table, &demand, &worth)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        self.attacks += 1;
        self.router(&demand).route(table, &demand, &worth)
    }

    /// A program over some cells.
    fn new_router(&self, joint: bool, part: Part) -> Router {
        let widths = self.certifier.demands.iter().filter(|demand| joint && demand.side == Side::Width);
        let mut widths: Vec<usize> = widths.map(|demand| demand.cell).collect();
        widths.sort_unstable();
        widths.dedup();
        Router::new(self.table, self.solver, &self.certifier.public, part, widths)
    }

    fn router(&mut self, demand: &Demand) -> &mut Router {
        let joint = demand.side == Side::Width;
        let router = self.routers[usize::from(joint)].take();
        let router = router.unwrap_or_else(|| self.new_router(joint, self.nearby.whole(self.table)));
        self.routers[usize::from(joint)].insert(router)
    }

    /// Makes deviations the witness of their demand and of all others without one that they meet too.
    fn adopt(&self, state: &mut State, number: usize, deviations: &[Deviation]) {
        state.set_witness(self.table, number, Some(self.certifier.witness(self.table, deviations.to_vec())));
        for deviation in deviations {
            let shared = self.certifier.witness(self.table, vec![deviation.clone()]);
            let mut met = Vec::new();
            self.certifier.each_met(deviation, |leader| state.strays(leader), |other| met.push(other));
            met.retain(|other| !state.is_met(*other));
            for other in met {
                state.set_witness(self.table, other, Some(shared.clone()));
            }
        }
    }
}

/// A pattern that is held protected, with its reasons.
#[derive(Clone)]
pub(crate) struct Draft(State);

impl Draft {
    pub(crate) fn pattern(&self) -> Pattern {
        self.0.pattern()
    }

    /// The deviations for which it is held protected.
    pub(crate) fn deviations(&self) -> Vec<Deviation> {
        self.0.deviations()
    }
}
