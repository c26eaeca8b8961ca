//! How long the search goes on.

use crate::solve::Patience;

/// Patience, looked at from time to time, and a number of steps.
pub(super) struct Effort {
    pub(super) patience: Patience,
    steps_left: u64,
    is_over: bool,
}

impl Effort {
    const STEPS_BETWEEN_LOOKS: u64 = 512;

    /// Until patience ends, and no more than so many steps.
    pub(super) fn with_steps(patience: Patience, steps: u64) -> Self {
        let is_over = patience.is_over() || steps == 0;
        Self { patience, steps_left: steps, is_over }
    }

    /// A part of it: so many steps at most.
    pub(super) fn part(&self, steps: u64) -> Self {
        Self { patience: self.patience.clone(), steps_left: steps.min(self.steps_left), is_over: self.is_over }
    }

    /// Counts the time that a part took.
    pub(super) fn count(&mut self, steps: u64, part: &Self) {
        self.steps_left = self.steps_left.saturating_sub(steps.saturating_sub(part.steps_left));
        self.is_over = self.is_over || self.steps_left == 0;
    }

    /// One more step; whether it is time to stop.
    pub(super) fn step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        if self.steps_left == 0
            || (self.steps_left.is_multiple_of(Self::STEPS_BETWEEN_LOOKS) && self.patience.is_over())
        {
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
