//! An equivalence class as a model sees it, and what a model says of it.

use std::fmt::Debug;

/// One equivalence class.
#[derive(Debug, Clone, Copy)]
pub struct Class<'a> {
    /// Rows in the class, or people where the policy names an entity.
    pub size: u64,
    /// Rows of the population that share the class's values; equal to the rows where there is no population.
    pub population: u64,
    /// Counts of the sensitive values, one attribute after the other; [`crate::SensitiveFacts::offset`] says where each starts.
    pub counts: &'a [u32],
}

/// A privacy requirement on equivalence classes, bound to one table.
///
/// All models in this crate are *monotone*: the union of classes that hold also holds. That is what lets a search skip
/// transformations; [`Model::is_hereditary`] and [`Model::most_kept`] say how much.
pub trait Model: Debug + Send + Sync {
    /// The requirement in words, such as `5-anonymity`.
    fn describe(&self) -> String;

    /// Whether the class may be released.
    fn holds(&self, class: &Class<'_>) -> bool;

    /// Whether no part of a failing class can hold (as for k-anonymity: a part is smaller still).
    fn is_hereditary(&self) -> bool {
        false
    }

    /// For a failing class: at most how many of its rows can be in parts of it that hold, however it is split.
    ///
    /// An upper bound; the class size says nothing and is always right.
    fn most_kept(&self, class: &Class<'_>) -> u64 {
        if self.is_hereditary() { 0 } else { class.size }
    }

    /// Both questions at once: `Err` with [`Model::most_kept`] if the class does not hold. The search asks this one, so a model that
    /// shares work between the two answers it itself.
    fn judge(&self, class: &Class<'_>) -> Result<(), u64> {
        if self.holds(class) { Ok(()) } else { Err(self.most_kept(class)) }
    }

    /// Whether the model also judges classes without a row to release, as a bound on presence in a population does.
    fn judges_empty_classes(&self) -> bool {
        false
    }

    /// Classes smaller than this fail for certain; lets the search skip them unseen.
    fn least_size(&self) -> u64 {
        1
    }
}
