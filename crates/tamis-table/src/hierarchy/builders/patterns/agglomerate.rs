//! Joining the two most similar groups again and again.

use super::super::lcs::Prepared;
use super::Pattern;
use std::collections::HashMap;

/// Up to so many groups are compared each with each.
const MOST_AT_ONCE: usize = 2_000;
/// More are first joined within blocks of neighbours.
const BLOCK: usize = 1_000;
/// A group whose joins keep turning out too empty is left alone, as trying them costs more than comparing.
const MOST_REFUSALS: u8 = 16;

/// Steps one level takes: comparisons times the cost of each.
pub(super) fn work(groups: usize, longest: usize) -> u64 {
    let (groups, longest) = (groups as u64, longest as u64);
    let blocks = if groups as usize > MOST_AT_ONCE { groups * BLOCK as u64 } else { 0 };
    let at_once = groups.min(MOST_AT_ONCE as u64).pow(2);
    (blocks + at_once).saturating_mul(longest).saturating_mul(longest.div_ceil(64))
}

/// Joins groups until no two reach `similarity` or share a label. Returns them and where each group went.
pub(super) fn agglomerate(groups: Vec<Pattern>, similarity: f64, shortest_run: usize) -> (Vec<Pattern>, Vec<usize>) {
    if groups.len() <= MOST_AT_ONCE {
        let (groups, moved) = join_similar(groups, similarity, shortest_run);
        return join_equal(groups, moved);
    }
    let (mut joined, mut moved) = (Vec::new(), Vec::new());
    for block in groups.chunks(BLOCK) {
        let (groups, went) = join_similar(block.to_vec(), similarity, shortest_run);
        moved.extend(went.into_iter().map(|group| joined.len() + group));
        joined.extend(groups);
    }
    let (joined, moved) = join_equal(joined, moved);
    if joined.len() > MOST_AT_ONCE {
        return (joined, moved);
    }
    let (joined, again) = agglomerate(joined, similarity, shortest_run);
    (joined, moved.into_iter().map(|group| again[group]).collect())
}

/// Groups with one label cannot be told apart, so they are one.
fn join_equal(groups: Vec<Pattern>, moved: Vec<usize>) -> (Vec<Pattern>, Vec<usize>) {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<Pattern> = Vec::new();
    let mut went = Vec::with_capacity(groups.len());
    for group in groups {
        let number = *numbers.entry(group.to_string()).or_insert(kept.len());
        match kept.get_mut(number) {
            Some(same) => same.absorb(&group),
            None => kept.push(group),
        }
        went.push(number);
    }
    (kept, moved.into_iter().map(|group| went[group]).collect())
}

fn join_similar(groups: Vec<Pattern>, similarity: f64, shortest_run: usize) -> (Vec<Pattern>, Vec<usize>) {
    let mut state = Groups::new(groups, similarity);
    while let Some((keep, give)) = state.most_similar() {
        state.join(keep, give, shortest_run);
    }
    state.finish()
}

/// Groups with their similarities, and for each its most similar group of a lower number.
struct Groups {
    patterns: Vec<Option<Pattern>>,
    /// Where a joined group went; itself while it is there.
    parent: Vec<usize>,
    /// Row i holds the similarities with groups 0..i, or 0 where they do not reach the least.
    similarities: Vec<Vec<f32>>,
    nearest: Vec<Nearest>,
    refusals: Vec<u8>,
    least: f64,
}

/// A stale similarity is an upper bound: it is looked up again only when it would be the greatest.
#[derive(Clone, Copy)]
struct Nearest {
    similarity: f32,
    group: usize,
    stale: bool,
}

const NONE: Nearest = Nearest { similarity: 0.0, group: 0, stale: false };

impl Groups {
    fn new(patterns: Vec<Pattern>, least: f64) -> Self {
        let count = patterns.len();
        let mut groups = Self {
            patterns: patterns.into_iter().map(Some).collect(),
            parent: (0..count).collect(),
            similarities: (0..count).map(|row| vec![0.0; row]).collect(),
            nearest: vec![NONE; count],
            refusals: vec![0; count],
            least,
        };
        for group in 0..count {
            groups.similarities[group] = groups.compare(group, 0..group);
            groups.look_up(group);
        }
        groups
    }

