//! Branch and bound over boxes of the lattice.

use super::explorer::Explorer;
use crate::{Forced, Score};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// Memory for open boxes.
const MOST_BYTES: usize = 1 << 27;

/// All transformations between two.
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

pub(super) struct Proof {
    heap: BinaryHeap<Region>,
    stack: Vec<Region>,
    capacity: usize,
    numbered: u64,
    uses_finer: bool,
    /// gains[j][level]
    gains: Vec<Vec<(f64, u32)>>,
    open: f64,
}

impl Proof {
    pub(super) fn new(explorer: &mut Explorer<'_>) -> Self {
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
        let bytes = size_of::<Region>() + whole.low.len() * 3 * size_of::<usize>();
        Self {
            capacity: MOST_BYTES / bytes,
            stack: Vec::new(),
            numbered: 0,
            uses_finer: problem.measure.uses_finer_classes(),
            gains: whole.high.iter().map(|&high| vec![(0.0, 0); high + 1]).collect(),
            open: whole.size(),
            heap: BinaryHeap::from([whole]),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.heap.is_empty() && self.stack.is_empty()
    }

    pub(super) fn open(&self) -> f64 {
        if self.is_complete() { 0.0 } else { self.open }
    }

    /// No admissible transformation scores below this.
    pub(super) fn lower_bound(&self, explorer: &Explorer<'_>) -> Score {
        let best = explorer.frontier.best.as_ref().map(|best| &best.score);
        let open = self.heap.peek().into_iter().chain(&self.stack).map(|region| &region.bound);
        open.chain(best).min().cloned().unwrap_or_else(|| Score::number(f64::INFINITY))
    }

    /// Closes what the best rules out.
    pub(super) fn settle(&mut self, explorer: &Explorer<'_>) {
        let mut open = 0.0;
        let mut is_open = |region: &Region| {
            let is_open = !explorer.frontier.rules_out(&region.low, &region.bound, &region.forced);
            open += if is_open { region.size() } else { 0.0 };
            is_open
        };
        self.stack.retain(&mut is_open);
        self.heap.retain(&mut is_open);
        self.open = open;
    }

    pub(super) fn advance(&mut self, explorer: &mut Explorer<'_>, evaluations: u64) {
        let end = explorer.frontier.checked + evaluations;
        while explorer.frontier.checked < end && !explorer.is_over() {
            let Some(region) = self.stack.pop().or_else(|| self.heap.pop()) else { return };
            self.open -= region.size();
            if let Some(open) = self.examine(explorer, region) {
                self.put(explorer, open);
            }
        }
    }

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

    /// Bounds a region better or divides it; returns it if it is still open as a whole.
    fn examine(&mut self, explorer: &mut Explorer<'_>, mut region: Region) -> Option<Region> {
        if explorer.frontier.rules_out(&region.low, &region.bound, &region.forced) {
            return None;
        }
        shrink(explorer, &mut region);
        if !region.is_high_known {
            let Some(high) = explorer.evaluate(&region.high) else { return Some(region) };
            let mut forced = Forced::clone(&region.forced);
            forced.strengthen(&high.forced);
            region.forced = Rc::new(forced);
            region.is_high_known = true;
        }
        if region.low == region.high {
            return None;
        }
        if self.uses_finer && !region.is_low_known {
            let Some(low) = explorer.evaluate(&region.low) else { return Some(region) };
            region.finer = low.classes;
            region.is_low_known = true;
        }
        let bound = explorer.frontier.bound_above(&region.low, &region.forced, region.finer);
        if bound > region.bound {
            region.bound = bound;
            return Some(region);
        }
        let Some((j, level)) = self.choose(explorer, &region) else { return Some(region) };
        let [below, above] = divide(explorer, region, j, level);
        self.put(explorer, above);
        self.put(explorer, below);
        None
    }

    /// Where to divide: attribute and the last level of the lower part.
    fn choose(&mut self, explorer: &mut Explorer<'_>, region: &Region) -> Option<(usize, usize)> {
        let mode: u32 = std::env::var("MODE").ok().and_then(|m| m.parse().ok()).unwrap_or(0);
        let probes: usize = std::env::var("PROBES").ok().and_then(|m| m.parse().ok()).unwrap_or(0);
        let value = region.bound.value();
        let gap = explorer.best_value().map_or(f64::INFINITY, |best| best - value);
        let mut corner = region.low.clone();
        let mut options: Vec<(f64, f64, usize, usize)> = Vec::new();
        for j in 0..corner.len() {
            let (low, high) = (region.low[j], region.high[j]);
            if low == high { continue; }
            let levels = match mode % 10 { 0 => low..low + 1, 1 => high - 1..high, 2 => { let m = low.midpoint(high - 1); m..m + 1 }, _ => low..high };
            for m in levels {
                corner[j] = m + 1;
                let up = explorer.frontier.bound_above(&corner, &region.forced, region.finer).value() - value;
                corner[j] = low;
                let up = up.min(gap);
                let (sum, count) = self.gains[j][m];
                let down = if count == 0 { 1.0 } else { sum / f64::from(count) };
                options.push((score_of(up, down), up, j, m));
            }
        }
        options.sort_by(|l, r| r.0.total_cmp(&l.0).then(l.2.cmp(&r.2)).then(l.3.cmp(&r.3)));
        let mut best: Option<(f64, usize, usize)> = None;
        let mut probed = region.high.clone();
        for &(estimate, up, j, m) in options.iter() {
            let is_probed = best.is_none() && probes == 0 || options.len() == 1;
            if is_probed { return Some((j, m)); }
            if best.is_some() && probes > 0 && options.iter().position(|o| o.2 == j && o.3 == m).unwrap() >= probes { break; }
            let _ = estimate;
            probed[j] = m;
            let found = explorer.evaluate(&probed)?;
            probed[j] = region.high[j];
            let mut forced = Forced::clone(&region.forced);
            forced.strengthen(&found.forced);
            let down = if forced.rows > explorer.problem().limit { gap } else {
                explorer.frontier.bound_above(&region.low, &forced, region.finer).value() - value
            };
            let down = down.min(gap);
            let gain = &mut self.gains[j][m];
            gain.0 += if down.is_finite() { down } else { 1.0 };
            gain.1 += 1;
            let s = score_of(up, down);
            if best.is_none_or(|(b, ..)| s > b) { best = Some((s, j, m)); }
        }
        best.map(|(_, j, m)| (j, m))
    }
}

fn score_of(up: f64, down: f64) -> f64 {
    let mode: u32 = std::env::var("MODE").ok().and_then(|m| m.parse().ok()).unwrap_or(0) / 10;
    match mode { 0 => up.max(1e-6) * down.max(1e-6), 1 => up.min(down) * 5. + up.max(down), 2 => up, _ => down }
}

/// Takes levels off the top of a region that generalization alone makes too costly.
fn shrink(explorer: &Explorer<'_>, region: &mut Region) {
    let mut corner = region.low.clone();
    for j in 0..corner.len() {
        while region.high[j] > region.low[j] {
            corner[j] = region.high[j];
            let bound = explorer.frontier.bound_above(&corner, &region.forced, region.finer);
            if !explorer.frontier.rules_out(&corner, &bound, &region.forced) {
                break;
            }
            region.high[j] -= 1;
            region.is_high_known = false;
        }
        corner[j] = region.low[j];
    }
}

fn divide(explorer: &Explorer<'_>, region: Region, j: usize, level: usize) -> [Region; 2] {
    let mut below = Region {
        low: region.low.clone(),
        high: region.high.clone(),
        forced: Rc::clone(&region.forced),
        bound: region.bound.clone(),
        is_high_known: false,
        ..region
    };
    below.high[j] = level;
    let mut above = region;
    above.low[j] = level + 1;
    above.is_low_known = false;
    let bound = explorer.frontier.bound_above(&above.low, &above.forced, above.finer);
    above.bound = above.bound.max(bound);
    [below, above]
}
