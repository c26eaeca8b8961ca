//! A protected pattern fast, without a proof that nothing is cheaper.
//!
//! Every demand gets a witness: a deviation of hidden cells that meets it, found as the cheapest one by a linear program in
//! which hidden cells cost next to nothing (see [`router`]). Cells that no witness needs are published. A search then takes
//! witnesses away and finds others, and keeps what is cheaper. What is returned has been cleaned (no single secondary can
//! be published, see [`clean`] for very large tables) and checked with fresh programs.

mod bound;
mod certify;
mod check;
mod clean;
mod dice;
mod nearby;
mod router;
mod search;
mod state;

use tamis_solver::LiveSolver;

pub(crate) use self::bound::of_company;
use self::certify::Certifier;
use self::dice::Dice;
use self::nearby::{Nearby, Part};
use self::router::{Deviation, Router};
use self::state::State;
use super::clock::Clock;
use super::{Options, OutOfReach, ProtectError, Protected};
use crate::attack::{NoAnswer, Room};
use crate::demand::{Demand, Side};
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Levels that differ by more than this factor do not share a program: tolerances are absolute.
const SPREAD: f64 = 1e4;

/// Tables with more cells than this are searched part by part.
const LARGE: usize = 600;
/// The same where no cell stands in more than two equations: programs there are easy.
const LARGE_FLAT: usize = 2000;

/// What making a small program takes, in nanoseconds.
const BUILD: u64 = 200_000;

/// How many cells of each equation of a primary make the first part.
const FEW: usize = 6;

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
    /// Demands by falling level.
    order: Vec<usize>,
    /// By joint and size of levels.
    routers: Vec<((bool, i32), Router)>,
    /// Cells that have room to deviate and may be hidden.
    open: Vec<usize>,
    nearby: Nearby,
    /// What the runs so far took, about a nanosecond each.
    work: u64,
    largest: f64,
    /// The mean weight of cells that may be hidden: costs in the programs are shares of it.
    unit: f64,
    attacks: u64,
}

/// What the use of cells is worth in one construction.
pub(super) struct Prices<'a> {
    /// A factor for each cell, for noise or guidance.
    pub(super) factor: &'a dyn Fn(usize) -> f64,
    /// Cells that are to be avoided.
    pub(super) avoid: &'a [usize],
    /// How many cells of each equation of a primary make the first part of a large table.
    pub(super) few: usize,
}

