//! When to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tamis_solver::Budget;

use super::Options;

/// How much longer than asked a search may take to end: this share of the limit, or so long if that is more. What is promised is
/// a tenth and two seconds; the rest is for what no program of a solver is.
const GRACE: f64 = 0.06;
const LEAST_GRACE: Duration = Duration::from_millis(1200);

/// Counts a search's time and work, and looks at its stop flag, between linear programs.
///
/// Time ends a search and decides nothing else: what is tried, and how long, depends on work, which is the same in every run.
#[derive(Clone)]
pub(crate) struct Clock<'a> {
    started: Instant,
    limit: Option<Duration>,
    stop: &'a AtomicBool,
    budget: Arc<Budget>,
    /// The search is to end when so much work is done.
    most_work: Duration,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Self {
        let (started, limit) = (Instant::now(), options.time_limit);
        let grace = |limit: Duration| limit.checked_add(limit.mul_f64(GRACE).max(LEAST_GRACE));
        let end = limit.and_then(grace).and_then(|limit| started.checked_add(limit));
        Self { started, limit, stop: options.stop, budget: Arc::new(Budget::until(end)), most_work: Duration::MAX }
    }

    /// What the linear programs of the search share. They end so much after the limit that the best pattern is returned in time.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Work done so far.
    pub(crate) fn work(&self) -> Duration {
        self.budget.work()
    }

    /// Whether the search is to end.
    pub(crate) fn over(&self) -> bool {
        let stopped = self.stop.load(Ordering::Relaxed);
        stopped || self.limit.is_some_and(|limit| self.started.elapsed() >= limit) || self.work() >= self.most_work
    }

    /// The time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The same clock with at most so much more work, and at most a share of the time that is left.
    pub(crate) fn at_most(&self, work: Duration, share: f64) -> Self {
        let most_work = Duration::min(self.most_work, self.work().saturating_add(work));
        let elapsed = self.elapsed();
        let limit = self.limit.map(|limit| elapsed + limit.saturating_sub(elapsed).mul_f64(share));
        Self { limit, most_work, ..self.clone() }
    }

    /// The same clock, which cannot be stopped, until the very end of its time: for the first pattern, before which nothing is
    /// known.
    pub(crate) fn patient(&self) -> Clock<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let limit = self.budget.deadline().map(|end| end.saturating_duration_since(self.started));
        Clock { started: self.started, limit, stop: &NEVER, budget: Arc::clone(&self.budget), most_work: Duration::MAX }
    }
}
