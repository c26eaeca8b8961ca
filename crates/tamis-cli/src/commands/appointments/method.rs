//! How a schedule is made: the flags that every scheduling command shares.

use crate::answer::{CommandError, sentence};
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::time::Duration;
use tamis_appointments::{Method, Patience, SolveOptions};

#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// How to schedule; exact if left out, heuristic above 20,000 people
    #[arg(long, value_enum)]
    pub(crate) method: Option<MethodName>,
    /// Seconds after which `exact` answers with the best found and what is proved
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<f64>,
    /// Optimise this many components of the vector from the first that is not zero, then stop; all if left out
    #[arg(allow_negative_numbers = true, long, value_name = "LEVELS")]
    pub(crate) level: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// The proven optimum
    Exact,
    /// Tamis' own, for millions of people
    Heuristic,
    /// The largest remaining capacity first
    Greatest,
    /// The paper's Algorithm 2: the largest capacity up to half of what is left
    Half,
    /// The rule of the authors' program and of the thesis
    Authors,
    /// Everybody draws a free place
    Random,
}

/// Above so many people the heuristic is the default: it is optimal more often than not, and always fast.
const MANY_PEOPLE: u64 = 20_000;

impl MethodArgs {
    /// The method asked for, or the one that fits so many people.
    pub(crate) fn method(&self, people: u64) -> Method {
        match self.method {
            Some(MethodName::Heuristic) => Method::Heuristic,
            Some(MethodName::Greatest) => Method::Greatest,
            Some(MethodName::Half) => Method::Half,
            Some(MethodName::Authors) => Method::Authors,
            Some(MethodName::Random) => Method::Random,
            None if people > MANY_PEOPLE => Method::Heuristic,
            Some(MethodName::Exact) | None => Method::Exact,
        }
    }

    /// What the method may use.
    pub(crate) fn options(&self, shell: &Shell) -> Result<SolveOptions, CommandError> {
        let patience = match self.time_limit {
            None => Patience::default(),
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(limit) if seconds > 0.0 => Patience::of(limit),
                _ => return Err(sentence(format!("--time-limit {seconds}: give a number of seconds above 0"))),
            },
        };
        Ok(SolveOptions { seed: shell.seed_or_random(None)?, level: self.level, patience })
    }
}
