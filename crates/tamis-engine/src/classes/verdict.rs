//! Judges classes one by one and adds them up.

use crate::{Forced, Problem, Tally};
use tamis_privacy::{Class, Model};

/// Adds classes to a tally, asking the models about each.
pub(crate) struct Judge<'p> {
    models: Vec<&'p dyn Model>,
    population_models: Vec<&'p dyn Model>,
    least_size: u64,
    is_additive: bool,
    needs_suppressed_labels: bool,
    /// Per attribute the lines of each label on the level in question.
    label_lines: Vec<&'p [u64]>,
    /// Per attribute the lines of the whole hierarchy.
    all_lines: Vec<u64>,
    tally: Tally,
    /// Rows of failing classes that might be kept below, and their lines.
    loose_rows: u64,
    loose_lines: Vec<u64>,
    rows: u64,
}

/// A class with what measures need besides what models see.
pub(crate) struct JudgedClass<'a> {
    /// What the models see; its size may count people.
    pub(crate) class: Class<'a>,
    /// Rows to release.
    pub(crate) rows: u64,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(problem: &'p Problem, levels: &[usize]) -> Self {
        let attributes = &problem.frequency.attributes;
        // A failing hereditary model settles a class for good, so those are asked first.
        let mut models: Vec<&dyn Model> = problem.models.iter().map(AsRef::as_ref).collect();
        models.sort_by_key(|model| !model.is_hereditary());
        let needs_suppressed_labels = problem.measure.needs_suppressed_labels();
        let tally = Tally {
            kept_lines: vec![0; attributes.len()],
            suppressed_labels: if needs_suppressed_labels {
                attributes.iter().zip(levels).map(|(a, &level)| vec![0; a.recoder.labels(level).len()]).collect()
            } else {
                Vec::new()
            },
            ..Tally::default()
        };
        Self {
            population_models: models.iter().copied().filter(|model| model.judges_empty_classes()).collect(),
            models,
            least_size: problem.least_size(),
            is_additive: problem.is_additive(),
            needs_suppressed_labels,
            label_lines: attributes.iter().zip(levels).map(|(a, &level)| a.recoder.label_lines(level)).collect(),
            all_lines: attributes.iter().map(|attribute| attribute.recoder.lines()).collect(),
            tally,
            loose_rows: 0,
            loose_lines: vec![0; attributes.len()],
            rows: problem.frequency.rows,
        }
    }

    /// Classes with fewer rows than this need not be shown one by one; see [`Judge::add_small`].
    pub(crate) fn least_rows(&self) -> u64 {
        if self.needs_suppressed_labels || !self.is_additive { 0 } else { self.least_size.max(1) }
    }

    /// Whether classes without rows to release matter.
    pub(crate) fn judges_empty_classes(&self) -> bool {
        !self.population_models.is_empty()
    }

    /// Adds a class that is too small to hold.
    #[inline]
    pub(crate) fn add_small(&mut self, rows: u64) {
        self.tally.classes += 1;
        self.tally.squares += rows * rows;
    }

    /// Adds a class; `label(j)` is its label of attribute j. Says whether it is released.
    #[inline]
    pub(crate) fn add(&mut self, judged: &JudgedClass<'_>, label: impl Fn(usize) -> u32) -> bool {
        let JudgedClass { class, rows } = judged;
        if *rows == 0 {
            if self.population_models.iter().any(|model| !model.holds(class)) {
                self.tally.is_blocked = true;
            }
            return true;
        }
        self.add_small(*rows);
        let failing = self.models.iter().find_map(|model| Some((model, model.judge(class).err()?)));
        match failing {
            None => {
                self.tally.kept_classes += 1;
                self.tally.kept_squares += rows * rows;
                for (j, sum) in self.tally.kept_lines.iter_mut().enumerate() {
                    *sum += rows * self.label_lines[j][label(j) as usize];
                }
                true
            }
            Some((model, most_kept)) => {
                let loose = match (self.is_additive, model.is_hereditary()) {
                    (true, _) => most_kept,
                    (false, true) => 0,
                    (false, false) => *rows,
                };
                if loose > 0 {
                    self.loose_rows += loose;
                    for (j, sum) in self.loose_lines.iter_mut().enumerate() {
                        *sum += loose * self.label_lines[j][label(j) as usize];
                    }
                }
                self.add_suppressed_labels(*rows, label);
                false
            }
        }
    }

    /// Adds a class that is suppressed whatever the models say of it now.
    pub(crate) fn add_fallen(&mut self, rows: u64, label: impl Fn(usize) -> u32) {
        if rows > 0 {
            self.add_small(rows);
            self.add_suppressed_labels(rows, label);
        }
    }

    fn add_suppressed_labels(&mut self, rows: u64, label: impl Fn(usize) -> u32) {
        if self.needs_suppressed_labels {
            for (j, labels) in self.tally.suppressed_labels.iter_mut().enumerate() {
                labels[label(j) as usize] += rows;
            }
        }
    }

    /// The tally; `kept_rows` are the rows of all classes for which [`Judge::add`] said yes, `all_lines` the lines of all rows'
    /// labels on these levels, per attribute.
    pub(crate) fn finish(mut self, kept_rows: u64, row_lines: impl Iterator<Item = u64>) -> Tally {
        self.tally.suppressed = self.rows - kept_rows;
        let forced_rows = self.tally.suppressed - self.loose_rows;
        let mut extra_lines = Vec::with_capacity(self.all_lines.len());
        for (j, row_lines) in row_lines.enumerate() {
            let suppressed = row_lines - self.tally.kept_lines[j];
            self.tally.suppressed_lines.push(suppressed);
            extra_lines.push(forced_rows * self.all_lines[j] - (suppressed - self.loose_lines[j]));
        }
        self.tally.forced = Forced { rows: forced_rows, extra_lines };
        self.tally
    }
}
