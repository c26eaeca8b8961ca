//! Sums of many numbers.

/// A sum with the rounding errors carried along (Neumaier): it is off by a unit or two of its last place, and by next to
/// nothing of its [size](Self::size) for each term, in whatever order they come.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    so_far: f64,
    lost: f64,
    /// The sum of the absolute terms.
    pub(crate) size: f64,
}

impl Sum {
    pub(crate) fn of(number: f64) -> Self {
        Self { so_far: number, lost: 0.0, size: number.abs() }
    }

    pub(crate) fn add(&mut self, term: f64) {
        let next = self.so_far + term;
        self.lost +=
            if self.so_far.abs() >= term.abs() { (self.so_far - next) + term } else { (term - next) + self.so_far };
        self.so_far = next;
        self.size += term.abs();
    }

    pub(crate) fn value(&self) -> f64 {
        self.so_far + self.lost
    }
}
