//! Tables so large that products of two counts need more than 32, or more than 64, bits.

use crate::common;

use common::mover::{equal, facts, hierarchical, ordered, tree};
use common::{class, model, whole};
use proptest::prelude::*;
use tamis_privacy::models::t_closeness::{Distance, Mover};
use tamis_privacy::{Class, TableFacts};

/// Shares of a class and of the rest of the table, to be scaled to its rows.
fn shares() -> impl Strategy<Value = (Vec<u32>, Vec<u32>, Vec<Vec<u32>>)> {
    (2usize..9).prop_flat_map(|values| {
        (
            prop::collection::vec(0u32..1000, values),
            prop::collection::vec(1u32..1000, values),
            prop::collection::vec(prop::collection::vec(0u32..4, values), 0..4),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn distances_of_five_million_and_four_billion_rows_are_exact(
        (inside, outside, choices) in shares(), rows in prop::sample::select(vec![5_000_000u64, 4_000_000_000]),
    ) {
        prop_assume!(inside.iter().any(|&share| share > 0));
        let all: u64 = inside.iter().chain(&outside).map(|&share| u64::from(share)).sum();
        let scale = |share: u32| u64::from(share) * rows / all + u64::from(share) % 7;
        let counts: Vec<u32> = inside.iter().map(|&share| u32::try_from(scale(share)).unwrap()).collect();
        let totals: Vec<u64> = inside.iter().zip(&outside).map(|(&in_, &out)| scale(in_) + scale(out)).collect();
        let order: Vec<u32> = (0..counts.len() as u32).collect();
        let tree = tree(counts.len(), &choices);
        let facts = facts(&totals, order.clone(), Some(tree.clone()));
        let expected = [
            (Distance::Equal, equal(&counts, &totals)),
            (Distance::Ordered, ordered(&counts, &totals, &order)),
            (Distance::Hierarchical, hierarchical(&counts, &totals, &tree)),
        ];
        for (distance, (num, den)) in expected {
            let found = Mover::new(distance, &facts.sensitive[0]).unwrap().distance(&counts);
            let exact = num as f64 / den as f64;
            prop_assert!((found - exact).abs() <= 4e-16 * exact, "{distance:?}: {found} for {exact}");
            // t a little below and above the distance.
            let at = |t: f64| {
                let t = [("t", t.into()), ("distance", distance.name().into())];
                model("t-closeness", &t, &facts).judge(&class(&counts))
            };
            prop_assert!(at((exact * (1.0 + 1e-9)).min(1.0)).is_ok());
            if exact > 1e-3 {
                prop_assert!(at(exact * (1.0 - 1e-9)).is_err_and(|most| most <= class(&counts).size));
            }
        }
    }
}

/// Half the rows earn least and half earn most: their whole mass crosses every one of the many steps between.
#[test]
fn the_ordered_distance_does_not_overflow_over_many_values() {
    for (half, values) in
        [(1u32 << 27, 4096usize), ((1 << 27) - 1, 4096), (50_000_000, 100_000), (2_500_000, 4_000_000)]
    {
        let mut counts = vec![0u32; values];
        let mut totals = vec![0u64; values];
        counts[0] = half;
        totals[0] = u64::from(half);
        totals[values - 1] = u64::from(half);
        let facts = TableFacts::of_histogram("salary", &totals);
        let mover = Mover::new(Distance::Ordered, &facts.sensitive[0]).unwrap();
        assert_eq!(mover.distance(&counts), 0.5, "{half} rows, {values} values");
        assert!(mover.judge(&counts, 0.1).is_err());
    }
}

#[test]
fn counts_of_four_billion_rows_are_added_without_overflow() {
    let counts = [u32::MAX, u32::MAX, u32::MAX];
    let facts = TableFacts::of_histogram("disease", &counts.map(u64::from));
    let holds = |kind: &str, parameters: &[(&str, tamis_privacy::Value)]| {
        let class = Class { size: 3 * u64::from(u32::MAX), population: 3 * u64::from(u32::MAX), counts: &counts };
        model(kind, parameters, &facts).holds(&class)
    };
    assert!(holds("k-anonymity", &[("k", whole(3 * u64::from(u32::MAX)))]));
    assert!(holds("entropy-l-diversity", &[("l", 3.0.into())]));
    assert!(!holds("recursive-cl-diversity", &[("c", 0.5.into()), ("l", whole(2))]));
    assert!(holds("recursive-cl-diversity", &[("c", 0.51.into()), ("l", whole(2))]));
    assert!(holds("t-closeness", &[("t", 0.0.into())]));
}
