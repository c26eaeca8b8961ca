//! Few groups and few slots of any size: what counts is which cells are used.
//!
//! Once it is known which cells are used, the best vector is a matter of flows ([`levels`]), and how long that takes does not depend
//! on how many people there are. So [`search`] branches on cells that are used or not. [`polish`] makes the best of the cells that
//! a schedule uses.

mod levels;
mod search;
#[cfg(test)]
mod tests;
mod transport;

pub(crate) use search::search;

use crate::instance::Plain;
use crate::schedule::Schedule;
use tamis_solver::Limit;
use transport::Transport;

/// How many cells there are.
pub(crate) fn cells(problem: &Plain) -> usize {
    problem.frequencies.len().saturating_mul(problem.capacities.len())
}

/// The best schedule that uses the cells of this one; none if this one is as good or a limit is reached.
pub(crate) fn polish(problem: &Plain, schedule: &Schedule, limit: &Limit<'_>) -> Option<Schedule> {
    let mut transport = Transport::new(problem, schedule);
    let is_used: Vec<bool> = (0..transport.cells()).map(|at| transport.cell(at).people > 0).collect();
    for at in (0..is_used.len()).filter(|&at| !is_used[at]) {
        transport.limit(at, 0, 0);
    }
    levels::least_vector(&mut transport, is_used, &schedule.plain_vector(), limit)?;
    Some(transport.schedule())
}
