//! Counts of at least 0 with the same total: against all such counts.

use proptest::prelude::*;
use tamis_mechanism::PostProcessing;

/// Every way to write `total` as `parts` whole numbers of at least 0.
fn compositions(total: i64, parts: usize) -> Vec<Vec<i64>> {
    if parts == 1 {
        return vec![vec![total]];
    }
    let first = |first: i64| {
        let rest = compositions(total - first, parts - 1).into_iter();
        rest.map(move |rest| [&[first][..], &rest].concat())
    };
    (0..=total).flat_map(first).collect()
}

fn distance(left: &[i64], right: &[i64]) -> i64 {
    left.iter().zip(right).map(|(left, right)| (left - right).pow(2)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn kept_totals_are_the_nearest_counts(noisy in prop::collection::vec(-6i64..8, 1..5)) {
        let told = PostProcessing::KeepTotal.apply(&noisy);
        let total = noisy.iter().sum::<i64>().max(0);
        prop_assert!(told.iter().all(|&count| count >= 0));
        prop_assert_eq!(told.iter().sum::<i64>(), total);
        if noisy.iter().sum::<i64>() >= 0 {
            let nearest = compositions(total, noisy.len()).iter().map(|counts| distance(counts, &noisy)).min();
            prop_assert_eq!(Some(distance(&told, &noisy)), nearest);
        }
    }

    #[test]
    fn clamped_counts_are_the_nearest_of_at_least_0(noisy in prop::collection::vec(-6i64..8, 0..5)) {
        let told = PostProcessing::Clamp.apply(&noisy);
        let expected: Vec<i64> = noisy.iter().map(|&count| if count < 0 { 0 } else { count }).collect();
        prop_assert_eq!(told, expected);
    }
}

#[test]
fn extreme_counts_have_room() {
    for post_processing in [PostProcessing::None, PostProcessing::Clamp, PostProcessing::KeepTotal] {
        assert_eq!(post_processing.apply(&[i64::MAX, i64::MIN, 0, i64::MAX]).len(), 4);
        assert!(post_processing.apply(&[]).is_empty());
    }
}
