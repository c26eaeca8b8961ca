//! What is to be solved: a counted table, its models, a measure and how much may be suppressed.

use crate::{Lattice, Measure};
use tamis_privacy::{Bound, Model, TableModel};
use tamis_table::FrequencySet;
use tamis_table::hierarchy::SUPPRESSED;

/// A table to be released and what the release must meet.
#[derive(Debug)]
pub struct Problem {
    /// The distinct tuples.
    pub frequency: FrequencySet,
    /// All must hold for a class to be released.
    pub models: Vec<Box<dyn Model>>,
    /// All must hold for the released classes together.
    pub table_models: Vec<Box<dyn TableModel>>,
    /// What is to be made small.
    pub measure: Box<dyn Measure>,
    /// Most rows that may be suppressed.
    pub limit: u64,
    /// The transformations to choose from.
    pub lattice: Lattice,
}

impl Problem {
    /// Sets what must hold, in place of what had to before, which is returned.
    pub fn require(&mut self, bound: Bound) -> Bound {
        Bound {
            classes: std::mem::replace(&mut self.models, bound.classes),
            table: std::mem::replace(&mut self.table_models, bound.table),
        }
    }

    /// What must hold, in words.
    pub fn requirements(&self) -> Vec<String> {
        let classes = self.models.iter().map(|model| model.describe());
        classes.chain(self.table_models.iter().map(|model| model.describe())).collect()
    }

    /// Classes with fewer rows than this fail whatever their values.
    pub(crate) fn least_size(&self) -> u64 {
        self.models.iter().map(|model| model.least_size()).max().unwrap_or(1)
    }

    /// Whether class sizes and histograms of a union are the sums of its parts'; not so where people have several rows or missing
    /// values match anything.
    pub(crate) fn is_additive(&self) -> bool {
        self.frequency.entities.is_none() && !self.has_wildcards()
    }

    /// Whether some missing value matches anything.
    pub(crate) fn has_wildcards(&self) -> bool {
        self.frequency.attributes.iter().any(|attribute| attribute.wildcard.is_some())
    }

    /// Whether every attribute is generalized to `*`: all rows look like suppressed ones. Another label that covers a whole
    /// hierarchy, such as a common prefix, still tells something.
    pub fn is_everything_hidden(&self, levels: &[usize]) -> bool {
        self.frequency.attributes.iter().zip(levels).all(|(attribute, &level)| {
            let lines = attribute.recoder.label_lines(level);
            let is_star = attribute.recoder.labels(level).iter().all(|label| label == SUPPRESSED);
            lines.len() == 1 && lines[0] == attribute.recoder.lines() && is_star
        })
    }
}
