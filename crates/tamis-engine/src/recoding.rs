//! A solution replayed on the tuples: what each becomes and which are suppressed.

use crate::classes::assign;
use crate::{ClassStatistics, Problem, Tally};

/// What a transformation does to every distinct tuple.
#[derive(Debug, Clone)]
pub struct Recoding {
    /// The level of each attribute.
    pub levels: Vec<usize>,
    /// Class of each tuple.
    pub class_of_tuple: Vec<u32>,
    /// Whether each class is released.
    pub is_kept: Vec<bool>,
    /// Whether each class meets the models. A table of nothing but `*` may meet them and still be reported as suppressed.
    pub meets_models: Vec<bool>,
    /// Rows of each class.
    pub class_rows: Vec<u64>,
    /// What k counts in each class: rows, people where the policy names an entity.
    pub class_sizes: Vec<u64>,
    /// The sums behind the score, and the rows of classes that fail.
    pub tally: Tally,
}

impl Recoding {
    /// Replays `levels` on a problem's tuples.
    ///
    /// Where rows may be suppressed, a table generalized to nothing but `*` counts as suppressed: nothing in it can be told from a
    /// suppressed row. Its score stays that of the transformation, and no more of its classes fail than before.
    pub fn of(problem: &Problem, levels: &[usize]) -> Self {
        let (tally, assignment) = assign(problem, levels);
        let meets_models = assignment.is_kept;
        let mut is_kept = meets_models.clone();
        if problem.limit > 0 && problem.is_everything_hidden(levels) {
            is_kept.fill(false);
        }
        Self {
            levels: levels.to_vec(),
            class_of_tuple: assignment.class_of_tuple,
            is_kept,
            meets_models,
            class_rows: assignment.rows,
            class_sizes: assignment.sizes,
            tally,
        }
    }

    /// Rows that are not released.
    pub fn suppressed_rows(&self) -> u64 {
        self.class_rows.iter().zip(&self.is_kept).filter(|&(_, &kept)| !kept).map(|(&rows, _)| rows).sum()
    }

    /// Whether a tuple's class meets the models, so that its row may be written.
    pub fn passes(&self, tuple: u32) -> bool {
        self.meets_models[self.class_of_tuple[tuple as usize] as usize]
    }

    /// Whether a tuple is released.
    pub fn keeps(&self, tuple: u32) -> bool {
        self.is_kept[self.class_of_tuple[tuple as usize] as usize]
    }

    /// Rows and sizes of the released classes.
    pub fn kept_classes(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let figures = self.class_rows.iter().zip(&self.class_sizes).zip(&self.is_kept);
        figures.filter(|&((&rows, _), &kept)| kept && rows > 0).map(|((&rows, &size), _)| (rows, size))
    }

    /// Figures about the released classes.
    pub fn statistics(&self) -> ClassStatistics {
        ClassStatistics::of(self.kept_classes())
    }
}
