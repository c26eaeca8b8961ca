//! How a schedule is made: the flags that every scheduling command shares.

use crate::answer::{CommandError, sentence};
use crate::interrupt::stop_flag;
use crate::shell::Shell;
use clap::Args;
use std::sync::Arc;
use std::time::Duration;
use tamis_appointments::{Method, Patience, SolveOptions};

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// How to schedule
    #[arg(long, value_enum, default_value_t = Method::Best)]
    pub(super) method: Method,
    /// Seconds after which the search answers with the best found and what is proved; Ctrl-C does the same
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<f64>,
    /// Optimise this many components of the vector from the first that is not zero, then stop; all if left out
    #[arg(allow_negative_numbers = true, long, value_name = "LEVELS")]
    pub(crate) level: Option<u32>,
}

impl MethodArgs {
    /// What the method may use.
    pub(crate) fn options(&self, shell: &Shell) -> Result<SolveOptions, CommandError> {
        let patience = time_limit(self.time_limit)?.map_or_else(Patience::default, Patience::of);
        let patience = patience.or_flag(Arc::clone(stop_flag()));
        Ok(SolveOptions { seed: shell.seed_or_random(None)?, level: self.level, patience })
    }
}

/// The time limit that a flag gives, which must be a moment that can come.
pub(super) fn time_limit(seconds: Option<f64>) -> Result<Option<Duration>, CommandError> {
    const LONGEST: f64 = 1e9;
    match seconds {
        None => Ok(None),
        Some(seconds) if seconds > 0.0 && seconds <= LONGEST => Ok(Some(Duration::from_secs_f64(seconds))),
        Some(seconds) => Err(sentence(format!(
            "--time-limit is {seconds:?}; give a number of seconds above 0, at most {LONGEST:.0}"
        ))),
    }
}
