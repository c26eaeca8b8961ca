//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Method, Options};

/// How much longer than asked the first pattern may take: before it is there, nothing is known.
const GRACE: Duration = Duration::from_secs(10);

/// Counts a search's time and looks at its stop flag, between linear programs.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    started: Instant,
    limit: Option<Duration>,
    stop: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Self {
        Self { started: Instant::now(), limit: options.time_limit, stop: options.stop }
    }

    /// Whether the user said so.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Seconds until the limit; infinite if there is none.
    pub(crate) fn left(&self) -> f64 {
        self.limit.map_or(f64::INFINITY, |limit| limit.saturating_sub(self.elapsed()).as_secs_f64())
    }

    /// Whether the search is to end.
    pub(crate) fn over(&self) -> bool {
        self.stopped() || self.limit.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// The clock of the first pattern: it has some more time and cannot be stopped.
    pub(crate) fn patient(&self) -> Clock<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Clock { started: self.started, limit: self.limit.map(|limit| limit.saturating_add(GRACE)), stop: &NEVER }
    }

    /// Options for a search within the search that may take a share of the time left; nobody is told about it.
    pub(crate) fn share<T>(&self, share: f64, run: impl FnOnce(&Options<'_>) -> T) -> T {
        let left = self.limit.map(|limit| limit.saturating_sub(self.elapsed()).mul_f64(share));
        run(&Options { method: Method::Heuristic, time_limit: left, gap: 0.0, stop: self.stop, progress: &|_| {} })
    }
}
