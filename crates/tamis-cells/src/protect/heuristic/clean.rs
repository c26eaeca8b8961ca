//! Publishing again what is not needed.

use super::nearby::Part;
use super::router::Router;
use super::state::{State, Witness};
use super::{Clock, Halt, Heuristic};
use crate::demand::Side;
use crate::table::Status;

/// The most work, in nanoseconds, that a cleaning takes: the dearest cells come first, so that the cheapest are left.
const MOST_WORK: u64 = 22_000_000_000;

impl Heuristic<'_> {
    /// Publishes secondaries again, dearest first, as long as every demand holds; afterwards no single one can be published,
    /// unless the table is so large (thousands of cells in three dimensions) that the work for that is not spent.
    /// A demand is attacked again only if its witness needs the cell. If the clock runs out the pattern is protected still,
    /// but may hold needless cells. The programs are over the hidden cells alone; witnesses that are missing are found first.
    pub(super) fn strip(&mut self, state: &mut State, clock: &Clock<'_>) -> Result<(), Halt> {
        let mut inner = Inner::new(self, state);
        for number in self.order.clone() {
            if !state.is_met(number) {
                if clock.over() {
                    return Err(Halt::Over);
                }
                let witness = inner.find(self, number, state)?.ok_or(Halt::OutOfReach)?;
                state.set_witness(self.table, number, Some(witness));
            }
        }
        inner.drop_unused(self, state);
        let mut candidates = state.secondaries(self.table).collect::<Vec<_>>();
        let weight = |cell: usize| self.table.cells()[cell].weight;
        candidates.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)));
        let begun = self.work;
        for cell in candidates {
            if !state.hides(cell) {
                continue;
            }
            if self.work - begun > MOST_WORK {
                break;
            }
            state.mark();
            let users = state.users(cell).to_vec();
            state.hide(self.table, cell, false);
            if self.gives_away(state, &users) {
                state.undo();
                continue;
            }
            inner.close(cell, true);
            let mut needless = true;
            for number in users {
                if clock.over() {
                    state.undo();
                    return Err(Halt::Over);
                }
                let Some(witness) = inner.find(self, number, state)? else {
                    needless = false;
                    break;
                };
                state.set_witness(self.table, number, Some(witness));
            }
            if needless {
                inner.drop_unused(self, state);
            } else {
                state.undo();
                inner.close(cell, false);
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
    routers: Vec<((bool, i32), Router)>,
    cells: Vec<usize>,
}

impl Inner {
    fn new(heuristic: &Heuristic<'_>, state: &State) -> Self {
        let cells = heuristic.open.iter().copied().filter(|cell| state.hides(*cell)).collect();
        Self { routers: Vec::new(), cells }
    }

    fn close(&mut self, cell: usize, closed: bool) {
        for (_, router) in &mut self.routers {
            router.close(cell, closed);
        }
    }

    fn drop_unused(&mut self, heuristic: &Heuristic<'_>, state: &mut State) {
        for cell in state.drop_unused(heuristic.table, 0..heuristic.table.cells().len()) {
            self.close(cell, true);
        }
    }

    /// A witness among the cells that the state hides now; short ones are preferred.
    fn find(&mut self, heuristic: &mut Heuristic<'_>, number: usize, state: &State) -> Result<Option<Witness>, Halt> {
        let (table, unit) = (heuristic.table, heuristic.unit);
        let demand = heuristic.certifier.demands[number];
        let key = heuristic.key(&demand);
        let place = self.routers.iter().position(|(of, _)| *of == key).unwrap_or_else(|| {
            heuristic.work += super::BUILD;
            let mut router = heuristic
                .new_router(key, Part { cells: self.cells.clone(), equations: (0..table.equations().len()).collect() });
            self.cells.iter().filter(|cell| !state.hides(**cell)).for_each(|cell| router.close(*cell, true));
            self.routers.push((key, router));
            self.routers.len() - 1
        });
        let worth = |cell: usize| match &table.cells()[cell] {
            facts if facts.status == Status::Free => 0.1 + facts.weight / unit,
            _ => 1e-3,
        };
        heuristic.attacks += 1;
        let router = &mut self.routers[place].1;
        let before = router.work;
        let found = router.route(table, &demand, &worth)?;
        heuristic.work += router.work - before;
        Ok(found.map(|deviations| {
            let cells = deviations.iter().flatten().map(|(cell, _)| *cell);
            let mut needed: Vec<usize> = cells.filter(|cell| table.cells()[*cell].status == Status::Free).collect();
            if demand.side == Side::Width {
                needed.sort_unstable();
                needed.dedup();
            }
            needed.into()
        }))
    }
}
