//! What follows from a refusal: a minimal release tells that everything finer was refused.
//!
//! The private table is unknown but for the release, which it must lead to. The release falls into parts that are independent of each
//! other as far as the release tells; each part could have come about in several *ways*, each with a weight. The private table is a way
//! for every part. What was refused are the transformations one step finer; each has a bit. A way sets the bits of those
//! transformations that its part makes fail, and a private table leads to the release if together its ways set all bits.

use super::error::setting;
use super::{AttackError, Labels, LabelsByColumn};
use std::collections::BTreeMap;
use tamis_table::Column;

/// More refused transformations than this would make the sets of them too many.
const MOST_REFUSALS: usize = 8;

/// The largest number of ways in which a part may have come about.
const MOST_WAYS: u64 = 200_000;

/// More counts than this, over all ways of all parts, would fill the memory.
const MOST_COUNTS: u64 = 20_000_000;

/// Which refused transformations fail.
pub(crate) type Mask = u32;

/// One way in which a part of the release can have come about.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// The refused transformations that fail if this is how it was.
    pub(crate) fails: Mask,
    /// The logarithm of how many private tables, or how likely. Logarithms, since what is improbable must not become impossible.
    pub(crate) weight: f64,
    /// What the attack counts in this part.
    pub(crate) counts: Vec<u32>,
}

/// What is known of each way of each part: its probability, `None` if it cannot be.
pub(crate) type Posterior = Vec<Vec<Option<f64>>>;

/// Logarithms of weights of sets of failing transformations, in an order that does not change from run to run.
type Sets = BTreeMap<Mask, f64>;

/// The probability of every way of every part, given that every one of `refused` transformations fails; `None` if that cannot be.
///
/// Linear in the ways, and quadratic in the sets of failing transformations that occur, at most 2^refused.
pub(crate) fn probabilities(parts: &[Vec<Way>], refused: usize) -> Result<Option<Posterior>, AttackError> {
    if refused > MOST_REFUSALS {
        return Err(setting(format!(
            "{refused} columns are generalized, more than the {MOST_REFUSALS} that can be thought through; try fewer quasi-identifiers"
        )));
    }
    let all: Mask = (1 << refused) - 1;
    let own: Vec<Sets> = parts.iter().map(|ways| failing_sets(ways)).collect();
    let mut before = vec![Sets::from([(0, 0.0)])];
    for sets in &own {
        before.push(union(before.last().unwrap_or(&Sets::new()), sets));
    }
    let mut after = Sets::from([(0, 0.0)]);
    let mut result = vec![Vec::new(); parts.len()];
    for (position, ways) in parts.iter().enumerate().rev() {
        let others = union(&before[position], &after);
        let completing = |mask: Mask| others.iter().filter(move |(other, _)| (*other | mask) & all == all);
        let completes: Sets =
            own[position].keys().map(|&mask| (mask, sum(completing(mask).map(|(_, &weight)| weight)))).collect();
        let joint: Vec<f64> = ways.iter().map(|way| way.weight + completes[&way.fails]).collect();
        let evidence = sum(joint.iter().copied());
        if evidence == f64::NEG_INFINITY {
            return Ok(None);
        }
        let is_possible = |weight: &f64| *weight > f64::NEG_INFINITY;
        result[position] = joint
            .iter()
            .map(|weight| Some(weight).filter(|weight| is_possible(weight)).map(|weight| (weight - evidence).exp()))
            .collect();
        after = union(&after, &own[position]);
    }
    Ok(Some(result))
}

/// The same for parts that were refused on their own, each with its own number of refused transformations.
pub(crate) fn separate_probabilities(
    parts: &[Vec<Way>],
    refused: impl Iterator<Item = usize>,
) -> Result<Option<Posterior>, AttackError> {
    let mut result = Vec::new();
    for (part, refused) in parts.iter().zip(refused) {
        let Some(own) = probabilities(std::slice::from_ref(part), refused)? else { return Ok(None) };
        result.extend(own);
    }
    Ok(Some(result))
}

/// The largest number of ways in which a part may have come about, if each of them counts this many things.
pub(crate) fn most_ways(counts: usize) -> u64 {
    MOST_WAYS.min(MOST_COUNTS / counts.max(1) as u64)
}

/// All parts so far, as long as memory holds their ways.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) ways: Vec<Vec<Way>>,
    counts: u64,
}

impl Parts {
    pub(crate) fn push(&mut self, ways: Vec<Way>) -> Result<(), AttackError> {
        self.counts += ways.iter().map(|way| way.counts.len() as u64).sum::<u64>();
        self.ways.push(ways);
        if self.counts > MOST_COUNTS {
            return Err(setting(
                "the release could have come about in too many ways to think through; try the attack on fewer rows or columns, or on coarser values",
            ));
        }
        Ok(())
    }
}

