//! Recursive (c,l)-diversity against its definition.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, whole};
use proptest::prelude::*;
use tamis_privacy::{Class, Model, TableFacts};

/// m >= l and r1 < c (r_l + ... + r_m) with c = tenths / 10, in whole numbers.
fn holds(counts: &[u32], tenths: u64, l: usize) -> bool {
    let mut ranked: Vec<u64> = counts.iter().filter(|&&count| count > 0).map(|&count| u64::from(count)).collect();
    ranked.sort_unstable();
    ranked.reverse();
    ranked.len() >= l && 10 * ranked[0] < tenths * ranked.iter().skip(l - 1).sum::<u64>()
}

fn diversity(tenths: u64, l: usize, facts: &TableFacts) -> Box<dyn Model> {
    model("recursive-cl-diversity", &[("c", (tenths as f64 / 10.0).into()), ("l", whole(l as u64))], facts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_its_most_frequent_value_is_below_the_bound(
        (counts, totals) in class_in_table(5, 5), tenths in 1u64..50, l in 1usize..6,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        check_class(&*diversity(tenths, l, &facts), &counts, |part| holds(part, tenths, l));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..9, 4), right in prop::collection::vec(0u32..9, 4),
        tenths in 1u64..50, l in 1usize..5,
    ) {
        check_union(&*diversity(tenths, l, &TableFacts::of_histogram("disease", &[19; 4])), &left, &right);
    }

    /// r1 = c times the rest exactly fails, also where c has no exact binary form.
    #[test]
    fn equality_fails(tenths in 1u32..80, times in 1u32..1000) {
        let counts = [tenths * times, 10 * times];
        prop_assume!(counts[0] >= counts[1]);
        let facts = TableFacts::of_histogram("disease", &counts.map(u64::from));
        prop_assert!(!diversity(u64::from(tenths), 2, &facts).holds(&class(&counts)));
        prop_assert!(diversity(u64::from(tenths) + 1, 2, &facts).holds(&class(&counts)));
    }
}

/// More values than the sorting buffer on the stack takes.
#[test]
fn many_values_are_ranked_like_few() {
    let mut counts = vec![1u32; 300];
    counts[299] = 298;
    let facts = TableFacts::of_histogram("disease", &vec![300; 300]);
    assert!(!diversity(10, 3, &facts).holds(&class(&counts)));
    counts[299] = 297;
    assert!(diversity(10, 3, &facts).holds(&class(&counts)));
}

#[test]
fn l_values_of_fewer_than_l_people_are_not_enough() {
    let facts = TableFacts::of_histogram("disease", &[9; 3]);
    assert!(!diversity(30, 3, &facts).holds(&Class { size: 2, population: 3, counts: &[1, 1, 1] }));
    assert!(diversity(30, 3, &facts).holds(&Class { size: 3, population: 3, counts: &[1, 1, 1] }));
}
