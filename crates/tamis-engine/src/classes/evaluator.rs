//! Evaluates transformations one after the other, reusing the classes of the one before.

use super::assign;
use super::company::{Company, view_packed};
use super::packed::{ClassSet, Field, Key, KeyIndex, Layout};
use super::verdict::{Judge, JudgedClass};
use crate::measures::lines_by_level;
use crate::{Problem, Tally};
use std::sync::Arc;
use tamis_privacy::Class;

/// Histograms wider than this would take more memory than grouping anew takes time.
const WIDEST_HISTOGRAM: usize = 256;

/// Blocks of attributes for a search that jumps; with 24 attributes three evaluated half as much again per second as one or twenty-four.
const JUMPING_BLOCKS: usize = 3;

/// A larger set of classes gives its memory back while the attribute it was made for is not generalized.
const LARGE_SET: usize = 10_000;

/// Evaluates transformations of one problem. Each thread has its own.
pub(crate) enum Evaluator<'p> {
    Narrow(Chain<'p, u64>),
    Wide(Chain<'p, u128>),
    Direct(&'p Problem),
}

impl<'p> Evaluator<'p> {
    /// For walking the lattice in lexicographic order of [`attribute_order`].
    pub(crate) fn for_walking(problem: &'p Problem) -> Self {
        Self::new(problem, problem.frequency.attributes.len())
    }

    /// For jumping about in the lattice.
    pub(crate) fn for_jumping(problem: &'p Problem) -> Self {
        Self::new(problem, JUMPING_BLOCKS)
    }

    fn new(problem: &'p Problem, blocks: usize) -> Self {
        let layout = Layout::of(&problem.frequency);
        let width: usize = problem.frequency.sensitive.iter().map(|sensitive| sensitive.totals.len()).sum();
        let counts_columns_together = !problem.table_models.is_empty() && !problem.frequency.joint.is_empty();
        if counts_columns_together || !problem.is_additive() || width > WIDEST_HISTOGRAM || layout.bits > u128::BITS {
            Self::Direct(problem)
        } else if layout.bits <= u64::BITS {
            Self::Narrow(Chain::new(problem, layout, blocks))
        } else {
            Self::Wide(Chain::new(problem, layout, blocks))
        }
    }

    /// Another evaluator of the same problem, for another thread; the untouched tuples are shared.
    pub(crate) fn fork(&self) -> Self {
        match self {
            Self::Narrow(chain) => Self::Narrow(chain.fork()),
            Self::Wide(chain) => Self::Wide(chain.fork()),
            Self::Direct(problem) => Self::Direct(problem),
        }
    }

    /// Tallies the classes of a transformation.
    pub(crate) fn evaluate(&mut self, levels: &[usize]) -> Tally {
        match self {
            Self::Narrow(chain) => chain.evaluate(levels),
            Self::Wide(chain) => chain.evaluate(levels),
            Self::Direct(problem) => assign(problem, levels).0,
        }
    }

    /// Classes and squared class sizes of the untouched tuples.
    pub(crate) fn finest(problem: &Problem) -> (u64, u64) {
        let counts = problem.frequency.counts.iter().filter(|&&count| count > 0).map(|&count| u64::from(count));
        counts.fold((0, 0), |(classes, squares), count| (classes + 1, squares + count * count))
    }
}

/// The classes after generalizing the first block of attributes, the first two, and so on.
///
/// Transformations that agree on their first attributes share that part of the chain, so walking the lattice in lexicographic
/// order of [`attribute_order`] with one attribute a block costs one small roll-up per transformation instead of grouping all tuples.
/// A search that jumps about shares little and is better served by few large blocks.
pub(crate) struct Chain<'p, K> {
    problem: &'p Problem,
    layout: Layout,
    base: Arc<ClassSet<K>>,
    /// For each block its attributes, the levels they were rolled up to (none yet if empty) and the classes after it.
    steps: Vec<Step<K>>,
    index: KeyIndex,
    row_lines: Vec<Vec<u64>>,
}

struct Step<K> {
    attributes: Vec<usize>,
    levels: Vec<usize>,
    classes: ClassSet<K>,
}

/// Attributes with the most values first: generalizing them shrinks everything after them.
pub(crate) fn attribute_order(problem: &Problem) -> Vec<usize> {
    let attributes = &problem.frequency.attributes;
    let mut order: Vec<usize> = (0..attributes.len()).collect();
    order.sort_by_key(|&j| std::cmp::Reverse(attributes[j].recoder.labels_of_codes(0).len()));
    order
}

impl<'p, K: Key> Chain<'p, K> {
    fn new(problem: &'p Problem, layout: Layout, blocks: usize) -> Self {
        let base = Arc::new(ClassSet::of(&problem.frequency, &layout));
        Self::over(problem, layout, base, lines_by_level(&problem.frequency), blocks)
    }

    fn over(
        problem: &'p Problem,
        layout: Layout,
        base: Arc<ClassSet<K>>,
        row_lines: Vec<Vec<u64>>,
        blocks: usize,
    ) -> Self {
        let order = attribute_order(problem);
        let steps = order
            .chunks(order.len().div_ceil(blocks.max(1)).max(1))
            .map(|attributes| Step {
                attributes: attributes.to_vec(),
                levels: Vec::new(),
                classes: ClassSet::like(&base),
            })
            .collect();
        Self { problem, layout, base, steps, index: KeyIndex::default(), row_lines }
    }

    fn fork(&self) -> Self {
        let base = Arc::clone(&self.base);
        Self::over(self.problem, self.layout.clone(), base, self.row_lines.clone(), self.steps.len())
    }

    fn evaluate(&mut self, levels: &[usize]) -> Tally {
        let Self { problem, layout, base, steps, index, row_lines } = self;
        let mut is_shared = true;
        let mut finer: &ClassSet<K> = base;
        for Step { attributes, levels: made, classes } in steps.iter_mut() {
            let wanted = || attributes.iter().map(|&j| levels[j]);
            let is_untouched = wanted().all(|level| level == 0);
            is_shared &= wanted().eq(made.iter().copied());
            if !is_shared {
                made.clear();
                made.extend(wanted());
                if !is_untouched {
                    let changes: Vec<(Field, &[u32])> = attributes
                        .iter()
                        .filter(|&&j| levels[j] > 0)
                        .map(|&j| {
                            (layout.fields[j], problem.frequency.attributes[j].recoder.labels_of_codes(levels[j]))
                        })
                        .collect();
                    classes.roll_up(finer, &changes, index);
                } else if classes.keys.len() > LARGE_SET {
                    *classes = ClassSet::like(base);
                }
            }
            if !is_untouched {
                finer = classes;
            }
        }
        let row_lines = row_lines.iter().zip(levels).map(|(by_level, &level)| by_level[level]);
        let mut judge = Judge::new(problem, levels);
        if problem.table_models.is_empty() {
            let kept = show_all(finer, layout, &mut judge);
            return judge.finish(kept, row_lines);
        }
        let number = finer.keys.len();
        let company = Company::of(problem, number, || view_packed(finer, layout, &problem.frequency, levels));
        let mut kept: Vec<bool> = company.doomed.iter().map(|&doomed| !doomed).collect();
        let kept_rows = show_standing(finer, layout, &mut judge, &mut kept);
        let mut tally = judge.finish(kept_rows, row_lines.clone());
        tally.forced.rows = tally.forced.rows.max(company.least_fallen);
        let mut settled = company.settle(kept.clone());
        if settled == kept {
            return tally;
        }
        let mut judge = Judge::new(problem, levels);
        let kept_rows = show_standing(finer, layout, &mut judge, &mut settled);
        let forced = tally.forced;
        Tally { forced, ..judge.finish(kept_rows, row_lines) }
    }
}

/// Shows every class to the judge; the rows of those released.
fn show_all<K: Key>(set: &ClassSet<K>, layout: &Layout, judge: &mut Judge<'_>) -> u64 {
    let least = judge.least_rows();
    let mut kept = 0;
    for (i, &rows) in set.rows.iter().enumerate() {
        let rows = u64::from(rows);
        if rows < least {
            if rows > 0 {
                judge.add_small(rows);
                continue;
            }
            if !judge.judges_empty_classes() {
                continue;
            }
        }
        if show(set, i, layout, judge) {
            kept += rows;
        }
    }
    kept
}

/// Shows the classes that stand to the judge and marks those that do no more; the rows of those released.
fn show_standing<K: Key>(set: &ClassSet<K>, layout: &Layout, judge: &mut Judge<'_>, stands: &mut [bool]) -> u64 {
    let mut kept = 0;
    for (i, stands) in stands.iter_mut().enumerate() {
        let rows = u64::from(set.rows[i]);
        if *stands {
            *stands = show(set, i, layout, judge);
            kept += if *stands { rows } else { 0 };
        } else {
            judge.add_fallen(rows, |j| set.keys[i].get(layout.fields[j]));
        }
    }
    kept
}

/// Shows one class to the judge; whether it may be released.
#[inline]
fn show<K: Key>(set: &ClassSet<K>, class: usize, layout: &Layout, judge: &mut Judge<'_>) -> bool {
    let rows = u64::from(set.rows[class]);
    let key = set.keys[class];
    let population = set.population.get(class).map_or(rows, |&population| u64::from(population));
    let judged = JudgedClass { class: Class { size: rows, population, counts: set.histogram(class) }, rows };
    judge.add(&judged, |j| key.get(layout.fields[j]))
}
