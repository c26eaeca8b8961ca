//! When to stop.

use std::time::{Duration, Instant};

use crate::protect::Options;

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

    /// Whether the search is to end.
    pub(crate) fn over(&self) -> bool {
        self.stopped() || self.options.time_limit.is_some_and(|limit| self.elapsed() >= limit)
    }
}
