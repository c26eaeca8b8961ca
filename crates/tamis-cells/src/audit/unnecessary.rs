//! Hidden cells that could each be published without exposing anything.
//!
//! Publishing a cell harms a level only if every table that meets the level lets the cell deviate. Tables found before are
//! kept: a level one of whose tables leaves the cell alone needs no new attack.

use std::sync::Arc;

use tamis_solver::LiveSolver;

use super::AuditError;
use super::levels::Routes;
use super::target::{Asked, Target};
use super::witness::Witness;
use super::work::Work;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Hidden cells that nothing says must be hidden, ascending.
pub(super) fn candidates(table: &CellTable, pattern: &Pattern) -> Vec<usize> {
    pattern.cells().filter(|cell| matches!(table.cells()[*cell].status, Status::Free | Status::Fixed)).collect()
}

/// Linear programs a candidate that the search may take, and at least for a piece. The levels that a candidate may harm are
/// asked one after the other, so that needed candidates are found soon; it is those that nothing needs that take long.
const A_CANDIDATE: u64 = 16;
const A_PIECE: u64 = 32;

/// Answers for which a program is worth making.
const A_PROGRAM: u64 = 8;

/// Linear programs of all pieces together, counted by their cells.
const ALL_CELLS: u64 = 12_000_000;

/// Those of the candidates that could each be published, the others staying hidden, and whether all of them were tried.
pub(super) fn unnecessary(
    table: &CellTable,
    targets: &[Target],
    mut candidates: Vec<usize>,
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<(Vec<usize>, bool), AuditError> {
    // So many candidates share one warm program and the tables found with it.
    const PIECE: usize = 128;
    let mut complete = true;
    for attacker in 0..=table.attackers().len() {
        let mut pieces = Vec::new();
        for target in targets.iter().filter(|target| target.part.attacker == attacker) {
            let inside: Vec<usize> = candidates.iter().filter_map(|cell| target.part.position(*cell)).collect();
            pieces.extend(inside.chunks(PIECE).map(|piece| (target, piece.to_vec())));
        }
        // Attackers beyond the public share what it may take alone.
        let share = if attacker == 0 { 1 } else { table.attackers().len() as u64 };
        let all = pieces.iter().map(|(target, _)| target.part.cells.len() as u64).sum::<u64>();
        // A program is not made for a few answers: then tables that are known decide alone.
        let most = Some(ALL_CELLS / share / all.max(1)).filter(|most| *most >= A_PROGRAM).unwrap_or(0);
        let needed = work.map(&pieces, |(target, cells)| {
            let most = u64::min((A_CANDIDATE * cells.len() as u64 + A_PIECE) / share, most);
            needed(table, target, cells, solver, work, most)
        })?;
        complete &= needed.iter().all(|(_, complete)| *complete);
        let mut needed: Vec<usize> = needed.into_iter().flat_map(|(needed, _)| needed).collect();
        needed.sort_unstable();
        candidates.retain(|cell| needed.binary_search(cell).is_err());
    }
    Ok((candidates, complete))
}

/// A level that holds, and the tables that are known to meet it, some of them together.
struct Level {
    asked: Asked,
    known: Vec<Arc<Witness>>,
}

impl Level {
    /// Whether the tables that leave a cell alone meet the level.
    fn holds_without(&self, closed: usize) -> bool {
        let reach = |sign| {
            let free = self.known.iter().filter(|table| !table.needs(closed));
            free.map(|table| table.reach(self.asked.at, sign)).fold(0.0, f64::max)
        };
        self.asked.at != closed && self.asked.met(reach(-1), reach(1))
    }
}

/// Which of the cells (positions in the part) cannot be published alone, as cells of the table, and whether all were tried;
/// those that were not count as needed. At most so many linear programs.
fn needed(
    table: &CellTable,
    target: &Target,
    cells: &[usize],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
    most: u64,
) -> Result<(Vec<usize>, bool), AuditError> {
    let mut routes = Routes::new(table, target, solver);
    // Levels that are not met now are not made worse by anything.
    let holding = target.asked.iter().filter(|asked| target.is_met(asked));
    let mut levels: Vec<Level> = holding
        .map(|asked| {
            let reaches = &target.reaches[asked.at];
            let known = [&reaches.down, &reaches.up].into_iter().filter_map(|reach| reach.witness.clone());
            Level { asked: *asked, known: known.collect() }
        })
        .collect();
    let mut needed = Vec::new();
    let mut complete = true;
    for &closed in cells {
        work.done(1)?;
        routes.close(Some(closed));
        let mut harmed = None;
        for place in 0..levels.len() {
            if levels[place].holds_without(closed) {
                continue;
            }
            if routes.attacks >= most {
                (harmed, complete) = (Some(place), false);
                break;
            }
            let found: Vec<Arc<Witness>> = routes.find(&levels[place].asked).into_iter().map(Arc::new).collect();
            levels[place].known.extend(found.iter().cloned());
            // One table often does for several levels that the cell may harm.
            for level in levels[place + 1..].iter_mut().filter(|level| !level.holds_without(closed)) {
                let asked = level.asked;
                let meets = |table: &&Arc<Witness>| asked.met(table.reach(asked.at, -1), table.reach(asked.at, 1));
                level.known.extend(found.iter().filter(meets).cloned());
            }
            if !levels[place].holds_without(closed) {
                harmed = Some(place);
                break;
            }
        }
        if let Some(place) = harmed {
            needed.push(target.part.cells[closed]);
            // What one cell harms its neighbours often harm too: ask there first.
            levels[..=place].rotate_right(1);
        }
    }
    work.count(routes.attacks);
    Ok((needed, complete))
}
