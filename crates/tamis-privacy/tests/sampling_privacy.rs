//! k from epsilon and delta against the definition: the formula summed term by term, and the outputs of the whole mechanism enumerated.

use proptest::prelude::*;
use std::collections::BTreeMap;
use tamis_privacy::sampling_privacy::{BETA_STEP, SamplingError, delta_of, k_for, largest_beta, plan};

/// The probabilities of 0..=n rows out of n, by adding one row after the other.
fn binomial(n: usize, beta: f64) -> Vec<f64> {
    let mut row = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; row.len() + 1];
        for (j, probability) in row.iter().enumerate() {
            next[j] += probability * (1.0 - beta);
            next[j + 1] += probability * beta;
        }
        row = next;
    }
    row
}

/// delta(k) term by term, over so many n that the rest cannot matter.
fn delta_by_definition(k: u64, beta: f64, epsilon: f64) -> f64 {
    let gamma = (epsilon.exp() - 1.0 + beta) / epsilon.exp();
    let least = (k as f64 / gamma - 1.0).ceil() as usize;
    (least.max(1)..least + 250)
        .map(|n| {
            let first = (gamma * n as f64).floor() as usize + 1;
            binomial(n, beta).get(first..).map_or(0.0, |tail| tail.iter().sum())
        })
        .fold(0.0, f64::max)
}

/// What is told of a class of n rows: its size from k on, else nothing, which is 0.
fn told(n: usize, beta: f64, k: usize) -> Vec<f64> {
    let mut told = vec![0.0; n + 1];
    for (j, probability) in binomial(n, beta).into_iter().enumerate() {
        told[if j >= k { j } else { 0 }] += probability;
    }
    told
}

/// The least delta for which one distribution is within e^epsilon of another.
fn least_delta(left: &[f64], right: &[f64], epsilon: f64) -> f64 {
    let excess = |(j, p): (usize, &f64)| (p - epsilon.exp() * right.get(j).copied().unwrap_or(0.0)).max(0.0);
    left.iter().enumerate().map(excess).sum()
}

#[test]
fn delta_is_the_sum_of_its_definition() {
    for epsilon in [0.2, 0.5, 1.0, 2.0] {
        for beta in [largest_beta(epsilon), largest_beta(epsilon) / 3.0, 0.05] {
            for k in [1, 2, 3, 5, 10, 25] {
                let (found, expected) = (delta_of(k, beta, epsilon), delta_by_definition(k, beta, epsilon));
                assert!(found >= expected, "epsilon {epsilon}, beta {beta}, k {k}: {found} is below {expected}");
                assert!(found <= expected * (1.0 + 1e-6), "epsilon {epsilon}, beta {beta}, k {k}: {found} {expected}");
            }
        }
    }
}

#[test]
fn one_person_more_or_less_changes_the_released_class_within_epsilon_and_delta() {
    for epsilon in [0.3_f64, 1.0, 2.0] {
        let beta = largest_beta(epsilon);
        for k in 1..12 {
            let delta = delta_of(k, beta, epsilon);
            for n in 1..150 {
                let (with, without) = (told(n, beta, k as usize), told(n - 1, beta, k as usize));
                assert!(least_delta(&with, &without, epsilon) <= delta, "with: epsilon {epsilon}, k {k}, n {n}");
                assert!(least_delta(&without, &with, epsilon) <= 1e-12, "without: epsilon {epsilon}, k {k}, n {n}");
            }
        }
    }
}

/// The distribution of what is released of a tiny table, by going through every sample that could be drawn.
fn releases(table: &[usize], classes: usize, beta: f64, k: usize) -> BTreeMap<Vec<usize>, f64> {
    let mut releases = BTreeMap::new();
    for sample in 0..1_u32 << table.len() {
        let mut sizes = vec![0; classes];
        let kept = table.iter().enumerate().filter(|(row, _)| sample >> row & 1 == 1);
        kept.for_each(|(_, &class)| sizes[class] += 1);
        sizes.iter_mut().filter(|size| **size < k).for_each(|size| *size = 0);
        let ones = i32::try_from(sample.count_ones()).expect("few rows");
        let zeros = i32::try_from(table.len()).expect("few rows") - ones;
        *releases.entry(sizes).or_insert(0.0) += beta.powi(ones) * (1.0 - beta).powi(zeros);
    }
    releases
}