    /// Similarity of `group` with each of `others`.
    fn compare(&self, group: usize, others: std::ops::Range<usize>) -> Vec<f32> {
        let Some(pattern) = self.patterns[group].as_ref().filter(|_| !self.rests(group)) else {
            return vec![0.0; others.len()];
        };
        let prepared = Prepared::new(pattern.characters());
        let mut scratch = Vec::new();
        others
            .map(|other| {
                let Some(other) = self.patterns[other].as_ref().filter(|_| !self.rests(other)) else { return 0.0 };
                let longest = pattern.longest().max(other.longest()) as f64;
                let at_most = pattern.characters().len().min(other.characters().len()) as f64;
                if at_most < self.least * longest || longest == 0.0 {
                    return 0.0;
                }
                let common = prepared.common(other.characters(), &mut scratch) as f64;
                if common < self.least * longest { 0.0 } else { (common / longest) as f32 }
            })
            .collect()
    }

    fn rests(&self, group: usize) -> bool {
        self.refusals[group] >= MOST_REFUSALS
    }

    fn look_up(&mut self, group: usize) {
        let mut nearest = NONE;
        for (other, &similarity) in self.similarities[group].iter().enumerate() {
            if similarity > nearest.similarity {
                nearest = Nearest { similarity, group: other, stale: false };
            }
        }
        self.nearest[group] = nearest;
    }

    /// The two groups to join next, lower number first; among equals those of the lowest numbers.
    fn most_similar(&mut self) -> Option<(usize, usize)> {
        loop {
            let mut best = 0;
            for (group, nearest) in self.nearest.iter().enumerate() {
                if nearest.similarity > self.nearest[best].similarity {
                    best = group;
                }
            }
            let nearest = *self.nearest.get(best)?;
            if nearest.similarity == 0.0 {
                return None;
            }
            if !nearest.stale {
                return Some((nearest.group, best));
            }
            self.look_up(best);
        }
    }

    /// Joins two groups, unless too little is left without the short runs.
    fn join(&mut self, keep: usize, give: usize, shortest_run: usize) {
        let (Some(left), Some(right)) = (&self.patterns[keep], &self.patterns[give]) else { return };
        let joined = left.join(right, shortest_run);
        if !joined.keeps(self.least) {
            self.refuse(keep, give);
            return;
        }
        self.patterns[keep] = Some(joined);
        self.patterns[give] = None;
        self.parent[give] = keep;
        self.similarities[give].fill(0.0);
        self.nearest[give] = NONE;
        self.similarities[keep] = self.compare(keep, 0..keep);
        self.look_up(keep);
        let above = self.compare(keep, keep + 1..self.patterns.len());
        for (other, similarity) in (keep + 1..).zip(above) {
            self.similarities[other][keep] = similarity;
            if other > give {
                self.similarities[other][give] = 0.0;
            }
            let nearest = &mut self.nearest[other];
            if similarity > nearest.similarity || (similarity == nearest.similarity && keep < nearest.group) {
                *nearest = Nearest { similarity, group: keep, stale: false };
            } else if nearest.group == give || (nearest.group == keep && similarity < nearest.similarity) {
                nearest.stale = true;
            }
        }
    }

    fn refuse(&mut self, lower: usize, higher: usize) {
        self.similarities[higher][lower] = 0.0;
        self.nearest[higher].stale = true;
        for group in [lower, higher] {
            self.refusals[group] += 1;
            if self.rests(group) {
                self.similarities[group].fill(0.0);
                self.nearest[group] = NONE;
                for other in group + 1..self.patterns.len() {
                    self.similarities[other][group] = 0.0;
                    self.nearest[other].stale |= self.nearest[other].group == group;
                }
            }
        }
    }

    fn finish(self) -> (Vec<Pattern>, Vec<usize>) {
        let mut numbers = vec![0; self.parent.len()];
        let mut patterns = Vec::new();
        for (group, pattern) in self.patterns.into_iter().enumerate() {
            // A group goes to one of a lower number, whose own number is known by now.
            numbers[group] = match pattern {
                Some(pattern) => {
                    patterns.push(pattern);
                    patterns.len() - 1
                }
                None => numbers[self.parent[group]],
            };
        }
        (patterns, numbers)
    }
}
