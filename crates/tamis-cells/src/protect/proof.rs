//! The last word on a pattern: what every search returns passes the audit, whose proofs need no solver to be believed.
//!
//! Searches decide by a solver's floating-point answers. Where a level lies just above what a pattern reaches, they may take
//! the pattern for protected. Then more is hidden here until the audit agrees.

use tamis_solver::LiveSolver;

use super::{OutOfReach, Progress, ProtectError, Protected, gap};
use crate::attack::NoAnswer;
use crate::audit::exposed_levels;
use crate::pattern::Pattern;
use crate::table::{CellTable, Status};

/// Cells that are found one by one to mend a pattern; beyond them it hides more than it need.
const ONE_BY_ONE: usize = 40;

/// The levels that a pattern does not meet, by the audit's proofs, and the linear programs that took.
pub(super) fn exposed(
    table: &CellTable,
    solver: &dyn LiveSolver,
    pattern: &Pattern,
) -> Result<(Vec<OutOfReach>, u64), NoAnswer> {
    let (exposed, attacks) = exposed_levels(table, pattern, solver).map_err(|_| NoAnswer)?;
    Ok((exposed.into_iter().map(|level| OutOfReach { demand: level.demand, reach: level.reach }).collect(), attacks))
}

/// Costs that differ by rounding alone.
pub(super) fn same_cost(cost: f64, bound: f64) -> bool {
    cost - bound <= 1e-14 * cost.abs()
}

/// What a search found, once the audit agrees. A pattern that falls short is extended: its cost then stands against the
/// bound of the search, which holds still, as the search took more for protected than the audit does. Time: one audit of the
/// levels, and about log(cells) more for every cell that is missing.
pub(super) fn proved(table: &CellTable, solver: &dyn LiveSolver, found: Protected) -> Result<Protected, ProtectError> {
    let (missed, attacks) = exposed(table, solver, &found.pattern)?;
    let mut effort = Progress { attacks: found.effort.attacks + attacks, ..found.effort };
    if missed.is_empty() {
        return Ok(Protected { effort, ..found });
    }
    let (beyond, attacks) = exposed(table, solver, &Pattern::most(table))?;
    effort.attacks += attacks;
    if !beyond.is_empty() {
        return Err(ProtectError::CannotBeProtected(beyond));
    }
    let pattern = extended(table, solver, found.pattern, &mut effort.attacks)?;
    let cost = pattern.cost(table);
    let optimal = same_cost(cost, found.bound);
    let bound = if optimal { cost } else { found.bound };
    let gap = gap(cost, bound, Pattern::least(table).cost(table));
    let effort = Progress { bound, cost, gap, ..effort };
    Ok(Protected { pattern, cost, bound, optimal, gap, effort })
}

/// Hides more until a pattern is protected, cheap cells first; everything hidden must be protected. Hiding more never
/// exposes anything, so that the number of cells to add is found by halving. The last of them is needed; with it, the others
/// are sought anew.
fn extended(
    table: &CellTable,
    solver: &dyn LiveSolver,
    mut pattern: Pattern,
    attacks: &mut u64,
) -> Result<Pattern, NoAnswer> {
    let cells = table.cells();
    let may = |cell: &usize| cells[*cell].status != Status::Fixed && !pattern.hides(*cell);
    let mut more: Vec<usize> = (0..cells.len()).filter(may).collect();
    more.sort_by(|a, b| cells[*a].weight.total_cmp(&cells[*b].weight));
    let with = |pattern: &Pattern, added: &[usize]| {
        let mut all = pattern.clone();
        for cell in added {
            all.set(*cell, true);
        }
        all
    };
    for _ in 0..ONE_BY_ONE {
        // `more` is enough; find the shortest start of it that is.
        let (mut too_few, mut enough) = (0, more.len());
        let mut protected = |count: usize| {
            let (missed, more_attacks) = exposed(table, solver, &with(&pattern, &more[..count]))?;
            *attacks += more_attacks;
            Ok::<_, NoAnswer>(missed.is_empty())
        };
        if protected(0)? {
            return Ok(pattern);
        }
        while enough - too_few > 1 {
            let middle = usize::midpoint(too_few, enough);
            if protected(middle)? {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        pattern.set(more[enough - 1], true);
        more.truncate(enough - 1);
    }
    Ok(with(&pattern, &more))
}
