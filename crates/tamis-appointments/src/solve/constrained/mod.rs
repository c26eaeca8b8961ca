//! Problems with conditions: allowed slots, fixed appointments, families, mixing rules.

pub(crate) mod explicit;

use super::{Method, Solution, SolveOptions};
use crate::AppointmentError;
use crate::error::Conflict;
use crate::instance::Instance;

/// A schedule by the method asked for that meets every condition.
pub(crate) fn solve(
    _instance: &Instance,
    _method: Method,
    _options: &SolveOptions,
) -> Result<Solution, AppointmentError> {
    Err(AppointmentError::Infeasible(Box::new(Conflict {
        reason: "conditions are not handled yet".to_owned(),
        ..Conflict::default()
    })))
}