impl<'t> Heuristic<'t> {
    /// Prepares the programs. Time: that of reading the table.
    pub(crate) fn new(table: &'t CellTable, solver: &'t dyn LiveSolver) -> Self {
        let demands = Demand::of(table);
        let rooms: Vec<_> = (0..=table.attackers().len()).map(|attacker| Room::of(table, attacker)).collect();
        let mut order: Vec<usize> = (0..demands.len()).collect();
        order.sort_by(|a, b| demands[*b].level.total_cmp(&demands[*a].level));
        let cells = table.cells();
        let open: Vec<usize> = (0..cells.len())
            .filter(|cell| cells[*cell].status != Status::Fixed)
            .filter(|cell| rooms[0].down[*cell] > 0.0 || rooms[0].up[*cell] > 0.0)
            .collect();
        let free: Vec<f64> = cells.iter().filter(|cell| cell.status == Status::Free).map(|cell| cell.weight).collect();
        let unit = free.iter().sum::<f64>() / f64::max(free.len() as f64, 1.0);
        let largest = demands.iter().map(|demand| demand.level).fold(0.0, f64::max);
        Self {
            table,
            solver,
            certifier: Certifier::new(demands, rooms, cells.len()),
            order,
            routers: Vec::new(),
            nearby: Nearby::new(table, &open),
            work: 0,
            open,
            largest,
            unit: if unit > 0.0 { unit } else { 1.0 },
            attacks: 0,
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
    ) -> Result<Pattern, Halt> {
        let factor = |cell: usize| guide.map_or(1.0, |guide| 1.0 - 0.99 * guide[cell].clamp(0.0, 1.0));
        let mut state = State::new(self.table, start, self.certifier.demands.len());
        let prices = Prices { factor: &factor, avoid: &[], few: FEW };
        let order = self.order.clone();
        self.fulfil(&mut state, &order, &prices, f64::INFINITY, clock)?;
        Ok(state.pattern())
    }

    /// Gives every demand of `order` that has none a witness. `Ok(false)` if the cost reached the limit before.
    fn fulfil(
        &mut self,
        state: &mut State,
        order: &[usize],
        prices: &Prices<'_>,
        limit: f64,
        clock: &Clock<'_>,
    ) -> Result<bool, Halt> {
        for &number in order {
            if state.is_met(number) {
                continue;
            }
            if clock.over() {
                return Err(Halt::Over);
            }
            let deviations = self.route(number, state, prices)?.ok_or(Halt::OutOfReach)?;
            self.adopt(state, number, &deviations);
            if state.cost() > limit {
                return Ok(false);
            }
        }
        let all = 0..self.table.cells().len();
        state.drop_unused(self.table, all);
        Ok(true)
    }

    /// Whether the table is searched part by part.
    fn is_large(&self) -> bool {
        self.open.len() > if self.nearby.is_flat { LARGE_FLAT } else { LARGE }
    }

    /// The cheapest deviations for a demand beside what is hidden already.
    fn route(&mut self, number: usize, state: &State, prices: &Prices<'_>) -> Result<Option<Vec<Deviation>>, NoAnswer> {
        let demand = self.certifier.demands[number];
        let (cells, unit) = (self.table.cells(), self.unit);
        let worth = |cell: usize| {
            let weight = cells[cell].weight / unit;
            if cells[cell].status != Status::Free {
                1e-6
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
                let mut router = self.new_router(self.key(&demand), part);
                let found = router.route(table, &demand, &worth)?;
                self.work += BUILD + router.work;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        self.attacks += 1;
        let router = self.router(&demand);
        let before = router.work;
        let found = router.route(table, &demand, &worth)?;
        let work = router.work - before;
        self.work += work;
        Ok(found)
    }

    /// Which program answers a demand: joint or not, and the size of its levels.
    fn key(&self, demand: &Demand) -> (bool, i32) {
        (demand.side == Side::Width, ((self.largest / demand.level).ln() / SPREAD.ln()) as i32)
    }

    /// A program over some cells.
    fn new_router(&self, (joint, bucket): (bool, i32), part: Part) -> Router {
        let widths = self.certifier.demands.iter().filter(|demand| joint && demand.side == Side::Width);
        let mut widths: Vec<usize> = widths.map(|demand| demand.cell).collect();
        widths.sort_unstable();
        widths.dedup();
        let scale = self.largest / SPREAD.powi(bucket);
        Router::new(self.table, self.solver, &self.certifier.rooms[0], part, widths, scale)
    }

    fn router(&mut self, demand: &Demand) -> &mut Router {
        let key = self.key(demand);
        let place = self.routers.iter().position(|(of, _)| *of == key).unwrap_or_else(|| {
            self.routers.push((key, self.new_router(key, self.nearby.whole(self.table))));
            self.routers.len() - 1
        });
        &mut self.routers[place].1
    }

    /// Hides a little more where demands are missed by a rounding. `false` if there is nothing more.
    fn mend(&mut self, pattern: &mut Pattern, exposed: &[OutOfReach]) -> Result<bool, NoAnswer> {
        let mut state = State::new(self.table, pattern, self.certifier.demands.len());
        let prices = Prices { factor: &|_| 1.0, avoid: &[], few: FEW };
        for missed in exposed {
            let Some(number) = self.certifier.demands.iter().position(|demand| *demand == missed.demand) else {
                continue;
            };
            self.certifier.demands[number].level *= 1.0 + 1e-7;
            let found = self.route(number, &state, &prices);
            self.certifier.demands[number] = missed.demand;
            for (cell, _) in found?.iter().flatten().flatten() {
                state.hide(self.table, *cell, true);
            }
        }
        let mended = state.pattern();
        let more = mended != *pattern;
        *pattern = mended;
        Ok(more)
    }

    /// Makes deviations the witness of their demand and of all others without one that they meet too.
    fn adopt(&self, state: &mut State, number: usize, deviations: &[Deviation]) {
        let needed = |deviation: &[(usize, f64)]| -> Vec<usize> {
            let cells = deviation.iter().map(|(cell, _)| *cell);
            cells.filter(|cell| self.table.cells()[*cell].status == Status::Free).collect()
        };
        let mut all: Vec<usize> = deviations.iter().flat_map(|deviation| needed(deviation)).collect();
        all.sort_unstable();
        all.dedup();
        state.set_witness(self.table, number, Some(all.into()));
        for deviation in deviations {
            let shared: state::Witness = needed(deviation).into();
            let mut met = Vec::new();
            self.certifier.each_met(deviation, |other| met.push(other));
            for other in met {
                if !state.is_met(other) {
                    state.set_witness(self.table, other, Some(shared.clone()));
                }
            }
        }
    }
}

/// The whole method: construct, search, clean, check.
pub(super) fn protect(
    table: &CellTable,
    solver: &dyn LiveSolver,
    options: &Options<'_>,
) -> Result<Protected, ProtectError> {
    search::run(table, solver, options)
}
