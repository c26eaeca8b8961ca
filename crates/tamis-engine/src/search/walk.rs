//! The order in which the optimal search meets the transformations.

use super::frontier::Frontier;
use crate::classes::attribute_order;
use crate::{Forced, Problem, Score};

/// All transformations in descending lexicographic order, without those that generalization alone rules out.
pub(super) struct Walk<'p> {
    problem: &'p Problem,
    order: Vec<usize>,
    /// The next transformation, if there is one.
    next: Option<Vec<usize>>,
    /// A transformation already taken from the walk but not handed out.
    found: Option<Vec<usize>>,
    /// Prefixes up to this long are those of the transformation before, which was not skipped.
    checked_depth: usize,
    nothing: Forced,
}

impl<'p> Walk<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        let order = attribute_order(problem);
        let nothing = Forced::nothing(order.len());
        Self { problem, order, next: Some(problem.lattice.upper().to_vec()), found: None, checked_depth: 0, nothing }
    }

    /// The next transformations that agree on all but the last two attributes: grouping one of them is most of grouping the others.
    pub(super) fn next_run(&mut self, frontier: &Frontier<'_>) -> Option<Vec<Vec<usize>>> {
        let mut run = vec![self.next(frontier)?];
        let shared = self.order.len().saturating_sub(2);
        while let Some(next) = &self.next
            && self.order[..shared].iter().all(|&j| next[j] == run[0][j])
        {
            match self.next(frontier) {
                Some(levels) if self.order[..shared].iter().all(|&j| levels[j] == run[0][j]) => run.push(levels),
                // Skipping led out of the run; what was found there starts the next one.
                other => {
                    self.found = other;
                    break;
                }
            }
        }
        Some(run)
    }

    fn next(&mut self, frontier: &Frontier<'_>) -> Option<Vec<usize>> {
        if let Some(found) = self.found.take() {
            return Some(found);
        }
        let lower = self.problem.lattice.lower();
        loop {
            let levels = self.next.clone()?;
            // The shortest prefix whose least general completion is already too costly: nothing below this level of its last
            // attribute has been seen, so continue there.
            let mut least = lower.to_vec();
            let mut skip_at = None;
            for (depth, &j) in self.order.iter().enumerate() {
                least[j] = levels[j];
                if depth < self.checked_depth {
                    continue;
                }
                let bound = frontier.bound(&least, &self.nothing);
                if frontier.best.as_ref().is_some_and(|best| bound > best.score) {
                    skip_at = Some(depth);
                    break;
                }
            }
            self.step_back(&levels, skip_at.map_or(self.order.len(), |depth| depth + 1));
            if skip_at.is_none() {
                return Some(levels);
            }
        }
    }

    /// Continues at the lexicographic predecessor, dropping everything that shares the first `depth` attributes' levels.
    fn step_back(&mut self, levels: &[usize], depth: usize) {
        let lattice = &self.problem.lattice;
        let position = (0..depth).rev().find(|&i| levels[self.order[i]] > lattice.lower()[self.order[i]]);
        self.checked_depth = position.unwrap_or(0);
        self.next = position.map(|position| {
            let mut before = levels.to_vec();
            before[self.order[position]] -= 1;
            for &j in &self.order[position + 1..] {
                before[j] = lattice.upper()[j];
            }
            before
        });
    }

    /// No admissible transformation scores below this, with the walk where it is and some transformations put off.
    ///
    /// What is left of the walk is, for each attribute, a box: the transformations that agree with the next one on the attributes
    /// before it and are lower on this one. All that is known from above its most general corner holds in all of it.
    pub(super) fn lower_bound(&self, frontier: &Frontier<'_>, deferred: &[Vec<usize>]) -> Option<Score> {
        let lattice = &self.problem.lattice;
        let mut bounds: Vec<Score> = frontier.best.iter().map(|best| best.score.clone()).collect();
        let mut add = |low: &[usize], high: &[usize]| {
            let forced = frontier.inherited(high);
            if forced.rows <= self.problem.limit {
                bounds.push(frontier.bound(low, &forced));
            }
        };
        deferred.iter().chain(&self.found).chain(&self.next).for_each(|levels| add(levels, levels));
        if let Some(next) = &self.next {
            let (mut low, mut high) = (lattice.lower().to_vec(), lattice.upper().to_vec());
            for &j in &self.order {
                if next[j] > lattice.lower()[j] {
                    high[j] = next[j] - 1;
                    add(&low, &high);
                }
                (low[j], high[j]) = (next[j], next[j]);
            }
        }
        bounds.into_iter().min()
    }

    /// How many transformations were passed.
    pub(super) fn settled(&self) -> f64 {
        let lattice = &self.problem.lattice;
        let Some(next) = &self.next else { return lattice.approximate_size() };
        let mut left = 0.0;
        for &j in &self.order {
            let width = (lattice.upper()[j] - lattice.lower()[j] + 1) as f64;
            left = left * width + (next[j] - lattice.lower()[j]) as f64;
        }
        lattice.approximate_size() - left - 1.0
    }
}
