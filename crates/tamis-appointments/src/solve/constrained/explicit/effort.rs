//! How long the search goes on.

use crate::solve::Patience;

/// Patience, looked at from time to time, and a number of steps that tests can set.
pub(super) struct Effort {
    pub(super) patience: Patience,
    steps_left: u64,
    is_over: bool,
}

impl Effort {
    const STEPS_BETWEEN_LOOKS: u64 = 512;

    pub(super) fn new(patience: Patience) -> Self {
        Self::with_steps(patience, u64::MAX)
    }

    /// Also no more than so many steps.
    pub(super) fn with_steps(patience: Patience, steps: u64) -> Self {
        let is_over = patience.is_over() || steps == 0;
        Self { patience, steps_left: steps, is_over }
    }

    /// One more step; whether it is time to stop.
    pub(super) fn step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0 || (self.steps_left % Self::STEPS_BETWEEN_LOOKS == 0 && self.patience.is_over()) {
            self.is_over = true;
        }
        self.is_over
    }

    /// Whether it is time to stop.
    pub(super) fn is_over(&mut self) -> bool {
        self.is_over = self.is_over || self.patience.is_over();
        self.is_over
    }
}
