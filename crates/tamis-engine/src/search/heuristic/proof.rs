//! Branch and bound over boxes of the lattice.
//!
//! Let a box be all transformations between a least general one, `low`, and a most general one, `high`. Whatever `high` must suppress,
//! all of them must ([`Forced`]), and none loses less by generalization than `low` does; so the measure's bound for `low` with what
//! is forced at `high` holds for the whole box. Evaluating general transformations is what teaches most about large parts of the
//! lattice.
//!
//! The box with the least bound is taken up first. Levels at its top that cost more than the best candidate are cut off, `high` is
//! evaluated, and if that does not raise its bound it is divided: the top level of the attribute where that level costs most goes to
//! one part, the levels below to the other. Other choices of attribute and level, and probing several before dividing, were
//! measured and proved less in the same time.

use super::explorer::Explorer;
use crate::classes::attribute_order;
use crate::{Forced, Score};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// Memory for the boxes in the heap.
const MOST_BYTES: usize = 1 << 27;

/// A box: all transformations between two.
#[derive(Debug)]
struct Region {
    low: Vec<usize>,
    high: Vec<usize>,
    /// What must be suppressed at `high` and below, as far as known.
    forced: Rc<Forced>,
    /// Classes of `low` or of something below.
    finer: (u64, u64),
    /// Nothing inside scores below this.
    bound: Score,
    /// Whether `forced` is all that evaluating `high` can tell.
    is_high_known: bool,
    /// Whether `finer` is all that evaluating `low` can tell.
    is_low_known: bool,
    /// Later ones have greater numbers.
    number: u64,
}

impl Region {
    /// Number of transformations inside.
    fn size(&self) -> f64 {
        self.low.iter().zip(&self.high).map(|(&low, &high)| (high - low + 1) as f64).product()
    }
}