/// How likely each set of transformations fails because of one part.
fn failing_sets(ways: &[Way]) -> Sets {
    let mut sets = Sets::new();
    for way in ways {
        add(&mut sets, way.fails, way.weight);
    }
    let total = sum(sets.values().copied());
    for weight in sets.values_mut() {
        *weight -= total;
    }
    sets
}

fn union(left: &Sets, right: &Sets) -> Sets {
    let mut both = Sets::new();
    for (a, p) in left {
        for (b, q) in right {
            add(&mut both, a | b, p + q);
        }
    }
    both
}

fn add(sets: &mut Sets, mask: Mask, weight: f64) {
    let sum = sets.entry(mask).or_insert(f64::NEG_INFINITY);
    *sum = log_add(*sum, weight);
}

/// The logarithm of a sum, from the logarithms of its terms.
fn sum(logarithms: impl Iterator<Item = f64>) -> f64 {
    logarithms.fold(f64::NEG_INFINITY, log_add)
}

fn log_add(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

/// The logarithms of the factorials from 0 to n.
pub(crate) fn log_factorials(n: u64) -> Vec<f64> {
    let mut logarithms = vec![0.0];
    for number in 1..=n {
        logarithms.push(logarithms[number as usize - 1] + (number as f64).ln());
    }
    logarithms
}

/// The level that a whole column is on: the lowest on which all its texts are labels.
pub(crate) fn level_of_column(column: &Column, labels: &LabelsByColumn) -> Result<usize, AttackError> {
    let Some(labels) = labels.get(column.name()) else { return Ok(0) };
    let mut common: Option<Vec<usize>> = None;
    for text in column.dictionary().iter() {
        let levels = listed_levels(labels, column.name(), text)?;
        common = Some(match common {
            None => levels,
            Some(common) => common.into_iter().filter(|level| levels.contains(level)).collect(),
        });
    }
    common.and_then(|levels| levels.first().copied()).ok_or_else(|| {
        setting(format!(
            "`{}` has labels of different levels, so it was not recoded as a whole column; try the attack with local recoding",
            column.name()
        ))
    })
}

/// The levels of a released text, which the hierarchy must list.
pub(crate) fn listed_levels(labels: &Labels, column: &str, text: &str) -> Result<Vec<usize>, AttackError> {
    let levels = labels.levels_of(text);
    if levels.is_empty() {
        return Err(setting(format!(
            "the hierarchy of `{column}` does not have `{text}` on any level; give the hierarchy that the release was made with"
        )));
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::{Mask, Way, probabilities};

    /// The definition: every combination of ways, kept if all bits are set.
    fn by_enumeration(parts: &[Vec<Way>], all: Mask) -> Vec<Vec<f64>> {
        let mut weights: Vec<Vec<f64>> = parts.iter().map(|ways| vec![0.0; ways.len()]).collect();
        let combinations: usize = parts.iter().map(Vec::len).product();
        for mut number in 0..combinations {
            let mut chosen = Vec::new();
            for ways in parts {
                chosen.push(number % ways.len());
                number /= ways.len();
            }
            let ways = || chosen.iter().zip(parts).map(|(&way, ways)| &ways[way]);
            if ways().fold(0, |mask, way| mask | way.fails) == all {
                let weight: f64 = ways().map(|way| way.weight.exp()).product();
                chosen.iter().zip(&mut weights).for_each(|(&way, weights)| weights[way] += weight);
            }
        }
        let total: f64 = weights[0].iter().sum();
        weights.iter().map(|ways| ways.iter().map(|weight| weight / total).collect()).collect()
    }

    #[test]
    fn the_probabilities_are_those_of_the_enumeration() -> Result<(), super::AttackError> {
        let way = |fails, weight: f64| Way { fails, weight: weight.ln(), counts: Vec::new() };
        let parts = [
            vec![way(0, 3.0), way(1, 2.0), way(6, 0.5)],
            vec![way(0, 1.0), way(3, 2.0), way(4, 2.0)],
            vec![way(2, 1.0), way(0, 9.0)],
        ];
        let found = probabilities(&parts, 3)?.unwrap_or_default();
        let expected = by_enumeration(&parts, 7);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found.unwrap_or(0.0) - expected).abs() < 1e-12, "{found:?} is not {expected}");
            assert_eq!(found.is_some(), *expected > 0.0);
        }
        assert_eq!(probabilities(&[vec![way(1, 1.0)]], 2)?, None);
        Ok(())
    }

    #[test]
    fn the_improbable_is_not_impossible() -> Result<(), super::AttackError> {
        let way = |fails, weight| Way { fails, weight, counts: Vec::new() };
        let ways = vec![way(0, 0.0), way(1, -5000.0), way(1, -9000.0)];
        assert_eq!(probabilities(&[ways], 1)?, Some(vec![vec![None, Some(1.0), Some(0.0)]]));
        Ok(())
    }
}
