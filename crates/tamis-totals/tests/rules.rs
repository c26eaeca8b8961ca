//! Every rule against its definition, written down slowly from sorted contributions.

use proptest::prelude::*;
use tamis_totals::{Contribution, Dominance, Facts, PriorPosterior, Rules};

/// The facts of a cell from its contributions.
fn facts(contributions: &[f64]) -> Facts {
    let mut sizes: Vec<f64> = contributions.iter().map(|value| value.abs()).collect();
    sizes.sort_by(|left, right| right.total_cmp(left));
    Facts {
        value: contributions.iter().sum(),
        size: sizes.iter().sum(),
        frequency: Some(sizes.len() as f64),
        respondents: Some(sizes.len() as f64),
        top: sizes.into_iter().map(|size| Contribution { size, weight: 1.0 }).collect(),
        requested: None,
    }
}

fn level(rules: &Rules, contributions: &[f64]) -> Option<f64> {
    rules.hits(&facts(contributions)).first().and_then(|(_, level)| *level)
}

#[test]
fn by_hand() {
    // 60 + 25 of 100 is 85 percent.
    let contributions = [25.0, 60.0, 10.0, 5.0];
    let dominance = |n, k| Rules { dominance: vec![Dominance { n, k }], ..Rules::default() };
    assert_eq!(level(&dominance(2, 85.0), &contributions), None, "85 is not more than 85");
    let over = level(&dominance(2, 80.0), &contributions).expect("85 is more than 80");
    assert!((over - 6.25).abs() < 1e-9, "100/80 * 85 - 100 = 6.25, not {over}");
    let p = |p, n| Rules { prior_posterior: vec![PriorPosterior { p, q: 100.0, n }], ..Rules::default() };
    // The second knows 25 and takes the rest, 15, for an error: more than 20% of 60.
    assert_eq!(level(&p(20.0, 1), &contributions), None);
    let near = level(&p(30.0, 1), &contributions).expect("15 is within 30% of 60");
    assert!((near - 3.0).abs() < 1e-9, "0.3 * 60 + 85 - 100 = 3, not {near}");
    let both = level(&p(20.0, 2), &contributions).expect("two know 35, 5 is within 20% of 60");
    assert!((both - 7.0).abs() < 1e-9, "0.2 * 60 + 95 - 100 = 7, not {both}");
    let pq = Rules { prior_posterior: vec![PriorPosterior { p: 15.0, q: 50.0, n: 1 }], ..Rules::default() };
    let near = level(&pq, &contributions).expect("p/q = 0.3");
    assert!((near - 3.0).abs() < 1e-9);
    let few = Rules { min_frequency: Some(5.0), ..Rules::default() };
    assert_eq!(few.hits(&facts(&contributions)), [("fewer than 5 contributors".to_owned(), None)]);
    assert!(Rules { min_frequency: Some(4.0), ..Rules::default() }.hits(&facts(&contributions)).is_empty());
    assert!(few.hits(&facts(&[])).is_empty(), "empty cells are published");
}

/// The slow definition: the attacker's estimate, not the formula of the level.
fn dominates(contributions: &[f64], n: usize, k: f64) -> bool {
    let mut sorted: Vec<f64> = contributions.to_vec();
    sorted.sort_by(|left, right| right.total_cmp(left));
    let total: f64 = sorted.iter().sum();
    sorted.iter().take(n).sum::<f64>() > k / 100.0 * total
}

fn estimates(contributions: &[f64], p: f64, q: f64, n: usize) -> bool {
    let mut sorted: Vec<f64> = contributions.to_vec();
    sorted.sort_by(|left, right| right.total_cmp(left));
    let rest: f64 = sorted.iter().skip(n + 1).sum();
    sorted.first().is_some_and(|largest| q / 100.0 * rest < p / 100.0 * largest)
}

proptest! {
    #[test]
    fn dominance_is_its_definition(values in prop::collection::vec(1u32..1000, 1..12), n in 1u32..5, k in 1u32..100) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let k = f64::from(k) + 0.137;
        let rules = Rules { dominance: vec![Dominance { n, k }], ..Rules::default() };
        let found = level(&rules, &values);
        prop_assert_eq!(found.is_some(), dominates(&values, n as usize, k));
        if let Some(found) = found {
            // At a total larger by the level the rule is just met.
            let largest = facts(&values).largest(n);
            let total: f64 = values.iter().sum();
            prop_assert!((largest - k / 100.0 * (total + found)).abs() < 1e-6 * total);
        }
    }

    #[test]
    fn estimates_are_their_definition(values in prop::collection::vec(1u32..1000, 1..12), n in 1u32..4, p in 1u32..60, more in 0u32..50) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let (p, q) = (f64::from(p) + 0.0713, f64::from(p + more + 1) + 0.0291);
        let rules = Rules { prior_posterior: vec![PriorPosterior { p, q, n }], ..Rules::default() };
        prop_assert_eq!(level(&rules, &values).is_some(), estimates(&values, p, q, n as usize));
    }

    #[test]
    fn whole_weights_are_repeated_contributions(values in prop::collection::vec((1u32..100, 1u32..4), 1..8), n in 1u32..9) {
        let mut sorted = values.clone();
        sorted.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
        let top = sorted.iter().map(|&(size, weight)| Contribution { size: f64::from(size), weight: f64::from(weight) });
        let weighted = Facts { top: top.collect(), ..Facts::default() };
        let mut repeated: Vec<u32> = values.iter().flat_map(|&(size, weight)| vec![size; weight as usize]).collect();
        repeated.sort_unstable_by(|left, right| right.cmp(left));
        let sum: u32 = repeated.iter().take(n as usize).sum();
        prop_assert_eq!(weighted.largest(n), f64::from(sum));
    }
}
