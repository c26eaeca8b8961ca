//! Large problems as many copies of a small one.

use super::lines;
use super::part::{self, Part};
use super::search::Effort;
use crate::instance::Plain;
use crate::schedule::Schedule;
use crate::solve::Patience;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::BTreeMap;

/// Schedules a problem in which the same frequencies and the same capacities come up again and again.
///
/// Rows of the same frequency, and slots of the same capacity, are interchangeable. So a pattern with a `copies`-th of
/// the rows of every frequency and of the slots of every capacity is scheduled with all effort and used `copies` times;
/// what the division leaves is treated in the same way, until the rest is small enough to be scheduled as it is. Every
/// round divides the rest by about five, so that the time hardly depends on the number of people.
///
/// Patterns of many lines have the proportions of the whole; those of few are scheduled better. None where too few
/// lines are alike for any pattern.
pub(super) fn replicate(
    problem: &Plain,
    lines_of_pattern: usize,
    seed: u64,
    patience: &Patience,
    dice: &mut impl Rng,
) -> Option<Schedule> {
    let mut rest = Lines::new(problem);
    let mut rows = vec![Vec::new(); problem.frequencies.len()];
    let effort = |problem: &Plain| {
        let lines = lines(problem) as u64;
        Effort { first: lines * 800, total: lines * 2400 }
    };
    let mut is_first = true;
    while rest.number() > lines_of_pattern {
        let Some((pattern, copies)) = rest.pattern(lines_of_pattern, dice) else {
            if is_first {
                return None;
            }
            break;
        };
        is_first = false;
        let schedule = part::schedule(&pattern, effort(&pattern), seed, patience, dice);
        for _ in 0..copies {
            let part = rest.take(&pattern);
            part.place(&schedule, &mut rows);
        }
    }
    let part = rest.into_part();
    if !part.rows.is_empty() {
        let problem = part.problem(problem);
        part.place(&part::schedule(&problem, effort(&problem), seed, patience, dice), &mut rows);
    }
    for row in &mut rows {
        row.sort_unstable();
    }
    Some(Schedule { rows })
}

/// Rows and slots of a problem by their numbers of people and places.
struct Lines {
    rows_of: BTreeMap<u64, Vec<usize>>,
    slots_of: BTreeMap<u64, Vec<usize>>,
    slack: u64,
}

impl Lines {
    fn new(problem: &Plain) -> Self {
        let by_number = |numbers: &[u64]| {
            let mut lines: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for (line, &number) in numbers.iter().enumerate() {
                lines.entry(number).or_default().push(line);
            }
            lines
        };
        Self {
            rows_of: by_number(&problem.frequencies),
            slots_of: by_number(&problem.capacities),
            slack: problem.slack(),
        }
    }

    fn number(&self) -> usize {
        self.rows_of.values().chain(self.slots_of.values()).map(Vec::len).sum()
    }

    /// A small problem that can be cut out of this one several times, and how often; none if too few lines are alike.
    fn pattern(&self, wanted: usize, dice: &mut impl Rng) -> Option<(Plain, u64)> {
        let copies = self.number() / wanted;
        if copies < 2 {
            return None;
        }
        let share = |lines: &BTreeMap<u64, Vec<usize>>| -> Vec<u64> {
            lines.iter().flat_map(|(&number, lines)| std::iter::repeat_n(number, lines.len() / copies)).collect()
        };
        let mut pattern = Plain { frequencies: share(&self.rows_of), capacities: share(&self.slots_of) };
        // Lines that are removed to balance the pattern are left over in every copy: they had better be of all sizes.
        pattern.frequencies.shuffle(dice);
        pattern.capacities.shuffle(dice);
        if pattern.frequencies.is_empty() || !balance(&mut pattern, self.slack / copies as u64) {
            return None;
        }
        let is_worth_it = lines(&pattern) * 4 > wanted;
        is_worth_it.then_some((pattern, copies as u64))
    }

    /// Cuts out the lines of a pattern, in its order.
    fn take(&mut self, pattern: &Plain) -> Part {
        let pop = |lines: &mut BTreeMap<u64, Vec<usize>>, numbers: &[u64]| -> Vec<usize> {
            numbers.iter().filter_map(|number| lines.get_mut(number)?.pop()).collect()
        };
        self.slack -= pattern.slack();
        Part { rows: pop(&mut self.rows_of, &pattern.frequencies), slots: pop(&mut self.slots_of, &pattern.capacities) }
    }

    fn into_part(self) -> Part {
        let all = |lines: BTreeMap<u64, Vec<usize>>| lines.into_values().flatten().collect();
        Part { rows: all(self.rows_of), slots: all(self.slots_of) }
    }
}

/// Removes rows and slots until there is room for everybody and at most so much slack; false if that was not found.
fn balance(pattern: &mut Plain, most_slack: u64) -> bool {
    let places: u64 = pattern.capacities.iter().sum();
    let mut people: u64 = pattern.frequencies.iter().sum();
    while people > places {
        let Some(row) = pattern.frequencies.pop() else { return false };
        people -= row;
    }
    if places - people <= most_slack {
        return true;
    }
    // One row less gives other sums to remove slots for.
    let rows: Vec<u64> = pattern.frequencies.clone();
    let choices = std::iter::once(None).chain((0..rows.len()).rev().map(Some));
    for without in choices.take(20) {
        let excess = places - people + without.map_or(0, |row| rows[row]);
        if let Some(removed) = subset(&pattern.capacities, excess.saturating_sub(most_slack)..=excess) {
            let mut at = 0;
            pattern.capacities.retain(|_| {
                at += 1;
                !removed[at - 1]
            });
            if let Some(row) = without {
                pattern.frequencies.remove(row);
            }
            return true;
        }
    }
    false
}

/// Which of some numbers add up to a sum in a range, the largest such sum; by the table of all sums.
fn subset(numbers: &[u64], range: std::ops::RangeInclusive<u64>) -> Option<Vec<bool>> {
    const MOST: u64 = 1 << 14;
    if *range.end() > MOST {
        return None;
    }
    let most = *range.end() as usize;
    // the first number with which a sum is reached; number 0 stands for none
    let mut reached_with = vec![None; most + 1];
    reached_with[0] = Some(usize::MAX);
    for (at, &number) in numbers.iter().enumerate().filter(|&(_, &number)| number <= most as u64) {
        for sum in (number as usize..=most).rev() {
            if reached_with[sum].is_none() && reached_with[sum - number as usize].is_some() {
                reached_with[sum] = Some(at);
            }
        }
    }
    let mut sum = (*range.start() as usize..=most).rev().find(|&sum| reached_with[sum].is_some())?;
    let mut chosen = vec![false; numbers.len()];
    while sum > 0 {
        let at = reached_with[sum]?;
        chosen[at] = true;
        sum -= numbers[at] as usize;
    }
    Some(chosen)
}
