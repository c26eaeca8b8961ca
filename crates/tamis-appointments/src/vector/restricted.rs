//! Partitions into parts that are not too small: r(m, s) is the number of partitions of m into parts of at least s.
//!
//! Two sweeps answer any set of questions about r, each holding one table:
//! * **by size**, for small s: the generating function of r(., s + 1) is that of r(., s) times `1 - x^s`, so the table of p(.)
//!   is multiplied in place, one s after the other;
//! * **by number of parts**, for large s: a partition of m into t parts of at least s is t times s and a partition of the rest
//!   into at most t parts, so r(m, s) is the sum over t of P(m - t s, at most t parts), and the table of P(., at most t) is
//!   that of t - 1 divided by `1 - x^t` in place.
//!
//! With n people both need about sqrt(n) passes over n numbers when they meet at sqrt(n), which is O(n^2) limb operations in
//! all with a small constant: numbers get shorter as s grows, and tables end at the largest m still asked for.

use super::limbs::{LimbTable, add, limbs_of_bits, number, used};
use super::partitions::bits_of_count;
use num_bigint::BigUint;
use std::f64::consts::LOG2_E;

/// A question: the number of partitions of `people` into parts of at least `smallest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Question {
    /// s
    pub(super) smallest: usize,
    /// m
    pub(super) people: usize,
}

/// The answers to these questions in their order; `counts` holds p(.) up to the largest m.
pub(super) fn count_partitions(counts: &LimbTable, questions: &[Question]) -> Vec<BigUint> {
    let mut answers = vec![BigUint::ZERO; questions.len()];
    let mut open = Vec::new();
    for (at, &question) in questions.iter().enumerate() {
        match question {
            Question { people: 0, .. } => answers[at] = BigUint::from(1_u32),
            Question { smallest: 0 | 1, people } => answers[at] = counts.number(people),
            Question { smallest, people } if people >= smallest => open.push((question, at)),
            Question { .. } => {}
        }
    }
    open.sort_unstable();
    let (small, large) = open.split_at(cheapest_split(&open));
    by_size(counts, small, &mut answers);
    by_number_of_parts(large, &mut answers);
    answers
}

/// A question and where its answer goes.
type Open = (Question, usize);

/// How many of the questions, which are in order of their smallest part, the sweep by size should answer.
fn cheapest_split(open: &[Open]) -> usize {
    // The sweep by number of parts walks over half as many rows, of numbers about a third as long.
    const COST_BY_PARTS: usize = 6;
    let mut largest_after = vec![(0, 0); open.len() + 1];
    for (at, (question, _)) in open.iter().enumerate().rev() {
        let (people, parts) = largest_after[at + 1];
        largest_after[at] = (question.people.max(people), (question.people / question.smallest).max(parts));
    }
    let cost = |split: usize| {
        let (people, parts) = largest_after[split];
        let sizes = split.checked_sub(1).map_or(0, |last| open[last].0.smallest);
        sizes * largest_after[0].0 + parts * people / COST_BY_PARTS
    };
    // Questions about the same size belong to the same sweep.
    let is_boundary =
        |split: usize| split == 0 || split == open.len() || open[split - 1].0.smallest != open[split].0.smallest;
    (0..=open.len()).filter(|&split| is_boundary(split)).min_by_key(|&split| cost(split)).unwrap_or(0)
}

fn by_size(counts: &LimbTable, open: &[Open], answers: &mut [BigUint]) {
    let mut most_after: Vec<usize> = open.iter().map(|(question, _)| question.people).collect();
    for at in (1..most_after.len()).rev() {
        most_after[at - 1] = most_after[at - 1].max(most_after[at]);
    }
    let Some(&most) = most_after.first() else { return };
    let mut sweep = SizeSweep::new(counts, most);
    for ((question, at), most) in open.iter().zip(most_after) {
        sweep.forget_above(most);
        while sweep.smallest < question.smallest {
            sweep.advance();
        }
        answers[*at] = sweep.table.number(question.people);
    }
}

/// The table of r(., s), s = 1, 2, ...
#[derive(Debug)]
pub(super) struct SizeSweep {
    /// Row m is r(m, smallest).
    pub(super) table: LimbTable,
    /// s
    pub(super) smallest: usize,
}

impl SizeSweep {
    /// The table of r(., 1) = p(.) up to so many people.
    pub(super) fn new(counts: &LimbTable, people: usize) -> Self {
        Self { table: counts.compact(people + 1), smallest: 1 }
    }

    /// Goes on to the next size.
    pub(super) fn advance(&mut self) {
        // r(m, s) does not fall with m >= 1, since the largest part can always be one larger: the last row is the longest.
        let width = used(self.table.row(self.table.rows() - 1)).max(1);
        if width * 4 <= self.table.stride() * 3 {
            self.table = self.table.compact(self.table.rows());
        }
        self.table.times_one_minus(self.smallest, width);
        self.smallest += 1;
    }

    /// Forgets r(m, .) for m above this.
    pub(super) fn forget_above(&mut self, people: usize) {
        self.table.truncate(people + 1);
    }
}

