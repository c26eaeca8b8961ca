//! Hidden cells that could each be published without exposing anything.
//!
//! Publishing a cell harms a level only if every table that meets the level lets the cell deviate. Tables found before are
//! kept: a level one of whose tables leaves the cell alone needs no new attack.

use tamis_solver::LiveSolver;

use super::certificate::Question;
use super::strike::{Reach, Strike};
use super::work::Work;
use super::{Asked, AuditError, Reaches, Target};
use crate::demand::Side;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Hidden cells that nothing says must be hidden, ascending.
pub(super) fn candidates(table: &CellTable, pattern: &Pattern) -> Vec<usize> {
    pattern.cells().filter(|cell| matches!(table.cells()[*cell].status, Status::Free | Status::Fixed)).collect()
}

/// Linear programs a candidate that the search may take, and at least for a piece. The levels that a candidate may harm are
/// asked one after the other, so that needed candidates are found soon; it is those that nothing needs that take long.
const A_CANDIDATE: u64 = 16;

/// Those of the candidates that could each be published, the others staying hidden, and whether all of them were tried.
pub(super) fn unnecessary(
    targets: &[Target],
    attackers: usize,
    mut candidates: Vec<usize>,
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<(Vec<usize>, bool), AuditError> {
    // So many candidates share one warm program and the tables found with it.
    const PIECE: usize = 32;
    let mut complete = true;
    for attacker in 0..attackers {
        let mut pieces = Vec::new();
        for target in targets.iter().filter(|target| target.part.attacker == attacker) {
            let inside: Vec<usize> = candidates.iter().filter_map(|cell| target.part.position(*cell)).collect();
            pieces.extend(inside.chunks(PIECE).map(|piece| (target, piece.to_vec())));
        }
        let needed = work.map(&pieces, |(target, cells)| needed(target, cells, solver, work))?;
        complete &= needed.iter().all(|(_, complete)| *complete);
        let mut needed: Vec<usize> = needed.into_iter().flat_map(|(needed, _)| needed).collect();
        needed.sort_unstable();
        candidates.retain(|cell| needed.binary_search(cell).is_err());
    }
    Ok((candidates, complete))
}

/// The tables known for one cell, by direction.
struct Known {
    down: Vec<Reach>,
    up: Vec<Reach>,
}

impl Known {
    /// The furthest of the tables that leave a cell alone.
    fn without(tables: &[Reach], closed: usize) -> f64 {
        let free = tables.iter().filter(|table| table.support.binary_search(&closed).is_err());
        free.map(|table| table.low).fold(0.0, f64::max)
    }
}

/// Which of the cells (positions in the part) cannot be published alone, as cells of the table, and whether all were tried;
/// those that were not count as needed.
fn needed(
    target: &Target,
    cells: &[usize],
    solver: &dyn LiveSolver,
    work: &Work<'_>,
) -> Result<(Vec<usize>, bool), AuditError> {
    let mut strike = Strike::new(&target.part, solver, target.scale);
    let mut known: Vec<Option<Known>> = target.reaches.iter().map(|_| None).collect();
    // Levels that are not met now are not made worse by anything.
    let holds = |asked: &&Asked| asked.met(target.reaches[asked.at].down.low, target.reaches[asked.at].up.low);
    let mut asked: Vec<Asked> = target.asked.iter().filter(holds).copied().collect();
    for asked in &asked {
        let Reaches { down, up } = &target.reaches[asked.at];
        known[asked.at] = Some(Known { down: vec![down.clone()], up: vec![up.clone()] });
    }
    let mut needed = Vec::new();
    let mut complete = true;
    let most = A_CANDIDATE * cells.len() as u64 + 32;
    for &closed in cells {
        let mut harmed = None;
        for (place, asked) in asked.iter().enumerate() {
            let Some(known) = &mut known[asked.at] else { continue };
            if strike.attacks >= most {
                (harmed, complete) = (Some(place), false);
                break;
            }
            if !keeps(asked, known, closed, &mut strike) {
                harmed = Some(place);
                break;
            }
        }
        if let Some(place) = harmed {
            needed.push(target.part.cells[closed]);
            // What one cell harms its neighbours often harm too: ask there first.
            asked[..=place].rotate_right(1);
        }
        work.done(1)?;
    }
    work.count(strike.attacks);
    Ok((needed, complete))
}

/// Whether a level still holds when one more cell is published.
fn keeps(asked: &Asked, known: &mut Known, closed: usize, strike: &mut Strike<'_>) -> bool {
    let (mut down, mut up) = (Known::without(&known.down, closed), Known::without(&known.up, closed));
    if asked.met(down, up) {
        return true;
    }
    for (sign, sides) in [(1, [Side::Upper, Side::Width]), (-1, [Side::Lower, Side::Width])] {
        if sides.contains(&asked.side) {
            let reach = strike.reach(Question { target: asked.at, sign, closed: Some(closed) }, asked.level);
            let (best, tables) = if sign > 0 { (&mut up, &mut known.up) } else { (&mut down, &mut known.down) };
            *best = f64::max(*best, reach.low);
            tables.push(reach);
            if asked.met(down, up) {
                return true;
            }
        }
    }
    false
}
