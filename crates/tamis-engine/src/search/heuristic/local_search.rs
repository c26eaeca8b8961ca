//! Iterated local search: shake the best transformation, walk downhill, keep what is better.

use super::explorer::Explorer;
use crate::classes::attribute_order;
use crate::{Forced, Problem, Score};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Walks downhill from many starts.
///
/// A walk looks at the transformations one level up or down of the current one and moves to the first that is admissible and better,
/// until none is: at most two evaluations per attribute for each move. The next walk starts near the best, with one attribute a level up
/// and another a level down, or with two at random levels, and with more such changes the longer nothing better turns up; if that is
/// inadmissible, it climbs random attributes until it is not.
pub(super) struct LocalSearch {
    random: ChaCha8Rng,
    nothing: Forced,
    /// In which the evaluator rolls attributes up.
    order: Vec<usize>,
    current: Vec<usize>,
    score: Option<Score>,
    /// Neighbours of `current` not tried yet: attribute, and whether up.
    untried: Vec<(usize, bool)>,
    /// The best score when the walk began.
    best: Option<Score>,
    /// Walks since the last that found a new best.
    fruitless: usize,
}

impl LocalSearch {
    pub(super) fn new(problem: &Problem, seed: u64) -> Self {
        let current = problem.lattice.upper().to_vec();
        let nothing = Forced::nothing(current.len());
        let random = ChaCha8Rng::seed_from_u64(seed);
        let order = attribute_order(problem);
        Self { random, nothing, order, current, score: None, untried: Vec::new(), best: None, fruitless: 0 }
    }

    /// The first walk: from the most general transformation to the best one level down, for as long as that improves the score.
    pub(super) fn descend_from_top(&mut self, explorer: &mut Explorer<'_>) {
        let lower = explorer.problem().lattice.lower();
        let Some(top) = explorer.evaluate(&self.current) else { return };
        self.score.clone_from(&top.score);
        if top.forced.rows > explorer.problem().limit {
            return;
        }
        loop {
            let mut next: Option<(Score, usize)> = None;
            for (j, &least) in lower.iter().enumerate() {
                if self.current[j] == least {
                    continue;
                }
                self.current[j] -= 1;
                let below = explorer.evaluate(&self.current);
                self.current[j] += 1;
                let Some(below) = below else { return };
                if let Some(score) = &below.score
                    && next.as_ref().is_none_or(|(best, _)| score < best)
                {
                    next = Some((score.clone(), j));
                }
            }
            match next {
                Some((score, j)) if self.score.as_ref().is_none_or(|current| score <= *current) => {
                    self.score = Some(score);
                    self.current[j] -= 1;
                }
                _ => break,
            }
        }
        self.list_neighbours();
    }

    /// Tries `steps` neighbours, evaluated before or not.
    pub(super) fn advance(&mut self, explorer: &mut Explorer<'_>, steps: u64) {
        for _ in 0..steps {
            if explorer.is_over() {
                return;
            }
            match self.untried.pop() {
                _ if self.score.is_none() => self.climb(explorer),
                Some((j, is_up)) => self.try_neighbour(explorer, j, is_up),
                None => self.restart(explorer),
            }
        }
    }

    fn try_neighbour(&mut self, explorer: &mut Explorer<'_>, j: usize, is_up: bool) {
        let lattice = &explorer.problem().lattice;
        let before = self.current[j];
        if before == if is_up { lattice.upper()[j] } else { lattice.lower()[j] } {
            return;
        }
        self.current[j] = if is_up { before + 1 } else { before - 1 };
        let is_hopeless = || {
            let bound = explorer.frontier.bound(&self.current, &self.nothing);
            self.score.as_ref().is_some_and(|score| bound >= *score)
        };
        let found = if is_hopeless() { None } else { explorer.evaluate(&self.current) };
        let score = found.and_then(|found| found.score.clone());
        let is_better = match (&score, &self.score) {
            (Some(score), Some(current)) => score < current,
            _ => false,
        };
        if is_better {
            self.score = score;
            self.list_neighbours();
        } else {
            self.current[j] = before;
        }
    }

    /// From an inadmissible transformation one random level up, where less must be suppressed.
    fn climb(&mut self, explorer: &mut Explorer<'_>) {
        let upper = explorer.problem().lattice.upper();
        let open: Vec<usize> = (0..upper.len()).filter(|&j| self.current[j] < upper[j]).collect();
        if open.is_empty() {
            self.restart(explorer);
            return;
        }
        let j = open[self.below(open.len())];
        self.current[j] += 1;
        self.score = explorer.evaluate(&self.current).and_then(|found| found.score.clone());
        self.list_neighbours();
    }

    /// Begins another walk near the best transformation.
    fn restart(&mut self, explorer: &mut Explorer<'_>) {
        let lattice = &explorer.problem().lattice;
        match &explorer.frontier.best {
            Some(best) => {
                let is_new = self.best.as_ref().is_none_or(|before| best.score < *before);
                self.fruitless = if is_new { 0 } else { self.fruitless + 1 };
                self.best = Some(best.score.clone());
                self.current.clone_from(&best.levels);
            }
            None => self.current.copy_from_slice(lattice.lower()),
        }
        let most = (self.fruitless / 4).min(self.current.len() / 2);
        let changes = 2 + self.below(1 + most);
        let is_jump = self.below(2) == 0;
        for change in 0..changes {
            let j = self.below(self.current.len());
            let (lower, upper, level) = (lattice.lower()[j], lattice.upper()[j], self.current[j]);
            self.current[j] = if is_jump {
                lower + self.below(upper - lower + 1)
            } else if change % 2 == 0 {
                upper.min(level + 1)
            } else {
                lower.max(level.saturating_sub(1))
            };
        }
        let start = explorer.evaluate(&self.current);
        self.score = start.and_then(|start| start.score.clone());
        self.list_neighbours();
    }

    /// The last attributes of the evaluation order come up first: trying them leaves most of the roll-ups as they are.
    fn list_neighbours(&mut self) {
        self.untried.clear();
        self.untried.extend(self.order.iter().flat_map(|&j| [(j, true), (j, false)]));
    }

    /// A random number below `end`; the bias of a 64-bit remainder is immaterial here.
    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end as u64) as usize
    }
}
