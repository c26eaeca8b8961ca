//! What evaluating one transformation yields: integers from which every measure follows.

/// Sums over the classes of one transformation. All counts are of rows.
///
/// A label's `lines` are the lines of its hierarchy it covers, so `lines / all lines` is the share of the domain a generalized
/// value may stand for; summing lines keeps everything in integers until a measure divides once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Classes that are released.
    pub kept_classes: u64,
    /// Classes before suppression.
    pub classes: u64,
    /// Rows in classes that fail.
    pub suppressed: u64,
    /// Sum of squared sizes over released classes.
    pub kept_squares: u64,
    /// Sum of squared sizes over all classes.
    pub squares: u64,
    /// For each attribute the sum over released rows of their label's lines.
    pub kept_lines: Vec<u64>,
    /// For each attribute the sum over suppressed rows of the lines of the label they would have had.
    pub suppressed_lines: Vec<u64>,
    /// For each attribute how many suppressed rows would have had each label; only if a measure asks for it.
    pub suppressed_labels: Vec<Vec<u64>>,
    /// What must be suppressed here and in every less general transformation.
    pub forced: Forced,
    /// A class without rows to release fails, which suppression cannot mend.
    pub is_blocked: bool,
}

/// A lower bound on suppression that holds for a transformation and everything below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forced {
    /// At least so many rows are suppressed.
    pub rows: u64,
    /// For each attribute, suppressing them costs at least so many lines beyond what generalizing them costs already.
    pub extra_lines: Vec<u64>,
}

impl Forced {
    /// No bound at all.
    pub fn nothing(attributes: usize) -> Self {
        Self { rows: 0, extra_lines: vec![0; attributes] }
    }

    /// Both bounds hold, so the larger of each part does.
    pub fn strengthen(&mut self, other: &Self) {
        self.rows = self.rows.max(other.rows);
        for (mine, &theirs) in self.extra_lines.iter_mut().zip(&other.extra_lines) {
            *mine = (*mine).max(theirs);
        }
    }
}
