//! Publishing again what is not needed.

use std::rc::Rc;
use std::time::Duration;

use super::state::State;
use super::{Clock, Draft, Halt, Heuristic};
use crate::attack::{Deviation, Part, Router};
use crate::demand::Side;
use crate::pattern::Pattern;
use crate::table::Status;

/// What the use of a cell that an attacker knows costs on top: a deviation without such cells does for all attackers.
const KNOWN: f64 = 0.5;
/// The same where one of the attackers asks for whom a deviation is sought.
const SHUNNED: f64 = 20.0;

/// The most work that a cleaning takes: the dearest cells come first, so that the cheapest are left.
const MOST_WORK: Duration = Duration::from_secs(22);

impl Heuristic<'_> {
    /// A pattern that hides no more than another one, with a witness for every demand; `None` if there is no time to find them,
    /// or one is not met.
    pub(crate) fn cleaned(&mut self, pattern: &Pattern, clock: &Clock<'_>) -> Option<Draft> {
        let mut state = State::new(self.table, pattern, &self.certifier);
        self.strip(&mut state, clock).ok()?;
        Some(Draft(state))
    }

    /// The demands that a pattern does not meet; `None` if there is no time to find them.
    pub(crate) fn unmet(&mut self, pattern: &Pattern, clock: &Clock<'_>) -> Option<Vec<usize>> {
        let mut state = State::new(self.table, pattern, &self.certifier);
        let mut inner = Inner::new(self, &state);
        let mut unmet = Vec::new();
        for number in self.order.clone() {
            if clock.over() {
                return None;
            }
            if !state.is_met(number) {
                match inner.find(self, number, &state, &[]).ok()? {
                    Some(deviations) => self.adopt(&mut state, number, &deviations),
                    None => unmet.push(number),
                }
            }
        }
        let ranks = Rc::clone(&self.certifier.ranks);
        for leader in self.order.clone() {
            for number in ranks.followers(leader) {
                if clock.over() {
                    return None;
                }
                if state.is_met(number) {
                    continue;
                }
                // Nobody moves a cell further than the public.
                let demands = &self.certifier.demands;
                let is_hopeless = !state.is_met(leader) && demands[number].level == demands[leader].level;
                match if is_hopeless { None } else { inner.find(self, number, &state, &[]).ok()? } {
                    Some(deviations) => self.adopt(&mut state, number, &deviations),
                    None => unmet.push(number),
                }
            }
        }
        Some(unmet)
    }

    /// Publishes secondaries again, dearest first, as long as every demand holds; afterwards no single one can be published,
    /// unless the table is so large (thousands of cells in three dimensions) that the work for that is not spent.
    /// A demand is attacked again only if its witness needs the cell. If the clock runs out the pattern is protected still,
    /// but may hold needless cells. The programs are over the hidden cells alone; witnesses that are missing are found first.
    pub(super) fn strip(&mut self, state: &mut State, clock: &Clock<'_>) -> Result<(), Halt> {
        let mut inner = Inner::new(self, state);
        self.replaced(&self.order.clone(), &mut inner, state, clock)?;
        inner.drop_unused(self, state);
        let mut candidates = state.secondaries(self.table).collect::<Vec<_>>();
        let weight = |cell: usize| self.table.cells()[cell].weight;
        candidates.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)));
        let clock = clock.at_most(MOST_WORK, 1.0);
        for cell in candidates {
            if clock.over() {
                break;
            }
            if state.hides(cell) {
                self.publish(cell, &mut inner, state, &clock)?;
            }
        }
        Ok(())
    }

    /// Finds the witness of a demand among the hidden cells.
    fn witness(
        &mut self,
        number: usize,
        shunned: &[bool],
        inner: &mut Inner,
        state: &mut State,
        clock: &Clock<'_>,
    ) -> Result<(), Halt> {
        if clock.over() {
            return Err(Halt::Over);
        }
        let deviations = inner.find(self, number, state, shunned)?.ok_or(Halt::OutOfReach)?;
        self.adopt(state, number, &deviations);
        Ok(())
    }

    /// Publishes a cell if every demand holds without it; the state is as it was if not, or if there is no time to tell.
    fn publish(&mut self, cell: usize, inner: &mut Inner, state: &mut State, clock: &Clock<'_>) -> Result<(), Halt> {
        state.mark();
        let users = state.users(cell).to_vec();
        state.hide(self.table, cell, false);
        if self.gives_away(state, &users) {
            state.undo();
            return Ok(());
        }
        inner.close(cell, true);
        for user in &users {
            state.set_witness(self.table, *user, None);
        }
        let leaders = self.certifier.ranks.leaders(&users);
        match self.replaced(&leaders, inner, state, clock) {
            Ok(()) => inner.drop_unused(self, state),
            Err(halt) => {
                state.undo();
                inner.close(cell, false);
                if halt == Halt::NoAnswer {
                    return Err(halt);
                }
            }
        }
        Ok(())
    }

    /// New witnesses for demands that lost theirs, and for what follows them.
    fn replaced(
        &mut self,
        leaders: &[usize],
        inner: &mut Inner,
        state: &mut State,
        clock: &Clock<'_>,
    ) -> Result<(), Halt> {
        for &leader in leaders {
            if !state.is_met(leader) {
                self.witness(leader, &[], inner, state, clock)?;
            }
        }
        for &leader in leaders {
            while let strays = state.strays(leader)
                && let Some(&first) = strays.first()
            {
                self.witness(first, &self.certifier.known_to(&strays), inner, state, clock)?;
            }
        }
        Ok(())
    }

    /// Whether one of some demands fails for sure, as its cell or one that it depends on stands alone in an equation. Most
    /// cells of a clean table fail here, without a linear program.
    fn gives_away(&mut self, state: &State, demands: &[usize]) -> bool {
        let hidden: Vec<usize> = self.open.iter().copied().filter(|cell| state.hides(*cell)).collect();
        let loose = self.nearby.loose(self.table, &hidden);
        demands.iter().any(|number| {
            let place = hidden.binary_search(&self.certifier.demands[*number].cell);
            place.is_ok_and(|place| !loose[place])
        })
    }
}

