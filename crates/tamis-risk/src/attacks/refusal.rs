//! What follows from a refusal: a minimal release tells that everything finer was refused.
//!
//! The private table is unknown but for the release, which it must lead to. The release falls into parts that are independent of each
//! other as far as the release tells; each part could have come about in several *ways*, each with a weight. The private table is a way
//! for every part. What was refused are the transformations one step finer; each has a bit. A way sets the bits of those
//! transformations that its part makes fail, and a private table leads to the release if together its ways set all bits.

use super::error::setting;
use super::{AttackError, Labels, LabelsByColumn};
use std::collections::HashMap;
use tamis_table::Column;

/// More refused transformations than this would make the sets of them too many.
const MOST_REFUSALS: usize = 12;

/// Which refused transformations fail.
pub(crate) type Mask = u32;

/// One way in which a part of the release can have come about.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// The refused transformations that fail if this is how it was.
    pub(crate) fails: Mask,
    /// How many private tables, or how likely.
    pub(crate) weight: f64,
    /// What the attack counts in this part.
    pub(crate) counts: Vec<u32>,
}

/// The probability of every way of every part, given that every one of `refused` transformations fails; `None` if that cannot be.
///
/// Linear in the ways, and quadratic in the sets of failing transformations that occur, at most 2^refused.
pub(crate) fn probabilities(parts: &[Vec<Way>], refused: usize) -> Result<Option<Vec<Vec<f64>>>, AttackError> {
    if refused > MOST_REFUSALS {
        return Err(setting(format!(
            "{refused} columns are generalized, more than the {MOST_REFUSALS} that can be thought through; try fewer quasi-identifiers"
        )));
    }
    let all: Mask = (1 << refused) - 1;
    let own: Vec<HashMap<Mask, f64>> = parts.iter().map(|ways| failing_sets(ways)).collect();
    let mut before = vec![HashMap::from([(0, 1.0)])];
    for sets in &own {
        before.push(union(before.last().unwrap_or(&HashMap::new()), sets));
    }
    let mut after = HashMap::from([(0, 1.0)]);
    let mut result = vec![Vec::new(); parts.len()];
    for (position, ways) in parts.iter().enumerate().rev() {
        let others = union(&before[position], &after);
        let completes: HashMap<Mask, f64> = own[position]
            .keys()
            .map(|&mask| {
                (mask, others.iter().filter(|(other, _)| (*other | mask) & all == all).map(|(_, weight)| weight).sum())
            })
            .collect();
        let total: f64 = ways.iter().map(|way| way.weight).sum();
        let joint: Vec<f64> = ways.iter().map(|way| way.weight / total * completes[&way.fails]).collect();
        let evidence: f64 = joint.iter().sum();
        if evidence <= 0.0 || evidence.is_nan() {
            return Ok(None);
        }
        result[position] = joint.iter().map(|weight| weight / evidence).collect();
        after = union(&after, &own[position]);
    }
    Ok(Some(result))
}

/// The same for parts that were refused on their own, each with its own number of refused transformations.
pub(crate) fn separate_probabilities(
    parts: &[Vec<Way>],
    refused: impl Iterator<Item = usize>,
) -> Result<Option<Vec<Vec<f64>>>, AttackError> {
    let mut result = Vec::new();
    for (part, refused) in parts.iter().zip(refused) {
        let Some(own) = probabilities(std::slice::from_ref(part), refused)? else { return Ok(None) };
        result.extend(own);
    }
    Ok(Some(result))
}

/// How likely each set of transformations fails because of one part.
fn failing_sets(ways: &[Way]) -> HashMap<Mask, f64> {
    let total: f64 = ways.iter().map(|way| way.weight).sum();
    let mut sets = HashMap::new();
    for way in ways {
        *sets.entry(way.fails).or_insert(0.0) += way.weight / total;
    }
    sets
}

fn union(left: &HashMap<Mask, f64>, right: &HashMap<Mask, f64>) -> HashMap<Mask, f64> {
    let mut both = HashMap::new();
    for (a, p) in left {
        for (b, q) in right {
            *both.entry(a | b).or_insert(0.0) += p * q;
        }
    }
    both
}

/// The factorial as a double; exact up to 22.
pub(crate) fn factorial(n: u32) -> f64 {
    (2..=n).map(f64::from).product()
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
                let weight: f64 = ways().map(|way| way.weight).product();
                chosen.iter().zip(&mut weights).for_each(|(&way, weights)| weights[way] += weight);
            }
        }
        let total: f64 = weights[0].iter().sum();
        weights.iter().map(|ways| ways.iter().map(|weight| weight / total).collect()).collect()
    }

    #[test]
    fn the_probabilities_are_those_of_the_enumeration() -> Result<(), super::AttackError> {
        let way = |fails, weight| Way { fails, weight, counts: Vec::new() };
        let parts = [
            vec![way(0, 3.0), way(1, 2.0), way(6, 0.5)],
            vec![way(0, 1.0), way(3, 2.0), way(4, 2.0)],
            vec![way(2, 1.0), way(0, 9.0)],
        ];
        let found = probabilities(&parts, 3)?.unwrap_or_default();
        let expected = by_enumeration(&parts, 7);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
        assert_eq!(probabilities(&[vec![way(1, 1.0)]], 2)?, None);
        Ok(())
    }
}
