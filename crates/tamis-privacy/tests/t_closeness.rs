//! t-closeness against its definition, in whole numbers, and its distances against transport problems.

use crate::common;

use common::mover::{Ratio, equal, facts, hierarchical, meeting_level, ordered, transport, tree};
use common::{check_class, check_union, class, class_in_table, model};
use proptest::prelude::*;
use tamis_privacy::models::t_closeness::{Distance, Mover};
use tamis_privacy::{Model, TableFacts};

/// A class, its table, an order of the values and a hierarchy over them.
#[derive(Debug, Clone)]
struct Case {
    counts: Vec<u32>,
    totals: Vec<u64>,
    order: Vec<u32>,
    tree: Vec<Vec<u32>>,
}

impl Case {
    fn facts(&self) -> TableFacts {
        facts(&self.totals, self.order.clone(), Some(self.tree.clone()))
    }

    fn distance(&self, distance: Distance, counts: &[u32]) -> Ratio {
        match distance {
            Distance::Equal => equal(counts, &self.totals),
            Distance::Ordered | Distance::Listed => ordered(counts, &self.totals, &self.order),
            Distance::Hierarchical => hierarchical(counts, &self.totals, &self.tree),
        }
    }

    fn model(&self, distance: Distance, twentieths: u64) -> Box<dyn Model> {
        let t = twentieths as f64 / 20.0;
        model("t-closeness", &[("t", t.into()), ("distance", distance.name().into())], &self.facts())
    }
}

const DISTANCES: [Distance; 4] = [Distance::Equal, Distance::Ordered, Distance::Listed, Distance::Hierarchical];

fn case(values: usize, most: u32) -> impl Strategy<Value = Case> {
    class_in_table(values, most).prop_flat_map(|(counts, totals)| {
        let values = counts.len();
        let order = Just((0..values as u32).collect::<Vec<_>>()).prop_shuffle();
        let choices = prop::collection::vec(prop::collection::vec(0u32..4, values), 0..4);
        (Just(counts), Just(totals), order, choices).prop_map(move |(counts, totals, order, choices)| Case {
            tree: tree(values, &choices),
            counts,
            totals,
            order,
        })
    })
}

fn is_at_most((num, den): Ratio, twentieths: u64) -> bool {
    num * 20 <= i128::from(twentieths) * den
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(768))]

    #[test]
    fn a_class_holds_iff_its_distance_is_at_most_t(case in case(5, 4), twentieths in 0u64..=20) {
        for distance in DISTANCES {
            let model = case.model(distance, twentieths);
            check_class(&*model, &case.counts, |part| is_at_most(case.distance(distance, part), twentieths));
        }
    }

    #[test]
    fn the_distance_is_that_of_the_cheapest_transport(case in case(5, 5)) {
        let mut place = vec![0i128; case.order.len()];
        for (position, &value) in case.order.iter().enumerate() {
            place[value as usize] = position as i128;
        }
        let last = (place.len().max(2) - 1) as i128;
        let height = (case.tree.len() - 1) as i128;
        for distance in DISTANCES {
            let cheapest = match distance {
                Distance::Equal => transport(&case.counts, &case.totals, |a, b| i128::from(a != b), 1),
                Distance::Ordered | Distance::Listed => transport(&case.counts, &case.totals, |a, b| (place[a] - place[b]).abs(), last),
                Distance::Hierarchical => {
                    transport(&case.counts, &case.totals, |a, b| meeting_level(&case.tree, a, b), height)
                }
            };
            let (num, den) = case.distance(distance, &case.counts);
            prop_assert_eq!(num * cheapest.1, cheapest.0 * den, "{:?}", distance);
            let mover = Mover::new(distance, &case.facts().sensitive[0]).unwrap();
            let found = mover.distance(&case.counts);
            prop_assert!((found - num as f64 / den as f64).abs() <= 1e-15, "{:?}: {}", distance, found);
        }
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        case in case(5, 6), other in prop::collection::vec(0u32..6, 5), twentieths in 0u64..=20,
    ) {
        let other: Vec<u32> = other[..case.counts.len()].to_vec();
        let mut totals = case.totals.clone();
        totals.iter_mut().zip(&other).for_each(|(total, &count)| *total += u64::from(count));
        let case = Case { totals, ..case };
        prop_assume!(other.iter().any(|&count| count > 0));
        for distance in DISTANCES {
            check_union(&*case.model(distance, twentieths), &case.counts, &other);
        }
    }

    /// A distance that is t to the last digit holds, whatever t is.
    #[test]
    fn equality_holds(case in case(6, 40)) {
        for distance in DISTANCES {
            let (num, den) = case.distance(distance, &case.counts);
            let at = |t: f64| {
                let t = [("t", t.into()), ("distance", distance.name().into())];
                model("t-closeness", &t, &case.facts()).holds(&class(&case.counts))
            };
            let t = num as f64 / den as f64;
            prop_assert!(at(t));
            prop_assert!(t < 1e-12 || !at(t - 1e-12));
        }
    }
}

