//! Distinct l-diversity against its definition.

use crate::common;

use common::{check_class, check_union, class_in_table, model, whole};
use proptest::prelude::*;
use tamis_privacy::{Class, TableFacts};

fn holds(counts: &[u32], l: usize) -> bool {
    let mut values: Vec<usize> = (0..counts.len()).filter(|&value| counts[value] >= 1).collect();
    values.dedup();
    values.len() >= l
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_it_has_l_values((counts, totals) in class_in_table(5, 3), l in 1usize..7) {
        let facts = TableFacts::of_histogram("disease", &totals);
        let model = model("distinct-l-diversity", &[("l", whole(l as u64))], &facts);
        check_class(&*model, &counts, |part| holds(part, l));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..3, 4), right in prop::collection::vec(0u32..3, 4), l in 1u64..5,
    ) {
        let facts = TableFacts::of_histogram("disease", &[9; 4]);
        check_union(&*model("distinct-l-diversity", &[("l", whole(l))], &facts), &left, &right);
    }
}

#[test]
fn exactly_l_values_are_enough() {
    let facts = TableFacts::of_histogram("disease", &[9; 4]);
    let model = model("distinct-l-diversity", &[("l", whole(3))], &facts);
    assert!(model.holds(&common::class(&[7, 0, 1, 1])));
    assert!(!model.holds(&common::class(&[7, 0, 0, 1])));
}

/// Where people have several rows, one person may have all l values; that is no diversity among people.
#[test]
fn l_values_of_fewer_than_l_people_are_not_enough() {
    let facts = TableFacts::of_histogram("disease", &[9; 4]);
    let model = model("distinct-l-diversity", &[("l", whole(3))], &facts);
    assert!(!model.holds(&Class { size: 2, population: 3, counts: &[1, 1, 1, 0] }));
    assert!(model.holds(&Class { size: 3, population: 3, counts: &[1, 1, 1, 0] }));
}