fn by_number_of_parts(open: &[Open], answers: &mut [BigUint]) {
    let most = |parts: usize, open: &[Open]| {
        open.iter().filter_map(|(question, _)| question.people.checked_sub(parts * question.smallest)).max()
    };
    let mut active: Vec<Open> = open.to_vec();
    let Some(rows) = most(1, &active) else { return };
    let mut stride = 1;
    let mut parts = 1;
    while let Some(rest) = most(parts, open) {
        stride = stride.max(limbs_of_bits(bits_of_bounded(rest, parts)));
        parts += 1;
    }
    let mut sweep = PartsSweep::new(rows, stride);
    let mut sums = LimbTable::zeros(open.len(), stride + 1);
    let place_of: Vec<usize> = open.iter().map(|&(_, at)| at).collect();
    for (place, (_, at)) in active.iter_mut().enumerate() {
        *at = place;
    }
    loop {
        for &(question, place) in &active {
            let rest = question.people - sweep.parts * question.smallest;
            add(sums.row_mut(place), sweep.table.row(rest));
        }
        active.retain(|(question, _)| question.people >= (sweep.parts + 1) * question.smallest);
        let Some(rest) = most(sweep.parts + 1, &active) else { break };
        sweep.table.truncate(rest + 1);
        sweep.advance();
    }
    for (place, at) in place_of.into_iter().enumerate() {
        answers[at] = number(sums.row(place));
    }
}

/// The table of P(., at most t parts), t = 1, 2, ...
#[derive(Debug)]
pub(super) struct PartsSweep {
    /// Row m is P(m, at most `parts`).
    pub(super) table: LimbTable,
    /// t
    pub(super) parts: usize,
}

impl PartsSweep {
    /// The table for one part, which is 1 everywhere, up to this m.
    pub(super) fn new(most: usize, stride: usize) -> Self {
        let mut table = LimbTable::zeros(most + 1, stride);
        for row in 0..=most {
            table.row_mut(row)[0] = 1;
        }
        Self { table, parts: 1 }
    }

    /// Allows one part more.
    pub(super) fn advance(&mut self) {
        self.parts += 1;
        // Counts do not fall with m, and a sum of at most m terms is at most one limb longer than they are.
        let longest = used(self.table.row(self.table.rows() - 1));
        self.table.over_one_minus(self.parts, (longest + 1).min(self.table.stride()));
    }
}

/// An upper bound of the bits of P(m, at most t parts): ordering t parts made different by adding 0, 1, ..., t - 1 gives at
/// most `C(m + t(t+1)/2 - 1, t - 1) / t!`; and it is at most p(m).
pub(super) fn bits_of_bounded(people: usize, parts: usize) -> f64 {
    let t = parts as f64;
    let compositions = (t - 1.0) * (people as f64 + t * (t + 1.0) / 2.0).ln();
    let orders: f64 = 2.0 * log_factorial(parts) - t.ln();
    ((compositions - orders) * LOG2_E).max(1.0).min(bits_of_count(people as u64).max(1.0))
}

/// ln t! from below.
fn log_factorial(t: usize) -> f64 {
    let t = t as f64;
    // Stirling's formula without its positive remainder.
    t * t.ln() - t + 0.5 * (2.0 * std::f64::consts::PI * t).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::partitions::partition_table;
    use proptest::prelude::*;

    /// r(m, s) by adding one part size after the other, from the largest down.
    fn slow(people: usize, smallest: usize) -> BigUint {
        let mut ways = vec![BigUint::ZERO; people + 1];
        ways[0] = BigUint::from(1_u32);
        for part in smallest.max(1)..=people {
            for m in part..=people {
                let more = ways[m - part].clone();
                ways[m] += more;
            }
        }
        ways[people].clone()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn both_sweeps_agree_with_adding_parts(
            questions in prop::collection::vec((0_usize..260, 1_usize..270), 1..12),
            split in 0_usize..12,
        ) {
            let questions: Vec<Question> =
                questions.into_iter().map(|(people, smallest)| Question { smallest, people }).collect();
            let table = partition_table(260);
            let expected: Vec<BigUint> = questions.iter().map(|q| slow(q.people, q.smallest)).collect();
            prop_assert_eq!(&count_partitions(&table, &questions), &expected);
            // Whatever the split, the answer is the same.
            let mut open: Vec<Open> = questions.iter().copied().zip(0..).collect();
            open.retain(|(question, _)| question.people >= question.smallest);
            open.sort_unstable();
            let (small, large) = open.split_at(split.min(open.len()));
            let mut answers = vec![BigUint::ZERO; questions.len()];
            by_size(&table, small, &mut answers);
            by_number_of_parts(large, &mut answers);
            for (question, at) in open {
                prop_assert_eq!(&answers[at], &expected[at], "{:?}", question);
            }
        }
    }

    #[test]
    fn the_bound_of_bits_holds() {
        let mut sweep = PartsSweep::new(1500, 10);
        while sweep.parts < 90 {
            for m in (0..1500).step_by(7) {
                let bits = sweep.table.number(m).bits() as f64;
                assert!(bits <= bits_of_bounded(m, sweep.parts) + 1.0, "{m} {}", sweep.parts);
            }
            sweep.advance();
        }
    }
}
