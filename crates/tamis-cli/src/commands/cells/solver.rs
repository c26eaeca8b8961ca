//! The linear solver behind the attackers, if this program was built with one.

use crate::answer::CommandError;
use tamis_solver::LiveSolver;

/// The solver; where there is none, how to get it.
#[cfg(feature = "cells")]
#[expect(clippy::unnecessary_wraps, reason = "the program built without the feature has none")]
pub(super) fn solver() -> Result<&'static dyn LiveSolver, CommandError> {
    Ok(&tamis_highs::Highs)
}

/// The solver; where there is none, how to get it.
#[cfg(not(feature = "cells"))]
pub(super) fn solver() -> Result<&'static dyn LiveSolver, CommandError> {
    Err(crate::answer::sentence(
        "this tamis was built without the linear solver that attacks tables; in a clone of its repository, run `./crates/prepare` once and then `cargo install --path crates/tamis-cli --features cells`",
    ))
}
