//! When to stop.

use std::time::{Duration, Instant};

use crate::protect::{Method, Options, heuristic};

/// Counts a search's time and looks at its stop flag.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    started: Instant,
    options: &'a Options<'a>,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(options: &'a Options<'a>) -> Self {
        Self { started: Instant::now(), options }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.options.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Seconds until the limit; infinite if there is none.
    pub(crate) fn left(&self) -> f64 {
        self.options.time_limit.map_or(f64::INFINITY, |limit| limit.saturating_sub(self.elapsed()).as_secs_f64())
    }

    /// The same clock for the heuristic.
    pub(crate) fn for_heuristic(&self) -> heuristic::Clock<'a> {
        let deadline = self.options.time_limit.and_then(|limit| self.started.checked_add(limit));
        heuristic::Clock { deadline, stop: self.options.stop }
    }

    /// Options for a search within the search that may take a share of the time left; nobody is told about it.
    pub(crate) fn share<T>(&self, share: f64, run: impl FnOnce(&Options<'_>) -> T) -> T {
        let left = self.options.time_limit.map(|limit| limit.saturating_sub(self.elapsed()).mul_f64(share));
        run(&Options {
            method: Method::Heuristic,
            time_limit: left,
            gap: 0.0,
            stop: self.options.stop,
            progress: &|_| {},
        })
    }

    /// Whether the search is to end.
    pub(crate) fn over(&self) -> bool {
        self.stopped() || self.options.time_limit.is_some_and(|limit| self.elapsed() >= limit)
    }
}