/// The heap yields the least bound first; among equals the latest, which is the smallest.
impl Ord for Region {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.cmp(&self.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Region {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Region {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Region {}

/// The open boxes. Together with what is closed they make up the lattice.
///
/// Up to 128 MB of boxes wait in a heap. When that is full, the parts of a box are taken up at once, depth first, until all of it is
/// closed; the proven bound then rises only when the heap's least box is done, but memory grows no more.
pub(super) struct Proof {
    heap: BinaryHeap<Region>,
    stack: Vec<Region>,
    capacity: usize,
    numbered: u64,
    /// Ties between attributes go to the one with the most values.
    order: Vec<usize>,
    evaluates_low: bool,
    open: f64,
}

impl Proof {
    pub(super) fn new(explorer: &Explorer<'_>) -> Self {
        let problem = explorer.problem();
        let (low, high) = (problem.lattice.lower().to_vec(), problem.lattice.upper().to_vec());
        let nothing = Forced::nothing(low.len());
        let whole = Region {
            bound: explorer.frontier.bound(&low, &nothing),
            forced: Rc::new(nothing),
            finer: explorer.frontier.finest,
            is_high_known: false,
            is_low_known: false,
            number: 0,
            low,
            high,
        };
        // Two corners, and what is forced, which half of the boxes share with another.
        let bytes = size_of::<Region>() + 3 * size_of_val(whole.low.as_slice());
        Self {
            capacity: MOST_BYTES / bytes,
            stack: Vec::new(),
            numbered: 0,
            order: attribute_order(problem),
            evaluates_low: problem.measure.uses_finer_classes(),
            open: whole.size(),
            heap: BinaryHeap::from([whole]),
        }
    }

    /// Whether everything but the best is ruled out.
    pub(super) fn is_complete(&self) -> bool {
        self.heap.is_empty() && self.stack.is_empty()
    }

    /// Number of transformations in open boxes.
    pub(super) fn open(&self) -> f64 {
        if self.is_complete() { 0.0 } else { self.open.max(0.0) }
    }

    /// No admissible transformation scores below this; infinite if there is none.
    pub(super) fn lower_bound(&self, explorer: &Explorer<'_>) -> Score {
        let best = explorer.frontier.best.as_ref().map(|best| &best.score);
        let open = self.heap.peek().into_iter().chain(&self.stack).map(|region| &region.bound);
        open.chain(best).min().cloned().unwrap_or_else(|| Score::number(f64::INFINITY))
    }

    /// Closes all boxes that the best rules out by now.
    pub(super) fn settle(&mut self, explorer: &Explorer<'_>) {
        let is_open = |region: &Region| !explorer.frontier.rules_out(&region.low, &region.bound, &region.forced);
        self.stack.retain(is_open);
        self.heap.retain(is_open);
        self.open = self.stack.iter().chain(&self.heap).map(Region::size).sum();
    }

    /// Takes up boxes until that took so many evaluations, the limits are reached or no box is left.
    pub(super) fn advance(&mut self, explorer: &mut Explorer<'_>, evaluations: u64) {
        let end = explorer.frontier.checked + evaluations;
        while explorer.frontier.checked < end && !explorer.is_over() {
            let Some(region) = self.stack.pop().or_else(|| self.heap.pop()) else { return };
            self.open -= region.size();
            for part in self.examine(explorer, region).into_iter().flatten() {
                self.put(explorer, part);
            }
        }
    }

    /// Adds a box unless it is ruled out.
    fn put(&mut self, explorer: &Explorer<'_>, mut region: Region) {
        if explorer.frontier.rules_out(&region.low, &region.bound, &region.forced) {
            return;
        }
        self.numbered += 1;
        region.number = self.numbered;
        self.open += region.size();
        if self.heap.len() < self.capacity {
            self.heap.push(region);
        } else {
            self.stack.push(region);
        }
    }

    /// Bounds a box better, or else divides it; what of it is still open.
    fn examine(&self, explorer: &mut Explorer<'_>, mut region: Region) -> [Option<Region>; 2] {
        if explorer.frontier.rules_out(&region.low, &region.bound, &region.forced) {
            return [None, None];
        }
        let split = self.narrow(explorer, &mut region);
        if !region.is_high_known {
            let Some(high) = explorer.evaluate(&region.high) else { return [Some(region), None] };
            let mut forced = Forced::clone(&region.forced);
            forced.strengthen(&high.forced);
            region.forced = Rc::new(forced);
            region.is_high_known = true;
        }
        let Some(split) = split else { return [None, None] };
        if self.evaluates_low && !region.is_low_known {
            let Some(low) = explorer.evaluate(&region.low) else { return [Some(region), None] };
            region.finer = low.classes;
            region.is_low_known = true;
        }
        let bound = explorer.frontier.bound_above(&region.low, &region.forced, region.finer);
        if bound > region.bound {
            region.bound = bound;
            return [Some(region), None];
        }
        divide(region, split).map(Some)
    }

    /// Cuts levels off the top of a box that generalization alone makes too costly; where to divide what is left, if it can be.
    fn narrow(&self, explorer: &Explorer<'_>, region: &mut Region) -> Option<Split> {
        let mut corner = region.low.clone();
        let mut split: Option<Split> = None;
        for &attribute in &self.order {
            while region.high[attribute] > region.low[attribute] {
                corner[attribute] = region.high[attribute];
                let bound = explorer.frontier.bound_above(&corner, &region.forced, region.finer);
                if !explorer.frontier.rules_out(&corner, &bound, &region.forced) {
                    if split.as_ref().is_none_or(|split| bound > split.bound) {
                        split = Some(Split { attribute, bound });
                    }
                    break;
                }
                region.high[attribute] -= 1;
                region.is_high_known = false;
            }
            corner[attribute] = region.low[attribute];
        }
        split
    }
}

/// The attribute whose top level is to be parted from those below, and a bound for the part with the top level.
struct Split {
    attribute: usize,
    bound: Score,
}

/// The parts with and without the top level of an attribute.
fn divide(region: Region, Split { attribute, bound }: Split) -> [Region; 2] {
    let mut below = Region {
        low: region.low.clone(),
        high: region.high.clone(),
        forced: Rc::clone(&region.forced),
        bound: region.bound.clone(),
        is_high_known: false,
        ..region
    };
    below.high[attribute] -= 1;
    let mut above = region;
    above.low[attribute] = above.high[attribute];
    above.is_low_known = false;
    above.bound = above.bound.max(bound);
    [above, below]
}