/// Programs over what is hidden now: one for single deviations, one for pairs.
struct Inner {
    routers: [Option<Router>; 2],
    cells: Vec<usize>,
}

impl Inner {
    fn new(heuristic: &Heuristic<'_>, state: &State) -> Self {
        let cells = heuristic.open.iter().copied().filter(|cell| state.hides(*cell)).collect();
        Self { routers: [None, None], cells }
    }

    fn close(&mut self, cell: usize, closed: bool) {
        self.routers.iter_mut().flatten().for_each(|router| router.close(cell, closed));
    }

    fn drop_unused(&mut self, heuristic: &Heuristic<'_>, state: &mut State) {
        for cell in state.drop_unused(heuristic.table, 0..heuristic.table.cells().len()) {
            self.close(cell, true);
        }
    }

    /// Deviations of cells that the state hides now; short ones are preferred.
    fn find(
        &mut self,
        heuristic: &mut Heuristic<'_>,
        number: usize,
        state: &State,
        shunned: &[bool],
    ) -> Result<Option<Vec<Deviation>>, Halt> {
        let (table, unit) = (heuristic.table, heuristic.unit);
        let demand = heuristic.certifier.demands[number];
        let joint = demand.side == Side::Width;
        let router = self.routers[usize::from(joint)].get_or_insert_with(|| {
            let (cells, equations) = (self.cells.clone(), (0..table.equations().len()).collect());
            let mut router = heuristic.new_router(joint, Part { cells, equations });
            self.cells.iter().filter(|cell| !state.hides(**cell)).for_each(|cell| router.close(*cell, true));
            router
        });
        let is_known = Rc::clone(&heuristic.certifier.is_known);
        let known = |cell: usize| match shunned.get(cell) {
            Some(true) => SHUNNED,
            _ if is_known[cell] => KNOWN,
            _ => 0.0,
        };
        let worth = |cell: usize| match &table.cells()[cell] {
            facts if facts.status == Status::Free => 0.1 + facts.weight / unit + known(cell),
            _ => 1e-3 + known(cell),
        };
        heuristic.attacks += 1;
        Ok(router.route(table, &demand, &worth)?)
    }
}