#[test]
fn releases_of_neighbouring_tiny_tables_are_within_epsilon_and_delta() {
    let (epsilon, k) = (1.0_f64, 2);
    let beta = largest_beta(epsilon);
    let delta = delta_of(k, beta, epsilon);
    for code in 0..3_usize.pow(7) {
        let table: Vec<usize> = (0..7).map(|place| code / 3_usize.pow(place) % 3).collect();
        if !table.is_sorted() {
            continue;
        }
        let with = releases(&table, 3, beta, k as usize);
        for absent in 0..table.len() {
            let others: Vec<usize> = (0..table.len()).filter(|&row| row != absent).map(|row| table[row]).collect();
            let without = releases(&others, 3, beta, k as usize);
            let excess = |left: &BTreeMap<Vec<usize>, f64>, right: &BTreeMap<Vec<usize>, f64>| -> f64 {
                left.iter().map(|(r, p)| (p - epsilon.exp() * right.get(r).copied().unwrap_or(0.0)).max(0.0)).sum()
            };
            assert!(excess(&with, &without) <= delta, "{table:?} without row {absent}");
            assert!(excess(&without, &with) <= 1e-12, "{table:?} without row {absent}");
        }
    }
}

#[test]
fn a_larger_beta_than_epsilon_allows_is_not_private() {
    let epsilon = 0.5_f64;
    let beta = largest_beta(epsilon) + 0.05;
    assert!(least_delta(&told(0, beta, 1), &told(1, beta, 1), epsilon) > 0.05);
    assert!(matches!(plan(epsilon, 1e-6, Some(beta)), Err(SamplingError::Beta { .. })));
}

#[test]
fn usual_parameters_have_these_k() {
    let k = |epsilon, delta| k_for(epsilon, delta, None).expect("parameters in range");
    for (epsilon, delta) in [(1.0, 1e-3), (1.0, 1e-5), (2.0, 1e-4), (0.5, 1e-4)] {
        let beta = largest_beta(epsilon);
        let by_definition = (1..1000).find(|&k| delta_by_definition(k, beta, epsilon) <= delta).expect("some k");
        assert_eq!(k(epsilon, delta), by_definition, "epsilon {epsilon}, delta {delta}");
    }
}

#[test]
fn extreme_parameters_end() {
    for (epsilon, delta) in [(0.001, 1e-6), (10.0, 1e-6), (1.0, 1e-100), (1.0, 0.9)] {
        let plan = plan(epsilon, delta, None).expect("parameters in range");
        assert!(plan.delta <= delta && plan.k >= 1, "{epsilon}, {delta}: {plan:?}");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 11.0] {
        assert!(matches!(plan(epsilon, 1e-6, None), Err(SamplingError::Epsilon(_))), "{epsilon}");
    }
    for delta in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(matches!(plan(1.0, delta, None), Err(SamplingError::Delta(_))), "{delta}");
    }
    for beta in [0.0, -0.5, 0.64, 1.0, f64::NAN] {
        assert!(matches!(plan(1.0, 1e-6, Some(beta)), Err(SamplingError::Beta { .. })), "{beta}");
    }
    let error = plan(1.0, 1e-6, Some(0.9)).expect_err("a beta too large").to_string();
    assert!(error.contains("beta is 0.9") && error.contains("at most 0.632"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn delta_never_grows_with_k(epsilon in 0.1f64..3.0, share in 0.05f64..1.0, k in 1u64..40) {
        let beta = ((largest_beta(epsilon) * share) / BETA_STEP).floor() * BETA_STEP;
        prop_assert!(delta_of(k + 1, beta, epsilon) <= delta_of(k, beta, epsilon));
    }

    #[test]
    fn the_k_of_a_plan_is_the_smallest(epsilon in 0.1f64..3.0, digits in 1i32..9) {
        let delta = 10f64.powi(-digits);
        let plan = plan(epsilon, delta, None).expect("parameters in range");
        prop_assert!(plan.delta <= delta);
        prop_assert!(plan.k == 1 || delta_of(plan.k - 1, plan.beta, epsilon) > delta);
        let (numerator, denominator) = plan.beta_fraction();
        prop_assert_eq!(numerator as f64 / denominator as f64, plan.beta);
    }
}

#[test]
fn the_documented_k_are_those_of_the_plan() {
    let page = include_str!("../../../docs/reference/mechanisms.md");
    let below = page.split_once("| epsilon | beta |").expect("the table").1;
    let rows: Vec<&str> = below.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let cells: Vec<f64> =
            row.trim_matches('|').split('|').map(|cell| cell.trim().parse().expect("a number")).collect();
        let [epsilon, beta, ref ks @ ..] = cells[..] else { panic!("too few columns: {row}") };
        assert_eq!((largest_beta(epsilon) * 1e4).round(), (beta * 1e4).round(), "{row}");
        for (k, delta) in ks.iter().zip([1e-4, 1e-5, 1e-6, 1e-7]) {
            assert_eq!(k_for(epsilon, delta, None).ok(), Some(*k as u64), "{row}, delta {delta}");
        }
    }
}
