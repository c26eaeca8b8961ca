//! The requirements that all classes of a transformation must meet together.

use super::packed::{ClassSet, Key, Layout};
use crate::Problem;
use tamis_privacy::{Classes, Histograms, TableModel, settle};
use tamis_table::FrequencySet;

/// The classes of one transformation and what they must meet together.
pub(super) struct Company<'p> {
    models: Vec<&'p dyn TableModel>,
    classes: Classes,
    /// Classes that cannot stand here nor in any less general transformation, even with all others beside them.
    pub(super) doomed: Vec<bool>,
    /// At least so many rows fall here and in every less general transformation.
    pub(super) least_fallen: u64,
}

impl<'p> Company<'p> {
    /// `view` is asked for the classes only if there is a requirement on them.
    pub(super) fn of(problem: &'p Problem, number: usize, view: impl FnOnce() -> Classes) -> Self {
        let models: Vec<&dyn TableModel> = problem.table_models.iter().map(AsRef::as_ref).collect();
        if models.is_empty() {
            let (classes, doomed) = (Classes::default(), vec![false; number]);
            return Self { models, classes, doomed, least_fallen: 0 };
        }
        let classes = view();
        let (hereditary, others): (Vec<&dyn TableModel>, Vec<&dyn TableModel>) =
            models.iter().partition(|model| model.is_hereditary());
        let released: Vec<bool> = classes.rows.iter().map(|&rows| rows > 0).collect();
        let standing = settle(&hereditary, &classes, released.clone());
        let doomed = released.iter().zip(&standing).map(|(&was, &is)| was && !is).collect();
        let most_kept = others.iter().map(|model| model.most_kept(&classes, &standing)).min();
        let all: u64 = classes.rows.iter().sum();
        let standing_rows =
            || classes.rows.iter().zip(&standing).filter(|&(_, &stands)| stands).map(|(&rows, _)| rows).sum();
        let least_fallen = all - most_kept.unwrap_or_else(standing_rows);
        Self { models, classes, doomed, least_fallen }
    }

    /// What is left of the kept classes once none fails.
    pub(super) fn settle(&self, mut kept: Vec<bool>) -> Vec<bool> {
        if self.models.is_empty() {
            return kept;
        }
        // Classes without a row to release are no company, but stay what they were.
        let released: Vec<bool> = kept.iter().zip(&self.classes.rows).map(|(&kept, &rows)| kept && rows > 0).collect();
        for (kept, (was, is)) in
            kept.iter_mut().zip(released.iter().zip(settle(&self.models, &self.classes, released.clone())))
        {
            *kept &= !was || is;
        }
        kept
    }
}

/// Rolled-up classes as models of the whole table see them. Linear in the classes, their attributes and values.
pub(super) fn view_packed<K: Key>(
    set: &ClassSet<K>,
    layout: &Layout,
    frequency: &FrequencySet,
    levels: &[usize],
) -> Classes {
    let wide = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).collect::<Vec<u64>>();
    let mut offset = 0;
    let mut sensitive = Vec::with_capacity(frequency.sensitive.len());
    for counted in &frequency.sensitive {
        let range = offset..offset + counted.totals.len();
        offset = range.end;
        let mut histograms = Histograms { starts: vec![0], entries: Vec::new() };
        for class in 0..set.keys.len() {
            let counts = &set.histogram(class)[range.clone()];
            let entries = (0..).zip(counts).filter(|&(_, &count)| count > 0).map(|(code, &count)| (code, count));
            histograms.entries.extend(entries);
            histograms.starts.push(histograms.entries.len() as u32);
        }
        sensitive.push(histograms);
    }
    Classes {
        levels: levels.to_vec(),
        labels: layout.fields.iter().map(|&field| set.keys.iter().map(|key| key.get(field)).collect()).collect(),
        rows: wide(&set.rows),
        population: wide(if set.population.is_empty() { &set.rows } else { &set.population }),
        sensitive,
        joint: Vec::new(),
    }
}