/// More groups and levels than fit the buffers on the stack.
#[test]
fn large_hierarchies_and_long_orders_are_no_different() {
    let values = 200;
    let counts: Vec<u32> = (0..values).map(|value| (value * 7919 % 13) as u32).collect();
    let totals: Vec<u64> = (0..values).map(|value| u64::from(counts[value]) + (value * 104_729 % 17) as u64).collect();
    let order: Vec<u32> = (0..values as u32).rev().collect();
    let chain: Vec<Vec<u32>> =
        (1..30u32).map(|level| (0..200).map(|label| label / (1 + level / 9)).collect()).collect();
    let case = Case { tree: tree(values, &chain), counts, totals, order };
    for distance in DISTANCES {
        let (num, den) = case.distance(distance, &case.counts);
        let found = Mover::new(distance, &case.facts().sensitive[0]).unwrap().distance(&case.counts);
        assert!((found - num as f64 / den as f64).abs() <= 1e-15, "{distance:?}: {found}");
        let kept = case.model(distance, 0).judge(&class(&case.counts)).unwrap_err();
        assert!(kept <= class(&case.counts).size);
    }
}

/// A chain of identical nodes counts as levels: two leaves that meet on level 1 of 3 are a third apart.
#[test]
fn a_chain_of_identical_nodes_counts_as_levels() {
    let tree = vec![vec![0, 1, 2], vec![0, 0, 1], vec![0, 0, 1], vec![0, 0, 0]];
    let facts = facts(&[1, 1, 0], vec![0, 1, 2], Some(tree));
    let mover = Mover::new(Distance::Hierarchical, &facts.sensitive[0]).unwrap();
    assert!((mover.distance(&[1, 0, 0]) - 0.5 / 3.0).abs() < 1e-16);
}

#[test]
fn without_a_distance_the_hierarchy_decides() {
    let with = facts(&[1, 1], vec![0, 1], Some(vec![vec![0, 1], vec![0, 0]]));
    assert_eq!(
        model("t-closeness", &[("t", 0.2.into())], &with).describe(),
        "0.2-closeness of disease (hierarchical distance)"
    );
    let without = facts(&[1, 1], vec![0, 1], None);
    assert_eq!(
        model("t-closeness", &[("t", 0.2.into())], &without).describe(),
        "0.2-closeness of disease (equal distance)"
    );
}

/// `1`, `1.0`, `7`, `7.0`: where the numbers 1 and 7 lie, their spellings lie too, and a part of a class is bounded alike.
#[test]
fn spellings_of_one_value_are_one_place_of_the_path() {
    let mut spelled = facts(&[2, 1, 3, 2], vec![0, 1, 2, 3], None);
    spelled.sensitive[0].respelled = vec![false, true, false, true];
    let plain = facts(&[3, 5], vec![0, 1], None);
    let mover = |facts: &TableFacts| Mover::new(Distance::Ordered, &facts.sensitive[0]).unwrap();
    let (spelled, plain) = (mover(&spelled), mover(&plain));
    for counts in [[2, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 2], [2, 0, 2, 2], [0, 0, 3, 0]] {
        let merged = [counts[0] + counts[1], counts[2] + counts[3]];
        assert_eq!(spelled.distance(&counts), plain.distance(&merged), "{counts:?}");
        assert_eq!(spelled.judge(&counts, 0.2), plain.judge(&merged, 0.2), "{counts:?}");
    }
}
