//! How long a solver may take.

use std::fmt;
use std::time::{Duration, Instant};

/// When a solver must answer with what it has: at a moment, after so many steps of its search, or when it is told to.
#[derive(Clone, Copy, Default)]
pub struct Limit<'a> {
    /// The moment.
    pub until: Option<Instant>,
    /// So many subproblems of the search for integers. Unlike time, it gives the same answer on every machine.
    pub nodes: Option<u64>,
    /// Asked every now and then; true means stop.
    pub is_over: Option<&'a dyn Fn() -> bool>,
}

impl Limit<'_> {
    /// No limit at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// So long from now.
    pub fn of(time: Duration) -> Self {
        Self { until: Instant::now().checked_add(time), ..Self::default() }
    }

    /// Whether time is up or somebody said stop.
    pub fn is_reached(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || self.is_over.is_some_and(|is_over| is_over())
    }

    /// How long is left until the moment; none without one.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

impl fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limit").field("until", &self.until).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}
