//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A deadline and a flag, looked at between linear programs.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    /// Time is up then.
    pub(crate) deadline: Option<Instant>,
    /// Or when this becomes true.
    pub(crate) stop: &'a AtomicBool,
}

impl Clock<'_> {
    /// Whether to come to an end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
