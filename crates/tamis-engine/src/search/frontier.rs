//! What a search knows so far: the best candidate, the bounds, and what was evaluated.

use super::{Candidate, Node, RECORDED};
use crate::measures::Known;
use crate::{Forced, Problem, Score, Tally};
use hashbrown::HashMap;
use std::cmp::Ordering;

/// How much memory the bounds may take.
const MOST_BYTES: usize = 1 << 30;

/// The state of a search.
pub(super) struct Frontier<'p> {
    pub(super) problem: &'p Problem,
    pub(super) best: Option<Candidate>,
    pub(super) checked: u64,
    pub(super) nodes: Vec<Node>,
    forced: HashMap<u64, (Forced, bool), foldhash::fast::FixedState>,
    pub(super) finest: (u64, u64),
    least_size: u64,
}

impl<'p> Frontier<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            best: None,
            checked: 0,
            nodes: Vec::new(),
            forced: HashMap::default(),
            finest: crate::classes::Evaluator::finest(problem),
            // Where missing values match anything, the rows of a class may be fewer than those it hides among.
            least_size: if problem.has_wildcards() { 1 } else { problem.least_size() },
        }
    }

    /// What must be suppressed at `levels`, from all that is known of the transformations directly above.
    pub(super) fn inherited(&self, levels: &[usize]) -> Forced {
        let mut forced = Forced::nothing(levels.len());
        let mut above = levels.to_vec();
        for (j, &upper) in self.problem.lattice.upper().iter().enumerate() {
            if levels[j] < upper {
                above[j] += 1;
                if let Some((known, _)) = self.forced.get(&self.problem.lattice.index(&above)) {
                    forced.strengthen(known);
                }
                above[j] -= 1;
            }
        }
        forced
    }

    /// A score that `levels` cannot beat.
    pub(super) fn bound(&self, levels: &[usize], forced: &Forced) -> Score {
        self.bound_above(levels, forced, self.finest)
    }

    /// The same, knowing the number and squared sizes of the classes of `levels` or of something below.
    pub(super) fn bound_above(&self, levels: &[usize], forced: &Forced, finer: (u64, u64)) -> Score {
        let known = Known { forced, finer: Some(finer), least_size: self.least_size };
        self.problem.measure.lower_bound(levels, &known)
    }

    /// Whether a transformation with this bound cannot become the best: ties go to lower, then earlier ones.
    pub(super) fn rules_out(&self, levels: &[usize], bound: &Score, forced: &Forced) -> bool {
        forced.rows > self.problem.limit
            || self.best.as_ref().is_some_and(|best| Candidate::compare(bound, levels, best) != Ordering::Less)
    }

    /// Remembers a bound without evaluating.
    pub(super) fn remember(&mut self, levels: &[usize], forced: Forced) {
        self.keep(levels, forced, false);
    }

    /// Bounds that no longer fit the memory are forgotten at once: the search then evaluates more, and is as right as before.
    fn keep(&mut self, levels: &[usize], forced: Forced, is_evaluated: bool) {
        const OVERHEAD: usize = 96;
        if self.forced.len() * (levels.len() * size_of::<u64>() + OVERHEAD) < MOST_BYTES {
            self.forced.insert(self.problem.lattice.index(levels), (forced, is_evaluated));
        }
    }

    /// Whether `levels` was evaluated before.
    pub(super) fn is_evaluated(&self, levels: &[usize]) -> bool {
        self.forced.get(&self.problem.lattice.index(levels)).is_some_and(|&(_, evaluated)| evaluated)
    }

    /// Takes in an evaluated transformation; its score if it is admissible.
    pub(super) fn record(&mut self, levels: &[usize], mut forced: Forced, tally: Tally) -> Option<Score> {
        forced.strengthen(&tally.forced);
        self.keep(levels, forced, true);
        self.admit(levels, tally)
    }

    /// The same without remembering what it says about those below: for lattices too large to number.
    pub(super) fn admit(&mut self, levels: &[usize], tally: Tally) -> Option<Score> {
        self.checked += 1;
        let score = self.problem.measure.score(levels, &tally);
        let is_admissible = tally.suppressed <= self.problem.limit && !tally.is_blocked;
        if self.nodes.len() < RECORDED {
            self.nodes.push(Node {
                levels: levels.to_vec(),
                score: score.clone(),
                suppressed: tally.suppressed,
                is_admissible,
            });
        }
        if !is_admissible {
            return None;
        }
        let is_better =
            self.best.as_ref().is_none_or(|best| Candidate::compare(&score, levels, best) == Ordering::Less);
        if is_better {
            self.best = Some(Candidate { score: score.clone(), levels: levels.to_vec(), tally });
        }
        Some(score)
    }
}
