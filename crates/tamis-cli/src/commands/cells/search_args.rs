//! How a pattern is sought: the flags, and the line that shows how far the search is.

use crate::answer::{CommandError, sentence};
use crate::interrupt::stop_flag;
use crate::progress::searching_pattern;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::time::{Duration, Instant};
use tamis_cells::CellTable;
use tamis_cells::protect::{Method, Options, ProtectError, Protected, protect};
use tamis_solver::LiveSolver;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// Branch and cut until nothing cheaper can exist
    Optimal,
    /// Fast and protected, without a proof of cost
    Heuristic,
}

impl MethodName {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Heuristic => "heuristic",
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// How to find the cells to hide
    #[arg(long, value_enum, default_value = "optimal")]
    pub(super) method: MethodName,
    /// Seconds after which the best pattern so far is taken; Ctrl-C does the same. The answer comes within a tenth more, or two
    /// seconds
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// Stop when it is proved that at most this share of what the secondaries cost could be saved
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.0)]
    gap: f64,
}

impl SearchArgs {
    /// The time limit and the gap, if they are such.
    pub(super) fn limits(&self) -> Result<(Option<Duration>, f64), CommandError> {
        const LONGEST: f64 = 1e9;
        let time_limit = match self.time_limit {
            None => None,
            Some(seconds) if seconds > 0.0 && seconds <= LONGEST => Some(Duration::from_secs_f64(seconds)),
            Some(seconds) => {
                return Err(sentence(format!(
                    "--time-limit is {seconds:?}; give a number of seconds above 0, at most {LONGEST:.0}"
                )));
            }
        };
        if (0.0..1.0).contains(&self.gap) {
            Ok((time_limit, self.gap))
        } else {
            Err(sentence(format!("--gap is {:?}; give a share from 0 to below 1, such as 0.05", self.gap)))
        }
    }

    /// When everything that the time limit is about ends, if it begins now.
    pub(super) fn deadline(&self) -> Result<Option<Instant>, CommandError> {
        /// What is promised, less what writing takes.
        const LONGER: f64 = 0.08;
        const LEAST_LONGER: Duration = Duration::from_millis(1600);
        let (limit, _) = self.limits()?;
        let end = |limit: Duration| Instant::now().checked_add(limit + limit.mul_f64(LONGER).max(LEAST_LONGER));
        Ok(limit.and_then(end))
    }

    /// Seeks a pattern with a share of the time limit.
    pub(super) fn seek(
        &self,
        table: &CellTable,
        share: f64,
        solver: &dyn LiveSolver,
        shell: &Shell,
    ) -> Result<Result<Protected, ProtectError>, CommandError> {
        let (time_limit, gap) = self.limits()?;
        let time_limit = time_limit.map(|limit| limit.mul_f64(share));
        let method = match self.method {
            MethodName::Optimal => Method::Optimal,
            MethodName::Heuristic => Method::Heuristic,
        };
        let bar = searching_pattern(shell);
        let options = Options { method, time_limit, gap, stop: stop_flag(), progress: &|progress| bar.show(progress) };
        Ok(protect(table, solver, &options))
    }
}
